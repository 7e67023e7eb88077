import { BookOpen } from 'lucide-react';
import { Link } from 'react-router';
import { paths } from '#src/lib/paths.ts';
import { isSearchText } from '#src/lib/searchParams.ts';

/** The way to the ledger entries behind a deposit or a withdrawal. */
export function LedgerLink({ of, id }: { of: 'deposit' | 'withdrawal'; id: string }) {
  if (!isSearchText(id)) return null;
  return (
    <Link to={paths.ledger(new URLSearchParams({ source: id }))}>
      <BookOpen className="icon-s" aria-hidden /> Ledger entries of this {of}
    </Link>
  );
}
