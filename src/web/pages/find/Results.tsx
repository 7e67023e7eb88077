import { ArrowDownLeft, ArrowUpRight, History } from 'lucide-react';
import { Link } from 'react-router';
import { shorten, revealHidden, capital, numberWords } from '#src/shared/text.ts';
import { StatusCell } from '#src/web/list/rows/StatusCell.tsx';
import { Amount } from '#src/web/ui/Amount.tsx';
import { Keys } from '#src/web/ui/Keys.tsx';
import { Time } from '#src/web/ui/Time.tsx';
import { type FoundPayment, foundPayment, paymentIn, readings, within1Percent } from './match.ts';
import {
  type Group,
  type FindOption,
  addressOptions,
  type SearchInput,
  codesInWords,
  create,
  goTo,
  createOption,
  pageOption,
  recipientOptions,
} from './options.ts';
import { formatAmount } from '#src/shared/amount.ts';
import { chainLabel } from '#src/shared/chains/names.ts';
import { shortDays } from '#src/web/list/filters/periods.ts';
import { OTHERS_MAX } from './scan.ts';
import { isPart } from '#src/shared/classifyQuery.ts';
import { paths } from '#src/shared/paths.ts';
import { recentPages } from './recent.ts';
import { codesOf, MOST_SHOWN } from './understand.ts';

interface ResultsProps {
  id: string;
  groups: readonly Group[];
  active: FindOption | undefined;
  optionId: (option: FindOption) => string;
  showKeys: boolean;
  onGo: () => void;
}

const ROW =
  'grid min-h-8 items-center gap-x-3 px-4 py-0.5 text-ink no-underline hover:bg-hover aria-selected:bg-selected aria-selected:shadow-[inset_4px_0_0_var(--color-accent)] narrow:min-h-11 narrow:py-1.5 [&>.lucide]:text-ink-3';
const PLAIN = `${ROW} grid-cols-[1rem_minmax(0,1fr)_auto] narrow:grid-cols-[1rem_minmax(0,1fr)]`;
const PAYMENT = `${ROW} grid-cols-[1rem_minmax(0,14.5rem)_7.25rem_minmax(0,1fr)_auto] narrow:grid-cols-[1rem_minmax(0,1fr)_auto] [&_.amt]:font-medium narrow:[&>.amt]:text-small narrow:[&>.amt]:whitespace-normal narrow:[&>.amt]:wrap-anywhere narrow:[&>.st]:text-small`;
const WORD = 'min-w-0 truncate narrow:whitespace-normal narrow:wrap-anywhere';
const END = 'text-right text-small text-ink-3 narrow:text-left';

export function Results({ id, groups, active, optionId, showKeys, onGo }: ResultsProps) {
  return (
    <div role="listbox" id={id} aria-label="Results" className="peer">
      {groups.map(({ title, note, isCut, options }) => (
        <div
          role="group"
          key={title}
          className="not-first:mt-1 not-first:border-t not-first:border-rule"
          aria-label={note ? `${title}, ${note}` : title}
        >
          <p className="flex flex-wrap items-baseline gap-x-2 px-4 pt-2 pb-0.5 text-label text-ink-3" aria-hidden>
            <b className="text-ink-2">{title}</b>
            {note && <span>{note}</span>}
            {options[0]?.payment && !isCut && <span className="ml-auto">{numberWords(options.length)}</span>}
          </p>
          {options.map((option) => (
            <Link
              key={option.key}
              id={optionId(option)}
              role="option"
              aria-selected={option === active}
              tabIndex={-1}
              className={option.payment ? PAYMENT : PLAIN}
              to={option.to}
              state={option.state}
              onClick={onGo}
            >
              {option.payment ? (
                <PaymentCells payment={option.payment} />
              ) : (
                <>
                  <option.Icon aria-hidden />
                  <bdi className={WORD} translate={option.detail === undefined ? undefined : 'no'}>
                    {revealHidden(option.label.slice(0, 200))}
                  </bdi>
                  <span className={`${END} narrow:col-start-2 [&_kbd]:ml-1 narrow:[&_kbd]:hidden`}>
                    {option.detail !== undefined && (
                      <bdi translate="no">{revealHidden(option.detail.slice(0, 200))}</bdi>
                    )}
                    {showKeys && option.keys !== undefined && <Keys keys={option.keys} />}
                  </span>
                </>
              )}
            </Link>
          ))}
        </div>
      ))}
    </div>
  );
}

