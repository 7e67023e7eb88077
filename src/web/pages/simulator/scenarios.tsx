import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { SandboxFault } from '#src/web/api/sandboxControls.ts';
import { locationState } from '#src/web/storage/locationState.ts';
import { batchFileText } from '#src/shared/batches/batchFile.ts';
import { isFinal } from '#src/shared/operations/states.ts';
import { paths } from '#src/shared/paths.ts';
import { Amount } from '#src/web/ui/Amount.tsx';
import { loseTheAnswer, takeSeconds } from './faults.ts';
import { FAILING_LINE, type ScenarioCommands, type ScenarioFacts, type ScenarioId } from './scenario.ts';

export interface Scenario {
  id: ScenarioId;
  title: string;
  summary: string;
  steps: readonly ScenarioStep[];
  /** Whether the end shows the withdrawal in the ledger totals. */
  endsWithLedger: boolean;
}

export interface ScenarioStep {
  id: string;
  text: ReactNode | ((facts: ScenarioFacts) => ReactNode);
  /** Decided from what really happened, never from a click alone. */
  isDone: (facts: ScenarioFacts) => boolean;
  /** Null if not possible yet. */
  action?: (facts: ScenarioFacts) => StepAction | null;
}

export type StepAction = { label: string; primary?: boolean } & (
  | { pendingLabel: string; run: (commands: ScenarioCommands) => Promise<ReactNode> }
  | { to: string; state?: unknown }
);

/** Ethereum, because any twenty bytes are an address there. */
const WITHDRAWAL = { asset: 'ETH', chain: 'ethereum', amount: '0.01' };
const PAYMENT = { asset: 'BTC', chain: 'bitcoin', amount: '0.015', status: 'pending' };
/** How long the sandbox lets a deposit on bitcoin wait for its confirmations. */
const CONFIRMING_SECONDS = 30 * 60;
const DAY_SECONDS = 24 * 3600;

const openOperation = ({ operation }: ScenarioFacts): StepAction | null =>
  operation && { label: 'Open the operation', to: paths.operation(operation.key) };

const isAccepted = ({ operation }: ScenarioFacts) => operation?.state === 'succeeded';
const isEnded = ({ operation }: ScenarioFacts) => operation !== null && isFinal(operation.state);

function armStep(faults: readonly SandboxFault[], text: string, ready: string): ScenarioStep {
  return {
    id: 'arm',
    text,
    isDone: ({ progress }) => progress !== null,
    action: () => ({
      label: 'Start',
      primary: true,
      pendingLabel: 'Starting…',
      run: async ({ startWithFaults }) => {
        await startWithFaults(faults);
        return `Ready: ${ready}. Earlier failures are cleared.`;
      },
    }),
  };
}

/** The first three steps of every scenario that sends a withdrawal. */
function sendingSteps(fault: SandboxFault, startText: string, unconfirmedText: string): ScenarioStep[] {
  return [
    armStep([fault], startText, 'it hits the next withdrawal'),
    {
      id: 'send',
      text: 'Send a withdrawal: review it, then send it. The form opens filled in; it uses a made-up address.',
      isDone: ({ operation }) => operation !== null,
      action: ({ progress }) =>
        progress && {
          label: 'Open the form',
          primary: true,
          to: paths.newWithdrawal,
          state: locationState({ prefill: { ...WITHDRAWAL, address: progress.address } }),
        },
    },
    {
      id: 'unconfirmed',
      text: unconfirmedText,
      isDone: ({ operation }) => operation?.attempts.some(({ outcome }) => outcome === 'no-answer') === true,
      action: openOperation,
    },
  ];
}

function resendStep(text: string): ScenarioStep {
  return {
    id: 'resend',
    text,
    isDone: (facts) => isAccepted(facts) && (facts.operation?.attempts.length ?? 0) > 1,
    action: openOperation,
  };
}

