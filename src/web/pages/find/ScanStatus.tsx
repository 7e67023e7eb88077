import { useForm, useWatch } from 'react-hook-form';
import { shortDays } from '#src/web/list/filters/periods.ts';
import { FormText } from '#src/web/send/FormFields.tsx';
import { Button } from '#src/web/ui/Button.tsx';
import { ErrorNotice } from '#src/web/list/ErrorNotice.tsx';
import { SelectField } from '#src/web/ui/SelectField.tsx';
import { useZone } from '#src/web/ui/Time.tsx';
import { PAYMENTS } from '#src/web/api/payments.ts';
import type { DepositAddress } from '#src/shared/contract/teamContract.ts';
import { classifyQuery, isTransactionHash } from '#src/shared/classifyQuery.ts';
import { shorten, counted, numberWords, visibleCode } from '#src/shared/text.ts';
import { formatTime } from '#src/shared/time.ts';
import { chainLabel } from '#src/shared/chains/names.ts';
import { formatAmount, isAmount } from '#src/shared/amount.ts';
import { type FoundPayment, isNamedBy, readings } from './match.ts';
import { codesInWords } from './options.ts';
import { type Covered, OTHERS_MAX, type Scan } from './scan.ts';
import { codesOf } from './understand.ts';
import type { useFind } from './useFind.ts';

/** Below the results; no rule above it if there are none. */
export const blockClass = 'border-t border-rule px-4 py-3 wrap-anywhere peer-empty:border-t-0';

export const SEARCH_STOPPED = 'The search stopped';

interface ScanStatusProps {
  find: Find;
  onText: (text: string) => void;
  /** Removes terms from the text or replaces them. */
  onReplace: (terms: readonly string[], by?: string) => void;
}

export function ScanStatus({ find, onText, onReplace }: ScanStatusProps) {
  const { scan, running, error, wanted } = find;
  const zone = useZone();
  if (scan === null) return null;
  const oldest = searchedBackTo(scan.covered);
  if (running) {
    return (
      <div className={`grid gap-2 ${blockClass}`}>
        <p>
          <b>Searching… {numberWords(rowsOf(scan))} payments so far</b>
          {oldest !== null && <>, back to {formatTime(oldest, zone)}</>}.{' '}
          {matchesOf(scan).length === 0 && 'No match yet.'}
        </p>
        <progress className="h-1 w-full accent-accent" aria-label="Searching" />
        <div>
          <Button size="small" onClick={find.stop}>
            Stop
          </Button>
        </div>
      </div>
    );
  }
  const end = outcome(find);
  if (end === null) return null;
  const isSearched = error === null && isComplete(scan);
  const isMissing = isSearched && !scan.matches.some(({ fit }) => fit === 'exact');
  return (
    <div className={`grid gap-2 ${blockClass}`}>
      <p>
        <b>{end.heading}</b> {end.rest}
      </p>
      {error !== null && <ErrorNotice error={error} heading={SEARCH_STOPPED} onRetry={find.goOn} isAnnounced />}
      {error === null && scan.covered.some(({ end }) => end === 'more') && (
        <div>
          <Button size="small" onClick={find.goOn}>
            Search on
          </Button>
        </div>
      )}
      {isMissing && asksForAmount(wanted, scan) && <ByAmount onText={onText} assets={find.searchIndex.assets} />}
      {isMissing &&
        narrowings(wanted).map(({ limit, wider, from, by }) => (
          <p key={wider} className="sub">
            {limit}{' '}
            <button type="button" className="link" onClick={() => onReplace(from, by)}>
              {wider}
            </button>
          </p>
        ))}
    </div>
  );
}

/** What limited a search, each with a way to widen it. A pasted ID is searched for in all payments. */
export function narrowings(wanted: Find['wanted']) {
  const { exact, amount, asset, days, status, list } = wanted;
  if (exact && !amount) return [];
  const only = exact ? 'By amount, only' : 'Only';
  const termsOf = (...terms: ({ from: string } | undefined)[]) => terms.flatMap((term) => term?.from ?? []);
  const priced = amount?.value.asset ? amount : undefined;
  return [
    {
      limit: `${only} ${codesInWords(wanted)} was searched.`,
      wider: 'All assets',
      from: termsOf(priced ?? asset),
      // With a decimal point, text is read as an amount in any sentence.
      by: priced?.value.amount.replace(/^\d+$/, '$&.0'),
    },
    { limit: `${only} payments created on these days were searched.`, wider: 'All days', from: termsOf(days) },
    {
      limit: [only, status?.value, list ? PAYMENTS[list.value].noun.many : 'payments', 'were searched.']
        .filter(Boolean)
        .join(' '),
      wider: 'All deposits and withdrawals',
      from: termsOf(status, list),
    },
  ].filter(({ from }) => from.length > 0);
}

