import { groupBy } from '#src/shared/groupBy.ts';
import { sum } from '#src/shared/money.ts';
import { destinationForm, sameAmount } from '#src/shared/operations/compare.ts';
import type { WithdrawalFields } from '#src/shared/operations/kind.ts';
import { searchForm, shorten } from '#src/shared/text.ts';

export interface DifferencePayment {
  recipient: string | null;
  fields: WithdrawalFields;
}

/** A recipient's payments of one asset. `before`, `now`: sums; null if there are none. */
export interface RecipientDifference {
  /** The name, or the short address. */
  who: string;
  asset: string;
  before: string | null;
  now: string | null;
  isOtherAddress: boolean;
}

/** How a batch differs from an earlier one, by recipient and asset. A recipient of the same name is the same one. */
export function batchDifference(
  now: readonly DifferencePayment[],
  before: readonly DifferencePayment[],
): RecipientDifference[] {
  const groups = [groupBy(before, recipientOf), groupBy(now, recipientOf)] as const;
  const keys = new Set(groups.flatMap((group) => [...group.keys()]));
  return [...keys].flatMap((key) => {
    const [old = [], current = []] = groups.map((group) => group.get(key) ?? []);
    const [sample] = [...current, ...old];
    if (sample === undefined) return [];
    const total = (payments: readonly DifferencePayment[]): string | null =>
      payments.length === 0 ? null : sum(payments.map(({ fields }) => fields.amount));
    const oldDestinations = new Set(old.map(({ fields }) => destinationForm(fields)));
    const isOtherAddress =
      old.length > 0 && current.some(({ fields }) => !oldDestinations.has(destinationForm(fields)));
    const difference = {
      who: sample.recipient ?? shorten(sample.fields.address),
      asset: sample.fields.asset,
      before: total(old),
      now: total(current),
      isOtherAddress,
    };
    return isOtherAddress || !sameAmount(difference.before, difference.now) ? [difference] : [];
  });
}

function recipientOf({ recipient, fields }: DifferencePayment): string {
  return JSON.stringify(
    recipient === null
      ? ['at', destinationForm(fields)]
      : ['named', searchForm(recipient.trim()), fields.asset.toLowerCase()],
  );
}