function ledgerStep(isDone: ScenarioStep['isDone']): ScenarioStep {
  return { id: 'judge', text: 'The ledger totals decide: the withdrawal is in there once.', isDone };
}

const LOST_TEXT = 'Add the failure: the provider processes the next withdrawal, and its response is cut off.';

const lostAnswer: Scenario = {
  id: 'lost-answer',
  title: 'The response is lost',
  summary: 'A withdrawal went through, and nobody heard.',
  endsWithLedger: true,
  steps: [
    ...sendingSteps(
      loseTheAnswer,
      LOST_TEXT,
      'The page says Unconfirmed: we don’t know yet whether it went through. It offers to check and to resend, and no way to start it anew.',
    ),
    resendStep('Press Resend there, 15 seconds after the first try. It sends the same request with the same key.'),
    ledgerStep(isAccepted),
  ],
};

const slow: Scenario = {
  id: 'slow',
  title: 'The provider is slow',
  summary: 'The page times out; the provider doesn’t.',
  endsWithLedger: true,
  steps: [
    ...sendingSteps(
      takeSeconds(40),
      'Add the failure: the provider takes 40 seconds for the next withdrawal. The page waits 30.',
      'Watch it wait. It can’t be cancelled, as that would undo nothing. After 30 seconds it says Unconfirmed: a time-out is not a no.',
    ),
    resendStep(
      'Press Resend once you can. By then the provider has finished, and answers with what it did the first time.',
    ),
    ledgerStep(isAccepted),
  ],
};

const latePayment: Scenario = {
  id: 'late-payment',
  title: 'The customer says “I paid”',
  summary: 'A deposit arrives late and waits for its chain.',
  endsWithLedger: false,
  steps: [
    {
      id: 'look',
      text: (
        <>
          A customer says “I paid <Amount value={PAYMENT.amount} asset={PAYMENT.asset} flow /> an hour ago”.{' '}
          <Link to={paths.deposits('asset=BTC')}>Look in the deposits</Link>: it is not there, and that proves nothing
          yet.
        </>
      ),
      isDone: ({ progress }) => progress?.deposit !== undefined,
    },
    {
      id: 'arrive',
      text: 'Now it arrives, late.',
      isDone: ({ progress }) => progress?.deposit !== undefined,
      action: () => ({
        label: 'Create deposit',
        primary: true,
        pendingLabel: 'Working…',
        run: async ({ startWithDeposit }) => {
          await startWithDeposit(PAYMENT);
          return 'The payment was detected on its chain, and is not confirmed yet.';
        },
      }),
    },
    {
      id: 'find',
      text: (
        <>
          Find it in the deposits, by amount and time. It is Pending: counted under Pending of the{' '}
          <Link to={paths.balance(PAYMENT.asset)}>BTC balance</Link>, and not to be spent. This is what the customer may
          be told.
        </>
      ),
      isDone: ({ depositOpened, depositSettled }) => depositOpened || depositSettled,
      action: ({ progress }) =>
        progress?.deposit ? { label: 'Open the deposit', primary: true, to: paths.deposit(progress.deposit.id) } : null,
    },
    {
      id: 'confirm',
      text: 'Advance the clock until it is confirmed: half an hour on this chain.',
      isDone: ({ depositSettled }) => depositSettled,
      action: ({ progress }) =>
        progress?.deposit
          ? {
              label: 'Advance 30 minutes',
              pendingLabel: 'Working…',
              run: async ({ advance }) => `30 minutes passed. ${await advance(CONFIRMING_SECONDS)}`,
            }
          : null,
    },
    {
      id: 'settled',
      text: ({ progress, depositSettled }) => (
        <>
          It is completed, and counted under Available.{' '}
          {progress?.deposit && depositSettled && <Link to={paths.deposit(progress.deposit.id)}>Open the deposit</Link>}
        </>
      ),
      isDone: ({ depositSettled }) => depositSettled,
    },
  ],
};

