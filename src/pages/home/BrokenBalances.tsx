import { Link } from 'react-router';
import { PARTS, checkIdentity } from '#src/api/balanceIdentity.ts';
import { allBalances, type Balances } from '#src/api/balances.ts';
import type { BalanceRow } from '#src/api/schemas.ts';
import { counted } from '#src/lib/count.ts';
import { stringifyExact } from '#src/lib/exactJson.ts';
import { paths } from '#src/lib/paths.ts';
import { StaleBar } from '#src/list/StaleBar.tsx';
import { Amount } from '#src/ui/Amount.tsx';
import { UntrustedText } from '#src/ui/UntrustedText.tsx';
import { Failed, HomeSection, Reading } from './HomeSection.tsx';

interface BrokenBalancesProps {
  balances: Balances | undefined;
  error: Error | null;
  reading: boolean;
  onReadAgain: () => void;
}

/** Balances whose total is not available + pending + locked (contract 2.1). */
export function BrokenBalances({ balances, error, reading, onReadAgain }: BrokenBalancesProps) {
  return (
    <HomeSection title="Balances that do not add up">
      {balances === undefined ? (
        error === null ? (
          <Reading what="balances" />
        ) : (
          <Failed what="balances" error={error} reading={reading} onRetry={onReadAgain} />
        )
      ) : (
        <>
          {error !== null && <StaleBar error={error} readAt={balances.readAt} onReadAgain={onReadAgain} />}
          <Checked balances={balances} />
        </>
      )}
    </HomeSection>
  );
}

function Checked({ balances: read }: { balances: Balances }) {
  const { complete, broken: reason, malformed } = read;
  const balances = allBalances(read);
  const kinds = balances.map((balance) => ({ balance, ...checkIdentity(balance) }));
  const broken = kinds.filter(({ kind }) => kind === 'broken');
  const unchecked = kinds.filter(({ kind }) => kind === 'not-checkable');
  const whole = complete && malformed.length === 0;
  return (
    <>
      {broken.length > 0 && <BrokenTable balances={broken.map(({ balance }) => balance)} />}
      {unchecked.length > 0 && (
        <p className="home-line">
          Cannot be checked, because an amount is no decimal string:{' '}
          {unchecked.map(({ balance }, at) => (
            <span key={stringifyExact(balance)}>
              {at > 0 && ', '}
              <Link to={paths.balance(balance.asset)}>
                <UntrustedText value={balance.asset} max={24} />
              </Link>
            </span>
          ))}
          .
        </p>
      )}
      {!whole && (
        <p className="home-line">
          {reason !== null && (
            <>
              <UntrustedText value={reason} />{' '}
            </>
          )}
          {malformed.length > 0 && `${counted(malformed.length, 'entry is', 'entries are')} no balance. `}
          Other balances may exist that were not checked.
        </p>
      )}
      {broken.length === 0 && unchecked.length === 0 && <p className="home-line sub">{calm(balances.length, whole)}</p>}
    </>
  );
}

function calm(count: number, whole: boolean): string {
  if (count === 0) return whole ? 'This account has no balances.' : 'No balance was read.';
  const sums = count === 1 ? 'The one balance adds up' : `${whole ? 'All' : 'The'} ${count} balances add up`;
  return `${sums}: total is available + pending + locked.`;
}

const labels = { available: 'Available', pending: 'Pending', locked: 'Locked', total: 'Total' } as const;
const fields = [...PARTS, 'total'] as const;

function BrokenTable({ balances }: { balances: readonly BalanceRow[] }) {
  return (
    <div className="table-scroll">
      <table className="grid-table labelled home-table" aria-label="Balances that do not add up">
        <thead>
          <tr>
            <th scope="col">Asset</th>
            {fields.map((field) => (
              <th scope="col" key={field} className={field === 'available' || field === 'total' ? 'cash' : undefined}>
                {labels[field]}
              </th>
            ))}
            <th scope="col">The parts make</th>
          </tr>
        </thead>
        <tbody>
          {balances.map((balance) => {
            const identity = checkIdentity(balance);
            return (
              <tr key={stringifyExact(balance)}>
                <th scope="row">
                  <Link to={paths.balance(balance.asset)}>
                    <UntrustedText value={balance.asset} max={24} />
                  </Link>
                </th>
                {fields.map((field) => (
                  <td
                    key={field}
                    data-label={labels[field]}
                    className={field === 'available' || field === 'total' ? 'cash' : undefined}
                  >
                    <Amount value={balance[field]} compared flow />
                  </td>
                ))}
                <td data-label="The parts make" className="home-alarm">
                  {identity.kind === 'broken' && <Amount value={identity.sum} compared flow />}
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}
