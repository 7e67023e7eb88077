import { Link } from 'react-router';
import { counted, numberWords } from '#src/lib/count.ts';
import { paths } from '#src/lib/paths.ts';
import { Amount } from '#src/ui/Amount.tsx';
import { Time } from '#src/ui/Time.tsx';
import { UntrustedText } from '#src/ui/UntrustedText.tsx';
import type { Adjustment, Checked } from './known.ts';
import { amountOf, type ListName, stateOf } from './rows.ts';

const SHOWN = 50;

const PATHS: Record<ListName, (id: string) => string> = {
  deposits: paths.deposit,
  withdrawals: paths.withdrawal,
  ledger: paths.ledgerEntry,
};
const NOUNS: Record<ListName, [one: string, many: string]> = {
  deposits: ['deposit', 'deposits'],
  withdrawals: ['withdrawal', 'withdrawals'],
  ledger: ['ledger entry', 'ledger entries'],
};

/** "4,310 deposits, 200 withdrawals" */
export function checkedWords({ rows }: Pick<Checked, 'rows'>): string {
  return (['deposits', 'withdrawals', 'ledger'] as const)
    .flatMap((list) => (rows[list] === undefined ? [] : [counted(rows[list], ...NOUNS[list])]))
    .join(', ');
}

/** What belongs to a closed period and is in none, by name. */
export function FoundRows({ adjustments }: { adjustments: readonly Adjustment[] }) {
  const isPayment = ({ list }: Adjustment): boolean => list !== 'ledger';
  const payments = adjustments.filter(isPayment);
  const known = new Set(payments.map(({ id }) => id));
  // The entries of a payment that is named already say nothing more.
  const entries = adjustments.filter((each) => each.list === 'ledger' && !known.has(String(each.row['source'])));
  const all = [...payments, ...entries];
  return (
    <>
      <ul className="found-rows">
        {all.slice(0, SHOWN).map((adjustment) => (
          <li key={`${adjustment.list} ${adjustment.id}`}>
            <Row adjustment={adjustment} />
          </li>
        ))}
      </ul>
      {all.length > SHOWN && (
        <p className="small sub">
          The first {SHOWN} of {numberWords(all.length)}; adjustments.csv of the statement has them all.
        </p>
      )}
    </>
  );
}

function Row({ adjustment: { list, what, id, was, row } }: { adjustment: Adjustment }) {
  return (
    <>
      <Link className="id" to={PATHS[list](id)}>
        <UntrustedText value={id} max={40} />
      </Link>{' '}
      <Time unix={row.created_at} /> <Amount value={amountOf(list, row)} asset={row.asset?.slice(0, 20)} flow />{' '}
      {what === 'late' ? (
        `${NOUNS[list][0]} not in a statement`
      ) : (
        <>
          now <UntrustedText value={stateOf(list, row)} max={40} />, was <UntrustedText value={was ?? ''} max={40} />
        </>
      )}
    </>
  );
}
