import type { ReactNode } from 'react';
import type { NoRow } from '#src/api/findRow.ts';
import { counted } from '#src/lib/count.ts';
import { Button } from '#src/ui/Button.tsx';
import { RawText } from '#src/ui/RawText.tsx';

interface NotInListProps {
  id: string;
  /** What was looked for: "deposit". */
  noun: string;
  lookup: NoRow;
  reading: boolean;
  onReadAgain: () => void;
  /** Further acts. */
  children?: ReactNode;
}

/** What was looked at for an id of which there is no look-up, and what that does not prove. */
export function NotInList({ id, noun, lookup, reading, onReadAgain, children }: NotInListProps) {
  const { requestId } = lookup;
  return (
    <>
      <h3>Not found in the list</h3>
      <p className="mono">
        <RawText value={id} max={160} />
      </p>
      <p>{notFoundText(noun, lookup)}</p>
      {requestId !== null && (
        <p className="small sub">
          Request{' '}
          <span className="mono">
            <RawText value={requestId} max={80} />
          </span>
        </p>
      )}
      <div className="acts-row">
        <Button onClick={onReadAgain} disabledReason={reading ? 'Looking again' : undefined}>
          Look again
        </Button>
        {children}
      </div>
    </>
  );
}

/** What was looked at without finding one of these ("deposit"), and what that does not prove. */
export function notFoundText(noun: string, { scanned, complete }: Pick<NoRow, 'scanned' | 'complete'>): string {
  const rows = counted(scanned, 'row', 'rows');
  const where = complete ? `all ${rows} of it` : `the place where this id would stand, and the newest ${rows}`;
  return `The service has no look-up of one ${noun}, so the list was searched: ${where}. That is no proof that it does not exist: it may belong to another account${complete ? '' : ', stand further down'} or not be listed yet.`;
}
