import { BookUser, CornerDownRight, KeyRound, List, type LucideIcon, Plus, QrCode, Wallet } from 'lucide-react';
import { PAYMENTS } from '#src/web/api/payments.ts';
import { byWhom } from '#src/shared/author.ts';
import { boundsOfDays, dayWords } from '#src/shared/createdRange.ts';
import { boundsOfPeriod, PERIODS, shortDays } from '#src/web/list/filters/periods.ts';
import { formatAmount } from '#src/shared/amount.ts';
import { addressKey } from '#src/shared/chains/lookAlike.ts';
import { chainLabel } from '#src/shared/chains/names.ts';
import { classifyQuery, isPart, isSame } from '#src/shared/classifyQuery.ts';
import { capital, searchForm, shorten, visibleCode } from '#src/shared/text.ts';
import { type LocationState, locationState } from '#src/web/storage/locationState.ts';
import { type Operation, knownResultId } from '#src/shared/operations/record.ts';
import { withdrawalFieldsOf } from '#src/shared/operations/withdrawal.ts';
import { shortStateMarkOf } from '#src/shared/operations/stateMark.ts';
import { stringifyExact } from '#src/shared/json/exactJson.ts';
import { knownStatus } from '#src/shared/paymentStatus.ts';
import { paths } from '#src/shared/paths.ts';
import { dateOf, type Zone, zoneName } from '#src/shared/time.ts';
import { isNamedBy, nameMatcher, type FoundPayment, namesIn, readings, wordsOf } from './match.ts';
import { codesOf, MOST_SHOWN, type Understood } from './understand.ts';
import type { SearchIndex } from './useFind.ts';

export interface PageLink {
  to: string;
  label: string;
  Icon: LucideIcon;
  /** Two keys, one after the other: "G B". */
  keys: string;
}

export type FindOption = { key: string; to: string; state?: LocationState } & (
  | { payment: FoundPayment }
  | { payment?: undefined; Icon: LucideIcon; label: string; detail?: string; keys?: string }
);

export interface Group {
  title: string;
  note?: string;
  /** The note says how many of how many are shown. */
  isCut?: boolean;
  options: FindOption[];
}

const MOST_PAGES = 5;

export function createOption(
  Icon: LucideIcon,
  label: string,
  to: string,
  more: { detail?: string; state?: LocationState } = {},
): FindOption {
  return { key: `${to} ${label}`, to, Icon, label, ...more };
}

export function pageOption({ to, label, Icon, keys }: PageLink): FindOption {
  return { key: to, to, Icon, label, keys };
}

export interface SearchInput {
  wanted: Understood;
  searchIndex: SearchIndex;
  pages: readonly PageLink[];
  creates: readonly PageLink[];
  zone: Zone;
}

const NOTED = ['deposit', 'withdrawal', 'operation'] as const;

/** Pages, filtered lists and records that the text names. `isBelow`: the payment is listed below already. */
export function goTo(input: SearchInput, isBelow: (id: string) => boolean): FindOption[] {
  const { wanted, searchIndex, pages, zone } = input;
  const { exact, amount, chain, days, status, list, words } = wanted;
  if (exact) {
    const records = exact.flatMap((id) => recordOptions(id, input, isBelow(id)));
    return records.filter(({ to }, at) => records.findIndex((each) => each.to === to) === at);
  }
  const codes = codesOf(wanted);
  const { period } = days?.value ?? {};
  const bounds: object = period ? boundsOfPeriod(period, zone) : days ? boundsOfDays(days.value, zone) : {};
  const options: FindOption[] = [];
  const lists =
    codes.length > 0 || days || status || list || chain
      ? pages.filter(
          ({ to }) => to === (list ? PAYMENTS[list.value].list() : to) && /^.(?:deposits|withdrawals)$/.test(to),
        )
      : [];
  for (const code of codes.length > 0 ? codes : [undefined]) {
    for (const place of lists) {
      const search = new URLSearchParams();
      if (code !== undefined) search.set('asset', code);
      if (status) search.set('status', status.value);
      if (chain) search.set('chain', chainLabel(chain.value));
      for (const [name, value] of Object.entries(bounds)) search.set(name, String(value));
      const what = [
        status && capital(status.value),
        code && visibleCode(code),
        search.size > 0 ? place.label.toLowerCase() : place.label,
      ];
      const words = what.filter(Boolean).join(' ');
      // Codes are case-sensitive.
      const label =
        (what[0] === undefined && code ? words : capital(words)) +
        (chain ? ` on ${chainLabel(chain.value)}` : '') +
        (days ? `, ${shortDays(days.value)}` : '');
      options.push(createOption(place.Icon, label, `${place.to}${search.size > 0 ? `?${search.toString()}` : ''}`));
    }
    if (code !== undefined && searchIndex.assets.includes(code))
      options.push(createOption(Wallet, `${visibleCode(code)} balance`, paths.balance(code)));
  }
  if (words) options.push(...pages.filter(startsWith(words.value)).map(pageOption));
  const matchesText = nameMatcher(namesIn(wanted));
  for (const [subject, note] of searchIndex.names.notes) {
    const kind = NOTED.find((each) => subject.startsWith(`${each}:`));
    if (!kind || !wordsOf(note).some(matchesText)) continue;
    const id = subject.slice(kind.length + 1);
    // Loaded payments are listed below, unless the search is for an amount.
    if (!amount?.value.asset && searchIndex.rows.some(({ row }) => row['id'] === id)) continue;
    options.push(
      createOption(KeyRound, `${capital(kind)} ${shorten(id)}`, paths[kind](id), { detail: note.reference }),
    );
  }
  return options.slice(0, MOST_PAGES * Math.max(1, codes.length));
}

