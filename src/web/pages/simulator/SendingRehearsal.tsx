import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { passTime, type SandboxFault, sandboxQueries } from '#src/web/api/sandboxControls.ts';
import { useOperationActions } from '#src/web/api/operations/useOperations.ts';
import { locationState } from '#src/web/storage/locationState.ts';
import { isFinal } from '#src/shared/operations/states.ts';
import { paths } from '#src/shared/paths.ts';
import { buttonClass } from '#src/web/ui/Button.tsx';
import { type Control, ControlButton, dueWords, Outcome, useControl, useSandbox } from './control.tsx';
import { loseTheAnswer, takeSeconds } from './faults.ts';
import { Proof } from './Ledger.tsx';
import { type Rehearsal, type ScenarioId, useRehearsal } from './rehearsal.ts';
import { Check } from 'lucide-react';
import { type ReactNode, useEffect, useRef } from 'react';

/** Ethereum, because anybody's twenty bytes are an address there. */
const AMOUNT = { asset: 'ETH', chain: 'ethereum', amount: '0.01' };
const DAY_SECONDS = 24 * 3600;

interface Words {
  fault: SandboxFault;
  start: string;
  unconfirmed: string;
  resend: string;
}

const LOST = {
  fault: loseTheAnswer,
  start: 'Add the failure: the provider processes the next withdrawal, and its response is cut off.',
};

export const LostAnswer = resending('lost-answer', {
  ...LOST,
  unconfirmed:
    'The page says Unconfirmed: we don’t know yet whether it went through. It offers to check and to resend, and no way to start it anew.',
  resend: 'Press Resend there, 15 seconds after the first try. It sends the same request with the same key.',
});

export const SlowService = resending('slow', {
  fault: takeSeconds(40),
  start: 'Add the failure: the provider takes 40 seconds for the next withdrawal. The page waits 30.',
  unconfirmed:
    'Watch it wait. There is no Cancel, because cancelling would not undo anything. After 30 seconds it says Unconfirmed: a time-out is not a no.',
  resend: 'Press Resend once you can. By then the provider has finished, and answers with what it did the first time.',
});

function resending(scenario: ScenarioId, words: Words) {
  return function Rehearsed() {
    const control = useControl();
    const rehearsal = useRehearsal(scenario);
    const { operation } = rehearsal;
    const isAccepted = operation?.state === 'succeeded';
    const resend = {
      id: 'resend',
      text: words.resend,
      done: isAccepted && operation.attempts.length > 1,
      act: operation && <OpenOperation of={operation} />,
    };
    return <Sending {...{ control, rehearsal, words }} further={[resend]} isOver={isAccepted} />;
  };
}

/** Nobody resent it for a day: the service may have forgotten the key. */
export function TooLate() {
  const control = useControl();
  const { account, sandbox } = useSandbox();
  const rehearsal = useRehearsal('too-late');
  const { operation, seen } = rehearsal;
  const { check } = useOperationActions(seen);
  const { data: state } = useQuery(sandboxQueries.state(account, sandbox));
  const passed = operation !== null && state !== undefined && state.now - operation.firstSent.service >= DAY_SECONDS;
  const isEnded = operation !== null && isFinal(operation.state);
  const passDay = async () => {
    const { fell_due } = await passTime(sandbox, DAY_SECONDS);
    // A read, by which the server learns the service's new time.
    await check.mutateAsync().catch(() => undefined);
    return `24 hours passed. ${dueWords(fell_due)}`;
  };
  const further = [
    {
      id: 'day',
      text: 'Advance the clock by a day. The provider keeps a key for 24 hours and then forgets it.',
      done: passed,
      act: operation && (
        <ControlButton variant="primary" of={control} doing="Advancing…" act={passDay}>
          Advance 24 hours
        </ControlButton>
      ),
    },
    {
      id: 'close',
      text: 'Open the operation. Resend is refused: it could pay a second time. Look up what the provider has, then close the operation manually with that as the reason.',
      done: isEnded,
      act: passed && <OpenOperation of={operation} />,
    },
  ];
  const unconfirmed = 'The page says Unconfirmed. Leave it so: it is Friday evening, and nobody resends.';
  return <Sending {...{ control, rehearsal, further }} words={{ ...LOST, unconfirmed }} isOver={isEnded} />;
}

