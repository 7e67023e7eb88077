import type { NoRow } from '#src/api/findRow.ts';
import { Button } from '#src/ui/Button.tsx';
import { RawText } from '#src/ui/RawText.tsx';

interface NoEntryProps {
  id: string;
  lookup: NoRow;
  reading: boolean;
  onReadAgain: () => void;
}

/** What was looked at, and what that does not prove. */
export function NoEntry({ id, lookup: { scanned, complete }, reading, onReadAgain }: NoEntryProps) {
  const rows = `${scanned.toLocaleString()} ${scanned === 1 ? 'entry' : 'entries'}`;
  return (
    <>
      <h3>Not found in the ledger</h3>
      <p className="mono">
        <RawText value={id} max={160} />
      </p>
      <p>
        The ledger has no look-up of one entry, so its list was searched:{' '}
        {complete ? `all ${rows} of it` : `the place where this id would stand, and the newest ${rows}`}. That is no
        proof that it does not exist: it may belong to another account{complete ? '' : ', stand further down'} or not be
        listed yet.
      </p>
      <div className="acts-row">
        <Button onClick={onReadAgain} disabledReason={reading ? 'Looking again' : undefined}>
          Look again
        </Button>
      </div>
    </>
  );
}