function startsWith(typed: string): (place: PageLink) => boolean {
  const form = searchForm(typed);
  return ({ label }) => ` ${searchForm(label)}`.includes(` ${form}`);
}

export function create({ wanted, creates }: SearchInput): FindOption[] {
  const { exact, amount, words } = wanted;
  if (exact) return [];
  const [withdrawal] = creates;
  if (amount?.value.asset && withdrawal && readings(amount.value.amount).length === 1) {
    const { amount: value } = amount.value;
    return codesOf(wanted).map((asset) => {
      const label = `${withdrawal.label} of ${formatAmount(value)} ${visibleCode(asset)}`;
      return createOption(Plus, label, withdrawal.to, { state: locationState({ prefill: { asset, amount: value } }) });
    });
  }
  return words === undefined ? [] : creates.filter(startsWith(words.value)).map(pageOption);
}

/** Our own deposit addresses that match: the answer to "is this address ours?". */
export function addressOptions({ wanted, searchIndex, zone }: SearchInput): FindOption[] {
  const isWanted = isOf(wanted);
  return searchIndex.addresses
    .filter(({ label, ...place }) => isWanted(label, place))
    .slice(0, MOST_SHOWN)
    .map(({ id, address, label, chain, at, ...author }) => {
      const detail = [
        chainLabel(chain),
        ...(author.who ? [byWhom(author).trim()] : []),
        dayWords(dateOf(at, zone)),
      ].join(', ');
      const own = addressKey({ chain, address: address ?? '' });
      const isYes = wanted.exact?.some((id) => addressKey({ chain, address: id }) === own);
      const what = isYes ? 'Yes, this is your deposit address.' : `${shorten(address ?? '')} ·`;
      return createOption(QrCode, `${what} ${label}`.trim(), paths.address(id), { detail });
    });
}

/** Whether the text means the name, or is the address or a part of it. */
function isOf(wanted: Understood): (name: string, place: { chain: string; address: string | null }) => boolean {
  const texts = namesIn(wanted);
  const matchesText = nameMatcher(texts);
  return (name, { chain, address }) =>
    matchesText(name) || texts.some((typed) => isNamedBy(address, typed, chain) || isPart(address, typed));
}

export function recipientOptions({ wanted, searchIndex }: SearchInput): FindOption[] {
  const isWanted = isOf(wanted);
  return searchIndex.recipients
    .filter(({ name, ...place }) => isWanted(name, place))
    .slice(0, MOST_SHOWN)
    .map(({ id, name, chain, address }) =>
      createOption(BookUser, name, paths.recipient(id), {
        detail: `${chainLabel(chain)}, ${shorten(address)}`,
      }),
    );
}

function recordOptions(text: string, { searchIndex, creates }: SearchInput, isBelow: boolean): FindOption[] {
  const kind = isBelow ? null : classifyQuery(text);
  const options: FindOption[] = [];
  if (kind === 'deposit') options.push(createOption(CornerDownRight, `Deposit ${text}`, paths.deposit(text)));
  else if (kind === 'withdrawal')
    options.push(createOption(CornerDownRight, `Withdrawal ${text}`, paths.withdrawal(text)));
  else if (kind === 'operation') options.push(createOption(KeyRound, `Operation ${text}`, paths.operation(text)));
  else if (kind === 'entry')
    options.push(createOption(CornerDownRight, `Ledger entry ${text}`, paths.ledgerEntry(text)));
  // A read-only session cannot replay a webhook.
  else if (kind === 'delivery' && creates.length > 0) {
    const search = new URLSearchParams({ delivery: text }).toString();
    options.push(createOption(CornerDownRight, `Replay webhook ${text}`, `${paths.replayDelivery}?${search}`));
  }
  for (const record of searchIndex.operations.filter((operation) => isAbout(operation, text))) {
    // The state of the request only; the payment itself shows what became of the money.
    const { chip: detail } = shortStateMarkOf(record, { payment: null });
    options.push(createOption(KeyRound, `Operation ${shorten(record.key)}`, paths.operation(record.key), { detail }));
  }
  if (searchIndex.requests.some(({ requestId, key }) => isSame(requestId, text) || isSame(key, text)))
    options.push(createOption(List, 'API calls with this ID', paths.apiLog(new URLSearchParams({ text }))));
  return options.slice(0, MOST_SHOWN);
}

/** Whether the text is the operation's key, its result's id, a value in its body, or a request id of an attempt. */
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
  const { exact, amount, asset, chain, days, status, list, words } = wanted;
  const { amount: figure = '' } = amount?.value ?? {};
  const codes = codesInWords(wanted);
  const figures = readings(figure).map((each) => formatAmount(each));
  const period = days?.value.period ? `${PERIODS[days.value.period]}, ` : '';
  const ids = (exact ?? []).map((id) => ({ label: 'ID, hash or address', value: shorten(id), from: id }));
  const terms = [
    { label: 'Amount', of: amount, value: `${figures.join(' or ')} ${codes}`.trim() },
    { label: 'Asset', of: asset, value: codes },
    { label: 'Chain', of: chain, value: chainLabel(chain?.value ?? '') },
    { label: 'Created', of: days, value: days ? `${period}${shortDays(days.value)} ${zoneName(zone)}` : '' },
    { label: 'Status', of: status, value: knownStatus(status?.value ?? '')?.word ?? '' },
    { label: 'In', of: list, value: capital(list ? PAYMENTS[list.value].noun.many : '') },
    { label: 'Name, note or text', of: exact || amount ? undefined : words, value: words?.value ?? '' },
  ];
  return [...ids, ...terms.flatMap(({ of, ...term }) => (of ? [{ ...term, from: of.from }] : []))];
}
