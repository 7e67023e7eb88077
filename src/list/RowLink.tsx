import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { useListPlace } from './listContext.ts';

interface RowLinkProps {
  id: string;
  className?: string;
  children: ReactNode;
}

/** The link of a row; the list's filters come along, so that the way back is the same list. */
export function RowLink({ id, className, children }: RowLinkProps) {
  const { hrefOf } = useListPlace();
  return (
    <Link to={hrefOf(id)} className={className} data-row-link>
      {children}
    </Link>
  );
}
