import { counted } from '#src/lib/count.ts';
import { TeamProblem } from '#src/list/TeamProblem.tsx';
import { Amount } from '#src/ui/Amount.tsx';
import { Button } from '#src/ui/Button.tsx';
import { Dialog } from '#src/ui/Dialog.tsx';
import { Notice } from '#src/ui/Notice.tsx';
import { checkedWords, FoundRows } from './FoundRows.tsx';
import type { Closable } from './useMonthClose.ts';

interface CloseDialogProps {
  /** "October 2026, UTC" */
  name: string;
  number: number;
  /** null: nothing is about to be. */
  ready: Closable | null;
  saving: boolean;
  /** Why it was not closed; null where nothing went wrong. */
  error: unknown;
  onClose: () => void;
  onStay: () => void;
}

/** What is about to be frozen, before it is. */
export function CloseDialog({ name, number, ready, saving, error, onClose, onStay }: CloseDialogProps) {
  return (
    <Dialog
      open={ready !== null}
      onClose={onStay}
      title={`Close ${name}?`}
      actions={
        <>
          <Button variant="primary" disabledReason={saving ? 'Saving' : undefined} onClick={onClose}>
            Close for good
          </Button>
          <Button onClick={onStay}>Not yet</Button>
        </>
      }
    >
      {error !== null && <TeamProblem error={error} heading="Not closed" />}
      {ready && <Contents number={number} ready={ready} />}
    </Dialog>
  );
}

function Contents({ number, ready: { month, checked } }: { number: number; ready: Closable }) {
  const { deposits, withdrawals, ledger } = month.parts;
  const open = (month.sums ?? []).filter(({ verdict }) => verdict !== 'agrees');
  return (
    <div className="grid gap-3">
      <p>
        Statement {number}: {counted(deposits.states.size, 'deposit', 'deposits')}
        {withdrawals && `, ${counted(withdrawals.states.size, 'withdrawal', 'withdrawals')}`}
        {ledger && `, ${counted(ledger.states.size, 'ledger entry', 'ledger entries')}`}. It is saved for everybody on
        this account and can’t be reopened. What changes in these days later becomes an adjustment of the next period.
      </p>
      <p className="small sub">Checked for earlier rows that are in no statement: {checkedWords(checked)}.</p>
      {checked.adjustments.length > 0 && (
        <>
          <h3>Adjustments of closed periods in it</h3>
          <FoundRows adjustments={checked.adjustments} />
        </>
      )}
      {open.map(({ asset, difference, verdict }) => (
        <Notice key={asset} tone={verdict === 'unexplained' ? 'alarm' : 'open'} title={`${asset.slice(0, 20)}:`}>
          {difference === null ? (
            'the balance can’t be compared.'
          ) : (
            <>
              a difference of <Amount value={difference} asset={asset} flow signed />
              {verdict === 'explained' ? ', explained by entries newer than the balance.' : ' is not explained.'}
            </>
          )}
        </Notice>
      ))}
    </div>
  );
}