type Find = ReturnType<typeof useFind>;

/** The result of a finished search in words, displayed and announced; null if it found an exact match. */
export function outcome(
  find: Pick<Find, 'scan' | 'running' | 'error' | 'wanted'> & {
    searchIndex: { addresses: readonly Pick<DepositAddress, 'chain' | 'address'>[] };
  },
): { heading: string; rest: string } | null {
  const { scan, running, error, wanted, searchIndex } = find;
  if (scan === null || running) return null;
  if (error !== null)
    return { heading: `${counted(rowsOf(scan), 'payment was', 'payments were')} searched.`, rest: '' };
  if (!isComplete(scan))
    return { heading: `Stopped after ${searched(find)}.`, rest: 'Older payments were not searched.' };
  const { exact, amount } = wanted;
  const has = (wantedFit: FoundPayment['fit']) => scan.matches.some(({ fit }) => fit === wantedFit);
  if (has('named')) return null;
  if (exact && amount && matchesOf(scan).length > 0) {
    const heading = wanted.days ? 'Matched by amount and day.' : 'Matched by amount.';
    const hasNone = carriesNothing(scan.covered);
    // A withdrawal's hash was searched.
    if (hasNone && exact.every(isTransactionHash) && matchesOf(scan).some(({ kind }) => kind === 'deposit'))
      return { heading, rest: 'The hash itself can’t be searched: deposits here carry none.' };
    const why = hasNone ? ': this provider’s deposits carry no transaction hash or address' : '';
    const verb = exact.length === 1 ? 'was' : 'were';
    return { heading, rest: `${exact.map(shorten).join(' and ')} ${verb} not found in ${searched(find)}${why}.` };
  }
  if (has('exact')) return null;
  const all = scan.covered.some(({ rows }) => rows > 1) ? 'all ' : '';
  const none = `No ${has('near') ? 'exact match' : 'match'} in ${all}${searched(find)}.`;
  const heading = rowsOf(scan) === 0 ? `Nothing to search: ${searched(find)}.` : none;
  if (has('elsewhere'))
    return {
      heading: `Not on ${chainLabel(wanted.chain?.value ?? '')}.`,
      rest: `It was found on another chain in ${all}${searched(find)}.`,
    };
  const others = scan.matches.filter(({ fit }) => fit === 'other');
  if (others.length > 0 && !has('near') && unsearchableIn(scan) === 0) return onlyOthers(wanted, others);
  const unsearchable = unsearchableWords(scan);
  if (unsearchable !== '') return { heading, rest: unsearchable };
  const isOurs = (id: string) => searchIndex.addresses.some(({ chain, address }) => isNamedBy(address, id, chain));
  const exactly = 'Add an asset to see close amounts too. ';
  const hidden = 'This provider’s deposits carry no transaction hash or address. ';
  const compared =
    (amount && codesOf(wanted).length === 0 ? exactly : '') +
    (exact && amount && carriesNothing(scan.covered) ? hidden : '');
  if (!exact?.some(isOurs))
    return { heading, rest: `${compared}It may belong to another account, or not have been detected yet.` };
  if (!carriesNothing(scan.covered, 'carriesAddresses')) return { heading, rest: 'It may not have been detected yet.' };
  return {
    heading: exact.every(isOurs) && !amount ? 'No payment names this address.' : heading,
    rest: asksForAmount(wanted, scan) ? '' : 'The provider’s list of deposits doesn’t show addresses.',
  };
}

/** Payments that may be the one searched for. */
function matchesOf({ matches }: Scan): FoundPayment[] {
  return matches.filter(({ fit }) => fit !== 'other');
}

/** "1 of them couldn’t be compared…", since the search proves nothing then; empty if all could be. */
function unsearchableWords(scan: Scan): string {
  const count = unsearchableIn(scan);
  return count === 0
    ? ''
    : `${numberWords(count)} of them couldn’t be compared: no readable ID, amount or time. The payment may be among them.`;
}

export function unsearchableIn({ covered }: Scan): number {
  return covered.reduce((sum, { unsearchable }) => sum + unsearchable, 0);
}

