// How much each recipient got: the addresses of a count, grouped by the recipients' names.
import { compareAmounts } from '#src/shared/amount.ts';
import { addressKey } from '#src/shared/chains/lookAlike.ts';
import { add } from '#src/shared/money.ts';
import { paths } from '#src/shared/paths.ts';
import { searchForm, shorten } from '#src/shared/text.ts';
import type { KnownRecipient } from '#src/web/api/recipients.ts';
import type { Measure } from './bins.ts';
import { type Counted, type CountedPart, NO_PART, type RecipientTally } from './counted.ts';

export interface RecipientBar extends CountedPart {
  name: string;
  /** The recipient's page, or the withdrawals to an address that is not saved. */
  to: string;
}

/** Completed rows per recipient, the largest first. A recipient without completed rows gets no bar. */
export function recipientBars(
  { recipients }: Counted,
  saved: readonly KnownRecipient[],
  what: Measure,
): RecipientBar[] {
  const names = new Map(saved.map((entry) => [addressKey(entry), entry]));
  const bars = new Map<string, RecipientBar>();
  for (const [key, tally] of recipients) {
    const entry = names.get(key);
    const { rows, sum } = completed(tally, what);
    if (rows === 0) continue;
    const group = entry === undefined ? key : searchForm(entry.name);
    const bar = bars.get(group) ?? { ...NO_PART, ...labelOf(tally, entry) };
    bars.set(group, { ...bar, rows: bar.rows + rows, sum: add(bar.sum, sum) });
  }
  const bySize = (a: RecipientBar, b: RecipientBar) =>
    what.kind === 'count' ? b.rows - a.rows : compareAmounts(b.sum, a.sum);
  return [...bars.values()].sort(bySize);
}

function completed({ byAsset }: RecipientTally, what: Measure): CountedPart {
  if (what.kind === 'amount') return byAsset.get(what.asset)?.done ?? NO_PART;
  // A sum over several assets has no meaning, so only the rows are counted.
  return { rows: [...byAsset.values()].reduce((rows, { done }) => rows + done.rows, 0), sum: '0' };
}

function labelOf({ address }: RecipientTally, entry: KnownRecipient | undefined): Pick<RecipientBar, 'name' | 'to'> {
  if (entry) return { name: entry.name, to: paths.recipient(entry.id) };
  return { name: shorten(address), to: paths.withdrawals(new URLSearchParams({ to: address })) };
}
