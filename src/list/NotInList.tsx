import type { ReactNode } from 'react';
import type { NoRow } from '#src/api/findRow.ts';
import { Button } from '#src/ui/Button.tsx';
import { RawText } from '#src/ui/RawText.tsx';
import { searchedWords } from './searched.ts';

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
      <p>{searchedWords(noun, lookup)}</p>
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
