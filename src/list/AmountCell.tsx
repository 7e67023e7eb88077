import { isAmount } from '#src/lib/amount.ts';
import { Amount } from '#src/ui/Amount.tsx';
import { AMOUNT_MAX } from './amountWidth.ts';
import { RowLink } from './RowLink.tsx';

interface AmountCellProps {
  id: string;
  amount: unknown;
  asset: string | null;
  /** A movement: says plus as well as minus. */
  signed?: boolean;
}

/** Characters, asset included, that stand beside a status on a card. */
const TIGHT = 28;

/** Every digit of an amount; one that no row can hold is not cut but stands on the row's own page. */
export function AmountCell({ id, amount, asset, signed = false }: AmountCellProps) {
  if (isAmount(amount) && amount.length > AMOUNT_MAX) {
    return (
      <RowLink id={id} className="too-long">
        An amount of {amount.length} characters
      </RowLink>
    );
  }
  const tight = isAmount(amount) && amount.length + (asset?.length ?? 0) > TIGHT;
  return (
    <span className={tight ? 'money tight' : 'money'}>
      <Amount value={amount} asset={asset === null ? undefined : clip(asset)} signed={signed} />
    </span>
  );
}

function clip(asset: string): string {
  return asset.length > 12 ? `${asset.slice(0, 11)}…` : asset;
}
