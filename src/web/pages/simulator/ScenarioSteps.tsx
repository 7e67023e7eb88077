import { Check } from 'lucide-react';
import { type RefObject, useEffect, useRef } from 'react';
import { Link } from 'react-router';
import { buttonClass } from '#src/web/ui/Button.tsx';
import { type Control, ControlButton, ControlResult, useControl } from './control.tsx';
import { ExecutionProof } from './Ledger.tsx';
import { type ScenarioCommands, useScenario } from './scenario.ts';
import type { Scenario, StepAction } from './scenarios.tsx';

const numberClass = [
  'grid size-6 place-items-center rounded-sm border border-rule-strong text-small leading-none',
  'group-aria-[current]:border-accent group-aria-[current]:bg-accent group-aria-[current]:font-semibold',
  'group-aria-[current]:text-on-accent',
].join(' ');

interface ScenarioStepsProps {
  scenario: Scenario;
}

/** A guided scenario: numbered steps, ticked as they happen. The first unticked step is the current one. */
export function ScenarioSteps({ scenario }: ScenarioStepsProps) {
  const control = useControl();
  const { facts, commands } = useScenario(scenario.id);
  const done = scenario.steps.map((step) => step.isDone(facts));
  const current = done.indexOf(false);
  const list = useFocusOnStep(current);
  return (
    <>
      <ol className="grid w-full gap-3" ref={list}>
        {scenario.steps.map((step, index) => (
          <li
            key={step.id}
            className="group grid grid-cols-[1.5rem_minmax(0,1fr)] gap-3 text-ink-2 aria-[current]:text-ink"
            tabIndex={-1}
            aria-current={index === current ? 'step' : undefined}
            data-done={done[index] || undefined}
          >
            <span className={numberClass} aria-hidden>
              {done[index] ? <Check className="icon-s" aria-hidden /> : index + 1}
            </span>
            <div className="grid max-w-measure gap-2 pt-0.5">
              <p>
                {typeof step.text === 'function' ? step.text(facts) : step.text}
                {done[index] && <span className="vh"> Done.</span>}
              </p>
              {!done[index] && <ActionRow action={step.action?.(facts)} {...{ control, commands }} />}
            </div>
          </li>
        ))}
      </ol>
      {scenario.endsWithLedger && done.at(-1) === true && facts.operation && (
        <ExecutionProof operation={facts.operation} />
      )}
      <ControlResult of={control} />
    </>
  );
}

/** A step's button disappears when the step is done, so this moves the focus to the next step. */
function useFocusOnStep(current: number): RefObject<HTMLOListElement | null> {
  const list = useRef<HTMLOListElement>(null);
  const previous = useRef(current);
  useEffect(() => {
    if (previous.current === current) return;
    previous.current = current;
    if (document.activeElement !== document.body) return;
    list.current?.querySelector<HTMLElement>('[aria-current] :is(a, button), li:last-child')?.focus();
  }, [current]);
  return list;
}

interface ActionRowProps {
  action: StepAction | null | undefined;
  control: Control;
  commands: ScenarioCommands;
}

function ActionRow({ action, control, commands }: ActionRowProps) {
  if (!action) return null;
  return (
    <div className="acts-row">
      {'to' in action ? (
        <Link className={buttonClass(action.primary ? 'primary' : undefined)} to={action.to} state={action.state}>
          {action.label}
        </Link>
      ) : (
        <ControlButton
          {...(action.primary && { variant: 'primary' as const })}
          of={control}
          doing={action.pendingLabel}
          act={() => action.run(commands)}
        >
          {action.label}
        </ControlButton>
      )}
    </div>
  );
}