const tooLate: Scenario = {
  id: 'too-late',
  title: 'A day passes: too late to resend',
  summary: 'Nobody resolved a lost withdrawal in time.',
  endsWithLedger: true,
  steps: [
    ...sendingSteps(
      loseTheAnswer,
      LOST_TEXT,
      'The page says Unconfirmed. Leave it so: it is Friday evening, and nobody resends.',
    ),
    {
      id: 'day',
      text: 'Advance the clock by a day. The provider keeps a key for 24 hours and then forgets it.',
      isDone: ({ secondsSinceSent }) => secondsSinceSent >= DAY_SECONDS,
      action: ({ operation }) =>
        operation && {
          label: 'Advance 24 hours',
          primary: true,
          pendingLabel: 'Advancing…',
          run: async ({ advance, checkOperation }) => {
            const dueText = await advance(DAY_SECONDS);
            await checkOperation();
            return `24 hours passed. ${dueText}`;
          },
        },
    },
    {
      id: 'close',
      text: 'Open the operation. Resend is refused: it could pay a second time. Look up what the provider has, then close the operation manually with that as the reason.',
      isDone: isEnded,
      action: (facts) => (facts.secondsSinceSent >= DAY_SECONDS ? openOperation(facts) : null),
    },
    ledgerStep(isEnded),
  ],
};

/** Rows of a new batch. `start`: an address that has never been paid; it is rotated, so that no two addresses look alike. */
function batchRows(start: string): string {
  const digits = start.slice(2);
  return batchFileText(
    ['0.01', '0.02', '0.03', '0.04'].map((amount, at) => ({
      recipient: '',
      address: `0x${digits.slice(at * 7)}${digits.slice(0, at * 7)}`,
      asset: WITHDRAWAL.asset,
      chain: WITHDRAWAL.chain,
      amount,
      reference: '',
    })),
  );
}

const openBatch = ({ batch }: ScenarioFacts): StepAction | null =>
  batch && { label: 'Open the batch', to: paths.batch(batch.id) };

const isBatchDone = ({ batch }: ScenarioFacts) => batch?.state === 'done';

const batchPauses: Scenario = {
  id: 'batch-pauses',
  title: `The provider fails at line ${FAILING_LINE} of a batch`,
  summary: 'Nothing after it is sent until it is resolved.',
  endsWithLedger: true,
  steps: [
    armStep(
      [takeSeconds(1), loseTheAnswer],
      'Add the failures: the provider takes a second for the first payment, and its response to the second is cut off.',
      'they hit the next two withdrawals',
    ),
    {
      id: 'batch',
      text: 'Send a batch of four payments: review them, confirm the first payments to these addresses, then send. The rows are filled in; their addresses are made up.',
      isDone: ({ batch }) => batch !== null,
      action: ({ progress }) =>
        progress && {
          label: 'Open the batch form',
          primary: true,
          to: paths.newBatch(),
          state: locationState({ rows: batchRows(progress.address) }),
        },
    },
    {
      id: 'paused',
      text: `Line 2 is accepted. At line ${FAILING_LINE} the batch pauses: we don’t know yet whether that payment went through. Lines 4 and 5 wait.`,
      isDone: ({ operation }) => operation?.attempts.some(({ outcome }) => outcome === 'no-answer') === true,
      action: openBatch,
    },
    resendStep(
      `Open the payment of line ${FAILING_LINE} and press Resend, 15 seconds after the first try. It sends the same request with the same key.`,
    ),
    {
      id: 'continue',
      text: `Continue the batch: lines 4 and 5 are sent, and line ${FAILING_LINE} isn’t sent again.`,
      isDone: isBatchDone,
      action: openBatch,
    },
    ledgerStep(isBatchDone),
  ],
};

export const SCENARIOS: readonly [Scenario, ...Scenario[]] = [lostAnswer, slow, latePayment, tooLate, batchPauses];
