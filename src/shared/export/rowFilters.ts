import { compareAmounts, isAmount } from '#src/shared/amount.ts';
import { isSameAddress } from '#src/shared/chains/lookAlike.ts';
import type { RowFilter } from '#src/shared/contract/jobsContract.ts';
import { chainForm } from '#src/shared/chains/names.ts';
import { textOrNull } from '#src/shared/text.ts';

type Row = Readonly<Record<string, unknown>>;

/** Filters that the provider doesn't have: whether a row matches. `amount`: the amount in the row's own field. */
export const ROW_FILTERS: Record<RowFilter, (wanted: string, row: Row, amount: unknown) => boolean> = {
  chain: (chain, row) => chainForm(textOrNull(row['chain']) ?? '') === chainForm(chain),
  to: (address, row) => isSameAddress(textOrNull(row['chain']) ?? '', textOrNull(row['address']) ?? '', address),
  min_amount: (least, _, amount) => isAmount(amount) && compareAmounts(amount, least) >= 0,
  max_amount: (most, _, amount) => isAmount(amount) && compareAmounts(amount, most) <= 0,
};
