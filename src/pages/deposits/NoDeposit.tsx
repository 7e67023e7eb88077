import type { DepositLookup } from '#src/api/findDeposit.ts';
import { paths } from '#src/lib/paths.ts';
import { CaseFileLink } from '#src/list/CaseFileLink.tsx';
import { Button } from '#src/ui/Button.tsx';
import { RawText } from '#src/ui/RawText.tsx';
import { searchedWords } from './searched.ts';

interface NoDepositProps {
  id: string;
  lookup: Extract<DepositLookup, { found: false }>;
  reading: boolean;
  onReadAgain: () => void;
}

/** What was looked at, and what that does not prove. */
export function NoDeposit({ id, lookup, reading, onReadAgain }: NoDepositProps) {
  const { requestId } = lookup;
  return (
    <>
      <h3>Not found in the list</h3>
      <p className="mono">
        <RawText value={id} max={160} />
      </p>
      <p>{searchedWords(lookup)}</p>
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
        <CaseFileLink pathOf={paths.depositCase} id={id} />
      </div>
    </>
  );
}
