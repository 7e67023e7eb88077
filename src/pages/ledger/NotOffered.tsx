import { Link } from 'react-router';
import { PATHS } from '#src/api/contract.ts';
import { paths } from '#src/lib/paths.ts';

/** Instead of a ledger that the service does not have. */
export function NotOffered({ status }: { status: number | null }) {
  return (
    <div className="page-body">
      <p className="list-note">
        This service does not offer its ledger: it answered {status} to GET {PATHS.ledgerEntries}. What came in and went
        out is in <Link to={paths.deposits()}>Deposits</Link> and <Link to={paths.withdrawals()}>Withdrawals</Link>.
      </p>
    </div>
  );
}
