import { CircleQuestionMark, TriangleAlert } from 'lucide-react';
import { type CSSProperties, useState } from 'react';
import { Link } from 'react-router';
import { checkIdentity } from '#src/api/balanceIdentity.ts';
import type { BalanceRow } from '#src/api/schemas.ts';
import { paths } from '#src/lib/paths.ts';
import { age, isPlausibleTime } from '#src/lib/time.ts';
import { Amount } from '#src/ui/Amount.tsx';
import { Field, inputClass } from '#src/ui/Field.tsx';
import { integerWidth } from '#src/ui/integerWidth.ts';
import { UntrustedText } from '#src/ui/UntrustedText.tsx';
import { Time } from '#src/ui/Time.tsx';
import { ShareBar } from './ShareBar.tsx';

interface BalanceTableProps {
  balances: readonly BalanceRow[];
  now: number;
}

/** Many assets: one row each, the rest on the asset's page, and a field to find one. */
export function BalanceTable({ balances, now }: BalanceTableProps) {
  const [find, setFind] = useState('');
  const wanted = find.trim().toLowerCase();
  const shown = balances.filter(({ asset }) => asset.toLowerCase().includes(wanted));
  const column = (field: 'available' | 'total'): CSSProperties => ({
    '--int': integerWidth(balances.map((balance) => balance[field])).css,
  });
  const available = column('available');
  const total = column('total');
  return (
    <>
      <div className="balance-find">
        <Field label="Find an asset">
          {(control) => (
            <input
              {...control}
              className={inputClass}
              type="search"
              value={find}
              onChange={(event) => setFind(event.target.value)}
              autoComplete="off"
              spellCheck={false}
            />
          )}
        </Field>
        <output className="small sub">
          {wanted === '' ? `${balances.length} assets` : `${shown.length} of ${balances.length} assets`}
        </output>
      </div>
      {shown.length > 0 && (
        <table className="grid-table labelled balance-table" aria-label="Balances">
          <thead>
            <tr>
              <th scope="col">Asset</th>
              <th scope="col" className="cash" style={available}>
                <span>Available</span>
              </th>
              <th scope="col" className="cash" style={total}>
                <span>Total</span>
              </th>
              <th scope="col">Parts</th>
              <th scope="col">Age</th>
            </tr>
          </thead>
          <tbody>
            {shown.map((balance) => (
              <Row key={balance.asset} balance={balance} now={now} available={available} total={total} />
            ))}
          </tbody>
        </table>
      )}
      {shown.length === 0 && (
        <div className="blank">
          <p>No asset of this account has “{find.trim()}” in its code.</p>
        </div>
      )}
    </>
  );
}

interface RowProps {
  balance: BalanceRow;
  now: number;
  available: CSSProperties;
  total: CSSProperties;
}

function Row({ balance, now, available, total }: RowProps) {
  const identity = checkIdentity(balance);
  const compared = identity.kind === 'broken';
  return (
    <tr>
      <th scope="row">
        <Link to={paths.balance(balance.asset)}>
          <UntrustedText value={balance.asset} max={24} />
        </Link>
      </th>
      <td className="cash" style={available} data-label="Available">
        <Amount value={balance.available} asset={balance.asset} compared={compared} />
      </td>
      <td className="cash" style={total} data-label="Total">
        <Amount value={balance.total} asset={balance.asset} compared={compared} />
        {compared && (
          <span className="text-alarm font-semibold">
            {' '}
            <TriangleAlert className="icon-s" aria-hidden /> Does not add up
          </span>
        )}
        {identity.kind === 'not-checkable' && (
          <span className="text-open">
            {' '}
            <CircleQuestionMark className="icon-s" aria-hidden /> Cannot be checked
          </span>
        )}
      </td>
      <td className="share-cell" data-label="Parts">
        <ShareBar balance={balance} />
      </td>
      <td className="sub" data-label="Age">
        {isPlausibleTime(balance.updated_at) ? (
          <span data-tip-unix={balance.updated_at}>{age(balance.updated_at, now)}</span>
        ) : (
          <Time unix={balance.updated_at} />
        )}
      </td>
    </tr>
  );
}
