import { CircleCheck } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import { Link } from 'react-router';
import { checkIdentity, type Part, PARTS } from '#src/api/balanceIdentity.ts';
import type { OpenPayments } from '#src/api/openPayments.ts';
import { type PaymentKind, PAYMENTS } from '#src/api/payments.ts';
import type { BalanceRow } from '#src/api/schemas.ts';
import { isAmount, isZero } from '#src/lib/amount.ts';
import { counted } from '#src/lib/count.ts';
import { equal, sum } from '#src/lib/money.ts';
import { isSearchText } from '#src/lib/searchParams.ts';
import { isPlausibleTime } from '#src/lib/time.ts';
import { usePaymentNames } from '#src/list/paymentNames.ts';
import { Amount } from '#src/ui/Amount.tsx';
import { integerWidth } from '#src/ui/integerWidth.ts';
import { useSession } from '#src/api/session.ts';
import { IdentityNote, LABELS } from './BalanceBreakdown.tsx';
import { PartKey, ShareBar } from './ShareBar.tsx';

interface AssetPartsProps {
  balance: BalanceRow;
  requestId: string | null;
  deposits: OpenPayments | undefined;
  withdrawals: OpenPayments | undefined;
  /** Whether the ledger's entries make the total; null: not known. */
  isLedger: boolean | null;
}

/** The parts of a balance: how much, and which payments they are. */
export function AssetParts({ balance, requestId, deposits, withdrawals, isLedger }: AssetPartsProps) {
  const id = useId();
  const identity = checkIdentity(balance);
  const compared = identity.kind === 'broken';
  const values = [...PARTS.map((part) => balance[part]), balance.total];
  const why: Record<Part, ReactNode> = {
    available: isAmount(balance.available) && isZero(balance.available) ? '' : 'Can be sent now',
    pending: <Made of="deposit" amount={balance.pending} balance={balance} read={deposits} />,
    locked: <Made of="withdrawal" amount={balance.locked} balance={balance} read={withdrawals} />,
  };
  return (
    <section className="parts" aria-label={`Balance of ${balance.asset}`}>
      <ShareBar balance={balance} figures={id} className="h-3 w-full" />
      <table id={id} style={{ '--int': integerWidth(values, 48).css }} aria-label={`Balance of ${balance.asset}`}>
        <tbody>
          {PARTS.map((part) => (
            <tr key={part}>
              <th scope="row">
                <PartKey part={part} /> {LABELS[part]}
              </th>
              <td className="cash">
                <Amount value={balance[part]} asset={balance.asset} compared={compared} />
              </td>
              <td className="why">{why[part]}</td>
            </tr>
          ))}
          <tr className="tot">
            <th scope="row">Total</th>
            <td className="cash">
              <Amount value={balance.total} asset={balance.asset} compared={compared} />
            </td>
            <td className="why">
              {identity.kind === 'holds' && (
                <>
                  <CircleCheck className="icon-s text-proof" aria-hidden /> Adds up
                  {isLedger === true && ', and equals the ledger'}
                  {isLedger === false && <span className="text-open">; the ledger differs or is newer</span>}
                </>
              )}
            </td>
          </tr>
        </tbody>
      </table>
      <IdentityNote identity={identity} asset={balance.asset} requestId={requestId} />
    </section>
  );
}

interface MadeProps {
  of: PaymentKind;
  amount: unknown;
  balance: BalanceRow;
  read: OpenPayments | undefined;
}

/** Which payments a part is made of, and whether they make exactly that. */
function Made({ of, amount, balance: { asset, updated_at: updated }, read }: MadeProps) {
  const name = usePaymentNames(useSession().account);
  if (read === undefined || !isAmount(amount)) return null;
  const { open, partly } = read;
  if (open.length === 0) return isZero(amount) ? null : `No open ${PAYMENTS[of].noun.one} explains it`;
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
      {link} make <Amount value={made} compared flow />, which differs
    </span>
  );
}
