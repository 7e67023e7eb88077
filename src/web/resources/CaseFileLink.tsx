import { FolderOpen } from 'lucide-react';
import { Link, useLocation } from 'react-router';
import { rowPath } from '#src/shared/paths.ts';
import { buttonClass } from '#src/web/ui/Button.tsx';

/** Link to the case file. It keeps the list's filters for the way back. */
export function CaseFileLink({ at, id, size, keys }: { at: string; id: string; size?: 'small'; keys?: string }) {
  const { search } = useLocation();
  return (
    <Link to={rowPath(at, id, search, '/case-file')} className={buttonClass('plain', size)} data-keys={keys}>
      <FolderOpen className="icon-s" aria-hidden /> Case file
    </Link>
  );
}
