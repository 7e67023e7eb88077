import type { BalanceRow } from '#src/api/schemas.ts';
import { Amount } from '#src/ui/Amount.tsx';
import { integerWidth } from '#src/ui/integerWidth.ts';
import { Notice } from '#src/ui/Notice.tsx';
import { UntrustedText } from '#src/ui/UntrustedText.tsx';
import { checkIdentity, type Identity, PARTS } from '#src/api/balanceIdentity.ts';

export const LABELS = { available: 'Available', pending: 'Pending', locked: 'Locked' } as const;

/** In em: an account with an amount this long has the whole line. */
const FULL_LINE = 48;

interface BalanceBreakdownProps {
  balance: BalanceRow;
  requestId: string | null;
  /** Of the table, for what shows the same as a picture. */
  id?: string;
}

/** One account: the parts summed downwards, closed by the double rule, and the sum checked. */
export function BalanceBreakdown({ balance, requestId, id }: BalanceBreakdownProps) {
  const identity = checkIdentity(balance);
  const compared = identity.kind === 'broken';
  const values = [...PARTS.map((part) => balance[part]), balance.total];
  return (
    <>
      <table
        className="sum"
        id={id}
        style={{ '--int': integerWidth(values, FULL_LINE).css }}
        aria-label={`Balance of ${balance.asset}`}
      >
        <tbody>
          {PARTS.map((part) => (
            <tr key={part}>
              <th scope="row">{LABELS[part]}</th>
              <td>
                <Amount value={balance[part]} asset={balance.asset} compared={compared} />
              </td>
            </tr>
          ))}
          <tr className="tot">
            <th scope="row">Total</th>
            <td>
              <Amount value={balance.total} asset={balance.asset} compared={compared} />
            </td>
          </tr>
        </tbody>
      </table>
      <IdentityNote identity={identity} asset={balance.asset} requestId={requestId} />
    </>
  );
}

/** What is wrong with a sum, in words. */
export function IdentityNote({
  identity,
  asset,
  requestId,
}: {
  identity: Identity;
  asset: string;
  requestId: string | null;
}) {
  if (identity.kind === 'holds') return null;
  const request = requestId !== null && (
    <span className="mono">
      <UntrustedText value={requestId} max={80} />
    </span>
  );
  if (identity.kind === 'broken') {
    return (
      <Notice tone="alarm" title="Doesn’t add up.">
        The three parts make <Amount value={identity.sum} asset={asset} compared flow />. Shown as received. {request}
      </Notice>
    );
  }
  return (
    <Notice tone="open" title="The sum can’t be checked.">
      {identity.fields.join(', ')} {identity.fields.length === 1 ? 'is' : 'are'} not a decimal string. Shown as
      received. {request}
    </Notice>
  );
}
