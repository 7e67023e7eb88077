import { BookUser, CornerDownRight, KeyRound, List, type LucideIcon, Plus, QrCode, Wallet } from 'lucide-react';
import { PAYMENTS } from '#src/web/api/payments.ts';
import { boundsOfDays, dayWords } from '#src/web/list/createdRange.ts';
import { boundsOfPeriod, PERIODS, shortDays } from '#src/web/list/filters/periods.ts';
import { formatAmount } from '#src/shared/amount.ts';
import { placeKey } from '#src/shared/chains/lookAlike.ts';
import { chainLabel } from '#src/shared/chains/names.ts';
import { classifyQuery, isPart, isSame } from '#src/shared/classifyQuery.ts';
import { capital, searchForm, shorten, visibleCode } from '#src/shared/text.ts';
import { type LocationState, locationState } from '#src/web/storage/locationState.ts';
import { type Operation, knownResultId } from '#src/shared/operations/record.ts';
import { withdrawalFieldsOf } from '#src/shared/operations/withdrawal.ts';
import { shortChipOf } from '#src/shared/operations/stateMark.ts';
import { stringifyExact } from '#src/shared/json/exactJson.ts';
import { knownStatus } from '#src/shared/paymentStatus.ts';
import { paths } from '#src/shared/paths.ts';
import { dateOf, type Zone, zoneName } from '#src/shared/time.ts';
import { isNamedBy, meantBy, type Found, namesIn, readings, wordsOf } from './match.ts';
import { codesOf, MOST_SHOWN, type Understood } from './understand.ts';
import type { Known } from './useFind.ts';

export interface Place {
  to: string;
  label: string;
  Icon: LucideIcon;
  /** Two keys, one after the other: "G B". */
  keys: string;
}

export type Option = { key: string; to: string; state?: LocationState } & (
  | { payment: Found }
  | { payment?: undefined; Icon: LucideIcon; label: string; detail?: string; keys?: string }
);

export interface Group {
  title: string;
  note?: string;
  options: Option[];
}

const MOST_PAGES = 5;

export function line(
  Icon: LucideIcon,
  label: string,
  to: string,
  more: { detail?: string; state?: LocationState } = {},
): Option {
  return { key: `${to} ${label}`, to, Icon, label, ...more };
}

export function placeLine({ to, label, Icon, keys }: Place): Option {
  return { key: to, to, Icon, label, keys };
}

export interface Asked {
  wanted: Understood;
  known: Known;
  index: readonly Place[];
  creates: readonly Place[];
  zone: Zone;
}

const NOTED = ['deposit', 'withdrawal', 'operation'] as const;

/** Pages, filtered lists and single records that the text names; `isBelow`: what it names is among the payments already. */
export function goTo(asked: Asked, isBelow: (id: string) => boolean): Option[] {
  const { wanted, known, index, zone } = asked;
  const { exact, amount, days, status, list, words } = wanted;
  if (exact) {
    const records = exact.flatMap((id) => recordOptions(id, asked, isBelow(id)));
    return records.filter(({ to }, at) => records.findIndex((each) => each.to === to) === at);
  }
  const codes = codesOf(wanted);
  const { period } = days?.value ?? {};
  const bounds: object = period ? boundsOfPeriod(period, zone) : days ? boundsOfDays(days.value, zone) : {};
  const options: Option[] = [];
  const lists =
    codes.length > 0 || days || status || list
      ? index.filter(
          ({ to }) => to === (list ? PAYMENTS[list.value].list() : to) && /^.(?:deposits|withdrawals)$/.test(to),
        )
      : [];
  for (const code of codes.length > 0 ? codes : [undefined]) {
    for (const place of lists) {
      const search = new URLSearchParams();
      if (code !== undefined) search.set('asset', code);
      if (status) search.set('status', status.value);
      for (const [name, value] of Object.entries(bounds)) search.set(name, String(value));
      const what = [
        status && capital(status.value),
        code && visibleCode(code),
        search.size > 0 ? place.label.toLowerCase() : place.label,
      ];
      const words = what.filter(Boolean).join(' ');
      // A code is taken letter by letter.
      const label =
        (what[0] === undefined && code ? words : capital(words)) + (days ? `, ${shortDays(days.value)}` : '');
      options.push(line(place.Icon, label, `${place.to}${search.size > 0 ? `?${search.toString()}` : ''}`));
    }
    if (code !== undefined && known.assets.includes(code))
      options.push(line(Wallet, `${visibleCode(code)} balance`, paths.balance(code)));
  }
  if (words) options.push(...index.filter(startsWith(words.value)).map(placeLine));
  const isMeant = meantBy(namesIn(wanted));
  for (const [subject, note] of known.names.notes) {
    const kind = NOTED.find((each) => subject.startsWith(`${each}:`));
    if (!kind || !wordsOf(note).some(isMeant)) continue;
    const id = subject.slice(kind.length + 1);
    // What is read already stands among the payments, unless those are of an amount.
    if (!amount?.value.asset && known.rows.some(({ row }) => row['id'] === id)) continue;
    options.push(line(KeyRound, `${capital(kind)} ${shorten(id)}`, paths[kind](id), { detail: note.reference }));
  }
  return options.slice(0, MOST_PAGES * Math.max(1, codes.length));
}

function startsWith(typed: string): (place: Place) => boolean {
  const form = searchForm(typed);
  return ({ label }) => ` ${searchForm(label)}`.includes(` ${form}`);
}

