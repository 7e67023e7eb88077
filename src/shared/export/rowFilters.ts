import { compareAmounts, isAmount } from '#src/shared/amount.ts';
import { isSameAccount } from '#src/shared/chains/lookAlike.ts';
import { chainForm } from '#src/shared/chains/names.ts';
import { textOrNull } from '#src/shared/text.ts';

type Row = Readonly<Record<string, unknown>>;

/** Filters that the provider doesn't have: whether a row matches. */
export const ROW_FILTERS = {
  chain: (chain: string, row: Row) => chainForm(textOrNull(row['chain']) ?? '') === chainForm(chain),
  to: (address: string, row: Row) =>
    isSameAccount(textOrNull(row['chain']) ?? '', textOrNull(row['address']) ?? '', address),
  min_amount: (least: string, _: Row, amount: unknown) => isAmount(amount) && compareAmounts(amount, least) >= 0,
  max_amount: (most: string, _: Row, amount: unknown) => isAmount(amount) && compareAmounts(amount, most) <= 0,
};