function PaymentCells({ payment }: { payment: FoundPayment }) {
  const { kind, id, amount, asset, chain, status, created_at, name, difference } = payment;
  const Icon = kind === 'deposit' ? ArrowDownLeft : ArrowUpRight;
  return (
    <>
      <Icon role="img" aria-label={capital(kind)} />
      <Amount value={amount} asset={asset ?? undefined} flow />
      <StatusCell status={status} />
      <bdi translate="no" className={`${WORD} narrow:col-start-2 narrow:text-small narrow:text-ink-2`}>
        {chain !== null && <span className="sub">{revealHidden(chainLabel(chain).slice(0, 60))} </span>}
        <span className={name === null || name === '' ? 'mono' : undefined}>{revealHidden(shortName(name, id))}</span>
      </bdi>
      {/* A difference may have 18 decimals: beside the time, it would leave no room for the other columns. */}
      <span
        className={`${END} ${difference === undefined ? 'narrow:col-start-3' : 'narrow:col-span-2 narrow:col-start-2'}`}
      >
        {difference !== undefined && (
          <span className="block narrow:inline">
            {differenceWords(difference)}
            <span className="hidden narrow:inline"> · </span>
          </span>
        )}
        <Time unix={created_at} />
      </span>
    </>
  );
}

/** "0.1 less" than was searched for. */
function differenceWords(difference: string): string {
  const isLess = difference.startsWith('-');
  return `${formatAmount(isLess ? difference.slice(1) : difference)} ${isLess ? 'less' : 'more'}`;
}

/** Addresses and IDs are shortened, names only at 120 characters. */
function shortName(name: string | null, id: string): string {
  if (name === null || name === '') return shorten(id);
  return /^\S{25,}$/.test(name) ? shorten(name) : name.slice(0, 120);
}

/** The options for a text, the most certain first. `pinned`: the active payment, which stays in the list. */
export function groupsOf(
  input: SearchInput,
  found: readonly FoundPayment[],
  pinned: FoundPayment | undefined,
): Group[] {
  const { wanted, pages, creates } = input;
  if (Object.keys(wanted).length === 0) {
    return withoutEmpty([
      { title: 'Recent', options: recentOptions(input) },
      { title: 'Go to', options: pages.filter((page) => !creates.includes(page)).map(pageOption) },
      { title: 'Create', options: creates.map(pageOption) },
    ]);
  }
  const payments = paymentGroups(input, found, pinned);
  const ids = payments.flatMap(({ options }) => options.flatMap(({ payment }) => payment?.id ?? []));
  // With several IDs, those that were found are listed below, once.
  const isBelow = (id: string) =>
    ids.includes(id) ? (wanted.exact?.length ?? 0) > 1 : ids.some((each) => isPart(each, id));
  const pageGroups = [
    { title: 'Go to', options: goTo(input, isBelow) },
    { title: 'Create', options: create(input) },
  ];
  const people = [
    { title: 'Addresses', options: addressOptions(input) },
    { title: 'Recipients', options: recipientOptions(input) },
  ];
  // For a pasted address, its owner comes first.
  return withoutEmpty(wanted.exact ? [...people, ...pageGroups, ...payments] : [...pageGroups, ...payments, ...people]);
}

/** " · add a day to narrow down": the terms that the text lacks. */
function narrowBy(wanted: SearchInput['wanted']): string {
  const lacking = [codesOf(wanted).length === 0 && 'an asset', !wanted.days && 'a day'].filter(
    (term) => term !== false,
  );
  return lacking.length === 0 ? '' : ` · add ${lacking.join(' or ')} to narrow down`;
}