export function create({ wanted, creates }: Asked): Option[] {
  const { exact, amount, words } = wanted;
  if (exact) return [];
  const [withdrawal] = creates;
  if (amount?.value.asset && withdrawal && readings(amount.value.amount).length === 1) {
    const { amount: value } = amount.value;
    return codesOf(wanted).map((asset) => {
      const label = `${withdrawal.label} of ${formatAmount(value)} ${visibleCode(asset)}`;
      return line(Plus, label, withdrawal.to, { state: locationState({ prefill: { asset, amount: value } }) });
    });
  }
  return words === undefined ? [] : creates.filter(startsWith(words.value)).map(placeLine);
}

/** Deposit addresses of ours: the answer to "is this address ours?". */
export function addressOptions({ wanted, known, zone }: Asked): Option[] {
  const isWanted = isOf(wanted);
  return known.addresses
    .filter(({ label, ...place }) => isWanted(label, place))
    .slice(0, MOST_SHOWN)
    .map(({ id, address, label, chain, who, at }) => {
      const detail = [chainLabel(chain), ...(who ? [`by ${who}`] : []), dayWords(dateOf(at, zone))].join(', ');
      const own = placeKey({ chain, address: address ?? '' });
      const isYes = wanted.exact?.some((id) => placeKey({ chain, address: id }) === own);
      const what = isYes ? 'Yes, this is your deposit address.' : `${shorten(address ?? '')} ·`;
      return line(QrCode, `${what} ${label}`.trim(), paths.operation(id), { detail });
    });
}

/** Whether the text means the name, or is the address or a part of it. */
function isOf(wanted: Understood): (name: string, place: { chain: string; address: string | null }) => boolean {
  const texts = namesIn(wanted);
  const isMeant = meantBy(texts);
  return (name, { chain, address }) =>
    isMeant(name) || texts.some((typed) => isNamedBy(address, typed, chain) || isPart(address, typed));
}

export function recipientOptions({ wanted, known }: Asked): Option[] {
  const isWanted = isOf(wanted);
  return known.recipients
    .filter(({ name, ...place }) => isWanted(name, place))
    .slice(0, MOST_SHOWN)
    .map(({ name, chain, address }) =>
      line(BookUser, name, `${paths.recipients}?${new URLSearchParams({ q: name }).toString()}`, {
        detail: `${chainLabel(chain)}, ${shorten(address)}`,
      }),
    );
}

function recordOptions(text: string, { known, creates }: Asked, isBelow: boolean): Option[] {
  const kind = isBelow ? null : classifyQuery(text);
  const options: Option[] = [];
  if (kind === 'deposit') options.push(line(CornerDownRight, `Deposit ${text}`, paths.deposit(text)));
  else if (kind === 'withdrawal') options.push(line(CornerDownRight, `Withdrawal ${text}`, paths.withdrawal(text)));
  else if (kind === 'operation') options.push(line(KeyRound, `Operation ${text}`, paths.operation(text)));
  else if (kind === 'entry') options.push(line(CornerDownRight, `Ledger entry ${text}`, paths.ledgerEntry(text)));
  // Who may only read cannot replay one.
  else if (kind === 'delivery' && creates.length > 0) {
    const search = new URLSearchParams({ delivery: text }).toString();
    options.push(line(CornerDownRight, `Replay webhook ${text}`, `${paths.replayDelivery}?${search}`));
  }
  for (const record of known.operations.filter((operation) => isAbout(operation, text))) {
    // Of the request alone: what became of the money, the payment says.
    const { chip: detail } = shortChipOf(record, false, null);
    options.push(line(KeyRound, `Operation ${shorten(record.key)}`, paths.operation(record.key), { detail }));
  }
  if (known.requests.some(({ requestId, key }) => isSame(requestId, text) || isSame(key, text)))
    options.push(line(List, 'API calls with this ID', paths.apiLog(new URLSearchParams({ text }))));
  return options.slice(0, MOST_SHOWN);
}

/** By key, by the id that came of it, by anything in the body that was sent, by a request id of an attempt. */
function isAbout(record: Operation, text: string): boolean {
  const sent = withdrawalFieldsOf(record);
  return (
    isSame(record.key, text) ||
    (sent !== null && isNamedBy(sent.address, text, sent.chain)) ||
    isSame(knownResultId(record), text) ||
    (text.length >= 8 && record.body.toLowerCase().includes(stringifyExact(text).toLowerCase())) ||
    record.attempts.some(({ requestId }) => isSame(requestId, text))
  );
}

/** "USDT or usdt"; '' for any asset. */
export function codesInWords(wanted: Understood): string {
  return codesOf(wanted).map(visibleCode).join(' or ');
}

export function termsInWords(wanted: Understood, zone: Zone) {
  const { exact, amount, asset, days, status, list, words } = wanted;
  const { amount: figure = '' } = amount?.value ?? {};
  const codes = codesInWords(wanted);
  const figures = readings(figure).map((each) => formatAmount(each));
  const period = days?.value.period ? `${PERIODS[days.value.period]}, ` : '';
  const ids = (exact ?? []).map((id) => ({ label: 'ID, hash or address', value: shorten(id), from: id }));
  const terms = [
    { label: 'Amount', of: amount, value: `${figures.join(' or ')} ${codes}`.trim() },
    { label: 'Asset', of: asset, value: codes },
    { label: 'Created', of: days, value: days ? `${period}${shortDays(days.value)} ${zoneName(zone)}` : '' },
    { label: 'Status', of: status, value: knownStatus(status?.value ?? '')?.word ?? '' },
    { label: 'In', of: list, value: capital(list ? PAYMENTS[list.value].noun.many : '') },
    { label: 'Name, note or text', of: exact || amount ? undefined : words, value: words?.value ?? '' },
  ];
  return [...ids, ...terms.flatMap(({ of, ...term }) => (of ? [{ ...term, from: of.from }] : []))];
}
