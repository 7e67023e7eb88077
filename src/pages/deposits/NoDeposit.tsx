import type { DepositLookup } from '#src/api/findDeposit.ts';
import { Button } from '#src/ui/Button.tsx';
import { RawText } from '#src/ui/RawText.tsx';

interface NoDepositProps {
  id: string;
  lookup: Extract<DepositLookup, { found: false }>;
  reading: boolean;
  onReadAgain: () => void;
}

/** What was looked at, and what that does not prove. */
export function NoDeposit({ id, lookup: { scanned, complete, requestId }, reading, onReadAgain }: NoDepositProps) {
  const rows = `${scanned.toLocaleString()} ${scanned === 1 ? 'row' : 'rows'}`;
  return (
    <>
      <h3>Not found in the list</h3>
      <p className="mono">
        <RawText value={id} max={160} />
      </p>
      <p>
        The service has no look-up of one deposit, so the list was searched:{' '}
        {complete ? `all ${rows} of it` : `the place where this id would stand, and the newest ${rows}`}. That is no
        proof that it does not exist: it may belong to another account{complete ? '' : ', stand further down'} or not be
        listed yet.
      </p>
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
      </div>
    </>
  );
}
