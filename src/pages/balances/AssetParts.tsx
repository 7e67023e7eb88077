import { CircleCheck } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import { checkIdentity, type Part, PARTS } from '#src/api/balanceIdentity.ts';
import type { OpenPayments } from '#src/api/openPayments.ts';
import type { BalanceRow } from '#src/api/schemas.ts';
import { isAmount, isZero } from '#src/lib/amount.ts';
import { Amount } from '#src/ui/Amount.tsx';
import { useLoaded } from '#src/ui/useLoaded.ts';
import { integerWidth } from '#src/ui/integerWidth.ts';
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

/** Names of people and chains are read after the figures. */
const loadMade = () => import('./PartMade.tsx');

/** The parts of a balance: how much, and which payments they are. */
export function AssetParts({ balance, requestId, deposits, withdrawals, isLedger }: AssetPartsProps) {
  const id = useId();
  const made = useLoaded(loadMade).value;
  const identity = checkIdentity(balance);
  const compared = identity.kind === 'broken';
  const values = [...PARTS.map((part) => balance[part]), balance.total];
  const why: Record<Part, ReactNode> = {
    available: isAmount(balance.available) && isZero(balance.available) ? '' : 'Can be sent now',
    pending: made && <made.PartMade of="deposit" amount={balance.pending} balance={balance} read={deposits} />,
    locked: made && <made.PartMade of="withdrawal" amount={balance.locked} balance={balance} read={withdrawals} />,
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