function withoutEmpty(groups: readonly Group[]): Group[] {
  return groups.filter(({ options }) => options.length > 0);
}

function paymentGroups(
  { wanted, searchIndex, zone }: SearchInput,
  found: readonly FoundPayment[],
  pinned: FoundPayment | undefined,
): Group[] {
  const { exact, amount, words } = wanted;
  const loaded =
    exact || amount || words
      ? searchIndex.rows.flatMap(({ kind, row }) => paymentIn(kind, row, wanted, searchIndex.names, zone) ?? [])
      : [];
  const all = newestFirst([...(pinned ? [pinned] : []), ...loaded, ...found]);
  const isPinned = ({ kind, id }: FoundPayment) => kind === pinned?.kind && id === pinned.id;
  const groupOf = (title: string, about: string, fit: FoundPayment['fit']): Group => {
    const payments = all.filter((payment) => payment.fit === fit || (fit === 'named' && isPinned(payment)));
    const shown = payments.filter((payment, at) => at < MOST_SHOWN || isPinned(payment));
    const more = payments.length - shown.length;
    const note =
      more > 0 ? `${numberWords(shown.length)} of ${numberWords(payments.length)}${narrowBy(wanted)}` : about;
    return { title, note, isCut: more > 0, options: shown.map(paymentOption) };
  };
  if (all.some(({ fit }) => fit === 'named')) return [groupOf('Payments', '', 'named')];
  const codes = codesInWords(wanted);
  const values = amount && codes !== '' ? readings(amount.value.amount) : [];
  const shown = values.map((each) => formatAmount(each)).join(' or ');
  const ranges = values.map(within1Percent).map(([least, most]) => `${formatAmount(least)} to ${formatAmount(most)}`);
  const has = (fit: FoundPayment['fit']) => all.some((payment) => payment.fit === fit);
  const near = groupOf('Within 1 %', `${ranges.join(' or ')} ${codes}`, 'near');
  if (has('exact')) return [groupOf('Payments', values.length > 0 ? `${shown} ${codes} exactly` : '', 'exact'), near];
  const about = [codes && `of ${codes}`, wanted.days && shortDays(wanted.days.value)].filter(Boolean).join(', ');
  const others = groupOf('Other amounts', about, 'other');
  return [
    groupOf('On another chain', elsewhereWords(wanted, all), 'elsewhere'),
    near,
    ...(has('elsewhere') || others.options.length > OTHERS_MAX ? [] : [others]),
  ];
}

/** "Not on Tron. One came on Polygon, same amount and day." */
function elsewhereWords({ chain, days, list }: SearchInput['wanted'], all: readonly FoundPayment[]): string {
  const found = all.filter(({ fit }) => fit === 'elsewhere');
  const on = [...new Set(found.map((payment) => chainLabel(payment.chain ?? 'an unknown chain')))].join(' and ');
  const verb = list?.value === 'withdrawal' || found.every(({ kind }) => kind === 'withdrawal') ? 'went out' : 'came';
  const count = found.length === 1 ? 'One' : numberWords(found.length);
  return `Not on ${chainLabel(chain?.value ?? '')}. ${count} ${verb} on ${on}, same amount${days ? ' and day' : ''}.`;
}

function paymentOption(payment: FoundPayment): FindOption {
  const to = paths[payment.kind](payment.id);
  return { key: to, to, payment };
}

function newestFirst(payments: readonly FoundPayment[]): FoundPayment[] {
  const time = ({ created_at: at }: FoundPayment) => (typeof at === 'number' ? at : 0);
  const once = new Map(payments.map((payment) => [`${payment.kind} ${payment.id}`, payment]));
  return [...once.values()].sort((one, other) => time(other) - time(one));
}

function recentOptions({ searchIndex: { rows, names } }: SearchInput): FindOption[] {
  return recentPages().map(({ path, title, kind }) => {
    const loaded = rows.find((each) => each.kind === kind && each.row.id === title);
    if (!loaded) return createOption(History, `${capital(kind)} ${shorten(title)}`, path);
    return paymentOption(foundPayment(loaded.kind, loaded.row, names));
  });
}