interface SendingProps {
  control: Control;
  rehearsal: Rehearsal;
  words: Omit<Words, 'resend'>;
  further: readonly Step[];
  isOver: boolean;
}

function Sending({ control, rehearsal, words, further, isOver }: SendingProps) {
  const { progress, operation, arm } = rehearsal;
  const start = async () => {
    await arm(words.fault);
    return 'Added for the next withdrawal. Earlier failures are cleared.';
  };
  const prefill = { ...AMOUNT, address: progress?.address ?? '' };
  return (
    <>
      <Steps
        steps={[
          {
            id: 'arm',
            text: words.start,
            done: progress !== null,
            act: (
              <ControlButton variant="primary" of={control} doing="Starting…" act={start}>
                Start
              </ControlButton>
            ),
          },
          {
            id: 'send',
            text: 'Send a withdrawal: review it, then send it. The form opens filled in; the address is made up, and nobody’s.',
            done: operation !== null,
            act: progress && (
              <Link className={buttonClass('primary')} to={paths.newWithdrawal} state={locationState({ prefill })}>
                Open the form
              </Link>
            ),
          },
          {
            id: 'unconfirmed',
            text: words.unconfirmed,
            done: operation?.attempts.some(({ outcome }) => outcome === 'no-answer') === true,
            act: operation && <OpenOperation of={operation} />,
          },
          ...further,
          { id: 'judge', text: 'The ledger totals decide: the withdrawal is in there once.', done: isOver },
        ]}
      />
      {isOver && operation && <Proof operation={operation} />}
      <Outcome of={control} />
    </>
  );
}

function OpenOperation({ of: { key } }: { of: { key: string } }) {
  return (
    <Link className={buttonClass()} to={paths.operation(key)}>
      Open the operation
    </Link>
  );
}

interface Step {
  id: string;
  text: ReactNode;
  /** Read from what really happened, never from a click alone. */
  done: boolean;
  act?: ReactNode;
}

const numberClass = [
  'grid size-6 place-items-center rounded-sm border border-rule-strong text-small leading-none',
  'group-aria-[current]:border-accent group-aria-[current]:bg-accent group-aria-[current]:font-semibold',
  'group-aria-[current]:text-on-accent',
].join(' ');

/** Numbered steps; those that happened are ticked, and the first that did not is the one to take. */
export function Steps({ steps }: { steps: readonly Step[] }) {
  const now = steps.findIndex(({ done }) => !done);
  const list = useRef<HTMLOListElement>(null);
  const before = useRef(now);
  useEffect(() => {
    if (before.current === now) return;
    before.current = now;
    // The button of the step that is done has gone, and the focus with it.
    if (document.activeElement !== document.body) return;
    list.current?.querySelector<HTMLElement>('[aria-current] :is(a, button), li:last-child')?.focus();
  }, [now]);
  return (
    <ol className="grid w-full gap-3" ref={list}>
      {steps.map(({ id, text, done, act }, index) => (
        <li
          key={id}
          className="group grid grid-cols-[1.5rem_minmax(0,1fr)] gap-3 text-ink-2 aria-[current]:text-ink"
          tabIndex={-1}
          aria-current={index === now ? 'step' : undefined}
          data-done={done || undefined}
        >
          <span className={numberClass} aria-hidden>
            {done ? <Check className="icon-s" aria-hidden /> : index + 1}
          </span>
          <div className="grid max-w-measure gap-2 pt-0.5">
            <p>
              {text}
              {done && <span className="vh"> Done.</span>}
            </p>
            {act && (index === now || !done) && <div className="acts-row">{act}</div>}
          </div>
        </li>
      ))}
    </ol>
  );
}
