import { useQuery } from '@tanstack/react-query';
import { passTime, sandboxQueries } from '#src/api/sandboxControls.ts';
import { useOperationActions } from '#src/api/useOperations.ts';
import { isFinal } from '#src/lib/operations/record.ts';
import { Button } from '#src/ui/Button.tsx';
import { dueWords } from './dueWords.ts';
import type { SandboxAccount } from './sandboxAccount.ts';
import { Proof } from './Proof.tsx';
import { OpenOperation, sendingSteps } from './sendingSteps.tsx';
import { Steps } from './Steps.tsx';
import { loseTheAnswer } from './faults.ts';
import { Outcome, useControl } from './useControl.tsx';
import { useRehearsal } from './useRehearsal.ts';

const DAY_SECONDS = 24 * 3600;

/** Nobody resent it for a day: the service may have forgotten the key. */
export function TooLate({ owner }: { owner: SandboxAccount }) {
  const control = useControl(owner.account);
  const rehearsal = useRehearsal(owner, 'too-late');
  const { operation, seen } = rehearsal;
  const { check } = useOperationActions(seen);
  const { data: state } = useQuery(sandboxQueries.state(owner.account, owner.sandbox));
  const passed = operation !== null && state !== undefined && state.now - operation.firstSent.service >= DAY_SECONDS;
  const ended = operation !== null && isFinal(operation.state);
  const passDay = () =>
    control.run(async () => {
      const { fell_due } = await passTime(owner.sandbox, DAY_SECONDS);
      // A read, by which the server learns the service's new time.
      await check.mutateAsync().catch(() => undefined);
      return `24 hours passed. ${dueWords(fell_due)}`;
    });
  return (
    <>
      <Steps
        steps={[
          ...sendingSteps(rehearsal, control, {
            fault: loseTheAnswer,
            armed: 'Add the failure: the provider processes the next withdrawal, and its response is cut off.',
            unconfirmed: 'The page says Unconfirmed. Leave it so: it is Friday evening, and nobody resends.',
          }),
          {
            id: 'day',
            text: 'Advance the clock by a day. The provider keeps a key for 24 hours and then forgets it.',
            done: passed,
            act: operation && (
              <Button
                variant="primary"
                disabledReason={control.busy ? 'Advancing…' : undefined}
                reasonHidden
                onClick={passDay}
              >
                Advance 24 hours
              </Button>
            ),
          },
          {
            id: 'close',
            text: 'Open the operation. Resend is refused: it could pay a second time. Look up what the provider has, then close the operation manually with that as the reason.',
            done: ended,
            act: passed && <OpenOperation rehearsal={rehearsal} />,
          },
          { id: 'judge', text: 'The ledger totals decide: the withdrawal is in there once.', done: ended },
        ]}
      />
      {ended && <Proof owner={owner} operation={operation} />}
      <Outcome of={control} />
    </>
  );
}
