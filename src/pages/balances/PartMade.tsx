import { Link } from 'react-router';
import type { OpenPayments } from '#src/api/operations/openPayments.ts';
import { type PaymentKind, PAYMENTS } from '#src/api/payments.ts';
import type { BalanceRow } from '#src/api/schemas.ts';
import { useSession } from '#src/api/session.ts';
import { isAmount, isZero } from '#src/lib/amount.ts';
import { counted } from '#src/lib/count.ts';
import { equal, sum } from '#src/lib/money.ts';
import { isSearchText } from '#src/lib/searchParams.ts';
import { isPlausibleTime } from '#src/lib/time.ts';
import { usePaymentNames } from '#src/list/paymentNames.ts';
import { Amount } from '#src/ui/Amount.tsx';

interface PartMadeProps {
  of: PaymentKind;
  amount: unknown;
  balance: BalanceRow;
  read: OpenPayments | undefined;
}

/** Which payments a part is made of, and whether they make exactly that. */
export function PartMade({ of, amount, balance: { asset, updated_at: updated }, read }: PartMadeProps) {
  const name = usePaymentNames(useSession().account);
  if (read === undefined || !isAmount(amount)) return null;
  const { open, partly } = read;
  if (open.length === 0)
    return isZero(amount) ? null : `No open ${PAYMENTS[of].noun.one} found. Balances can be a few seconds behind.`;
  const made = sum(open.map((row) => row.amount).filter(isAmount));
  const isWhole = partly.length === 0 && open.every((row) => isAmount(row.amount));
  const { one, many } = PAYMENTS[of].noun;
  const statuses = [...new Set(open.map(({ status }) => status ?? ''))];
  const search = new URLSearchParams({
    asset,
    ...(statuses.length === 1 && isSearchText(statuses[0] ?? '') ? { status: statuses[0] ?? '' } : {}),
  });
  const link = <Link to={PAYMENTS[of].list(search)}>{counted(open.length, one, many)}</Link>;
  if (isWhole && equal(made, amount))
    return (
      <>
        = {link}
        {open.length === 1 && open[0] ? ` ${name(open[0])}` : ', not final yet'}
      </>
    );
  // A snapshot that is older than a payment cannot speak of it.
  const isLate = open.some(({ created_at: at }) => !isPlausibleTime(at) || !isPlausibleTime(updated) || at > updated);
  if (!isWhole || isLate) return <>{link}, not final yet</>;
  return (
    <span className="text-open">
      {link} {open.length === 1 ? 'makes' : 'make'} <Amount value={made} compared flow />. Balances can be a few seconds
      behind.
    </span>
  );
}
