import type { SandboxFault } from '#src/api/sandboxControls.ts';
import type { SandboxAccount } from './sandboxAccount.ts';
import { Proof } from './Proof.tsx';
import type { ScenarioId } from './progress.ts';
import { OpenOperation, sendingSteps } from './sendingSteps.tsx';
import { Steps } from './Steps.tsx';
import { loseTheAnswer, takeSeconds } from './faults.ts';
import { Outcome, useControl } from './useControl.tsx';
import { useRehearsal } from './useRehearsal.ts';

interface Words {
  fault: SandboxFault;
  armed: string;
  unconfirmed: string;
  resend: string;
}

/** Processed, and nobody heard. */
export function LostAnswer({ owner }: { owner: SandboxAccount }) {
  return (
    <Resending
      owner={owner}
      scenario="lost-answer"
      words={{
        fault: loseTheAnswer,
        armed: 'Add the failure: the provider processes the next withdrawal, and its response is cut off.',
        unconfirmed:
          'The page says Unconfirmed: we don’t know yet whether it went through. It offers to check and to resend, and no way to start it anew.',
        resend: 'Press Resend there, 15 seconds after the first try. It sends the same request with the same key.',
      }}
    />
  );
}

/** The page gave up, the service did not. */
export function SlowService({ owner }: { owner: SandboxAccount }) {
  return (
    <Resending
      owner={owner}
      scenario="slow"
      words={{
        fault: takeSeconds(40),
        armed: 'Add the failure: the provider takes 40 seconds for the next withdrawal. The page waits 30.',
        unconfirmed:
          'Watch it wait. There is no Cancel, because cancelling would not undo anything. After 30 seconds it says Unconfirmed: a time-out is not a no.',
        resend:
          'Press Resend once you can. By then the provider has finished, and answers with what it did the first time.',
      }}
    />
  );
}

function Resending({ owner, scenario, words }: { owner: SandboxAccount; scenario: ScenarioId; words: Words }) {
  const control = useControl(owner.account);
  const rehearsal = useRehearsal(owner, scenario);
  const { operation } = rehearsal;
  const accepted = operation?.state === 'succeeded';
  return (
    <>
      <Steps
        steps={[
          ...sendingSteps(rehearsal, control, words),
          {
            id: 'resend',
            text: words.resend,
            done: accepted && operation.attempts.length > 1,
            act: operation && <OpenOperation rehearsal={rehearsal} />,
          },
          {
            id: 'judge',
            text: 'The ledger totals decide: the withdrawal is in there once.',
            done: accepted,
          },
        ]}
      />
      {accepted && <Proof owner={owner} operation={operation} />}
      <Outcome of={control} />
    </>
  );
}