/** "No 0.6 ETH on 24 Nov. The only ETH payment that day: 0.5 ETH." */
function onlyOthers(wanted: Find['wanted'], others: readonly FoundPayment[]): { heading: string; rest: string } {
  const codes = codesInWords(wanted);
  const payments = codes === '' ? 'payments' : `${codes} payments`;
  const { from = '', to = '' } = wanted.days?.value ?? {};
  const on = wanted.days ? ` on ${shortDays(wanted.days.value)}` : '';
  const then = from === to ? 'that day' : 'on these days';
  const [only] = others;
  const figure = readings(wanted.amount?.value.amount ?? '')
    .map((each) => formatAmount(each))
    .join(' or ');
  const rest =
    others.length === 1 && isAmount(only?.amount)
      ? `The only ${codes === '' ? '' : `${codes} `}${PAYMENTS[only.kind].noun.one} ${then}: ${formatAmount(only.amount)} ${visibleCode(only.asset ?? '')}.`
      : others.length > OTHERS_MAX
        ? `There are more than ${OTHERS_MAX} ${payments} ${then}.`
        : `The ${others.length} ${payments} ${then} are above.`;
  return { heading: `No ${`${figure} ${codes}`.trim()}${on}.`, rest };
}

function rowsOf({ covered }: Scan): number {
  return covered.reduce((sum, { rows }) => sum + rows, 0);
}

/** The time back to which every list was searched, Unix seconds; null while a list has no row with a time. */
export function searchedBackTo(covered: readonly Covered[]): number | null {
  const times = covered.filter(({ end }) => end === 'more').map(({ oldest }) => oldest ?? Infinity);
  const newest = Math.max(...times);
  return Number.isFinite(newest) ? newest : null;
}

export function isComplete({ covered }: Scan): boolean {
  return covered.every(({ end }) => end === 'all' || end === 'not-offered');
}

export function searched({ scan, wanted }: Pick<Find, 'scan' | 'wanted'>): string {
  const { exact, status, days } = wanted;
  const parts = (scan?.covered ?? []).map(({ kind, rows, end }) => {
    const { one, many } = PAYMENTS[kind].noun;
    return end === 'not-offered'
      ? `no ${many} (the provider answered that there is no list of them)`
      : counted(rows, one, many);
  });
  const narrowed = exact ? [] : [codesInWords(wanted), status?.value, days && shortDays(days.value)].filter(Boolean);
  return parts.toReversed().join(' and ') + (narrowed.length > 0 ? ` (${narrowed.join(', ')})` : '');
}

/** Whether no searched deposit has a hash or an address, or none has an address. */
function carriesNothing(
  covered: readonly Covered[],
  what: 'carriesHashes' | 'carriesAddresses' = 'carriesHashes',
): boolean {
  return covered.some((each) => each.kind === 'deposit' && each.rows > each.unsearchable && !each[what]);
}

/** Whether no deposit carries a hash or an address to compare with. */
function asksForAmount({ exact, amount }: Find['wanted'], { covered }: Scan): boolean {
  return exact?.some((id) => classifyQuery(id) === null) === true && !amount && carriesNothing(covered);
}

/** Deposits without hashes can be found by amount instead. */
function ByAmount({ onText, assets }: { onText: (text: string) => void; assets: readonly string[] }) {
  const { control, setValue, handleSubmit } = useForm({
    defaultValues: { amount: '', asset: assets[0] ?? '', day: '' },
  });
  const asset = useWatch({ control, name: 'asset' });
  const search = handleSubmit(({ amount, day }) => onText(`${amount} ${asset} ${day}`.trim()));
  return (
    <form onSubmit={(event) => void search(event)}>
      <p className="sub">
        This provider’s deposits carry no transaction hash or address. Search by amount and day instead:
      </p>
      <div className="mt-2 flex flex-wrap items-end gap-2 [&>.field]:min-w-32 [&>.field]:flex-1">
        <FormText label="Amount" required control={control} name="amount" inputMode="decimal" />
        <SelectField
          label="Asset"
          value={asset}
          options={assets.map((value) => ({ value, label: visibleCode(value) }))}
          onChange={(next) => setValue('asset', next)}
          isExact
        />
        <FormText label="Day" hint="(optional)" control={control} name="day" placeholder="yesterday, 21 Nov" />
        <Button type="submit" variant="primary">
          Search
        </Button>
      </div>
    </form>
  );
}
