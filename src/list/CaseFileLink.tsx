import { FolderOpen } from 'lucide-react';
import { Link, useLocation } from 'react-router';
import { buttonClass } from '#src/ui/Button.tsx';

interface CaseFileLinkProps {
  pathOf: (id: string, search: string) => string;
  id: string;
}

/** The way to everything known of it on one printable page; the list's filters come along, for the way back. */
export function CaseFileLink({ pathOf, id }: CaseFileLinkProps) {
  const { search } = useLocation();
  return (
    <Link to={pathOf(id, search)} className={buttonClass()}>
      <FolderOpen className="icon-s" aria-hidden /> Case file
    </Link>
  );
}
