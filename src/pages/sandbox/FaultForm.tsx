import { type FormEvent, useState } from 'react';
import { armFault } from '#src/api/sandboxControls.ts';
import { announce } from '#src/ui/announce.tsx';
import { Button } from '#src/ui/Button.tsx';
import { Field, inputClass } from '#src/ui/Field.tsx';
import { SelectField } from '#src/ui/SelectField.tsx';
import { faultOf, targets, type Trouble, troubles } from './faults.ts';
import { Outcome, useControl } from './useControl.tsx';
import type { SandboxAccount } from './sandboxAccount.ts';

const UNTIL_CLEARED = 1_000_000;
const TIMES = [
  { value: 1, label: 'Once' },
  { value: 3, label: '3 times' },
  { value: 10, label: '10 times' },
  { value: UNTIL_CLEARED, label: 'Until cleared' },
];
const LONGEST_SECONDS = 3600;

/** Chooses what goes wrong, with what, and how often. */
export function FaultForm({ owner }: { owner: SandboxAccount }) {
  const control = useControl(owner.account);
  const [targetId, setTargetId] = useState(targets[0].id);
  const [troubleId, setTroubleId] = useState(troubles[0].id);
  const [times, setTimes] = useState(1);
  const [seconds, setSeconds] = useState('10');
  const target = targets.find(({ id }) => id === targetId) ?? targets[0];
  const isRead = target.method === 'GET';
  const possible = troubles.filter(({ posts }) => !(isRead && posts));
  const trouble = possible.find(({ id }) => id === troubleId) ?? troubles[0];
  const problem = trouble.seconds === undefined ? undefined : secondsFault(seconds);

  const chooseTarget = (id: string) => {
    setTargetId(id);
    // A read that failed is repeated twice by itself, so that once would show nothing.
    const read = targets.find((other) => other.id === id)?.method === 'GET';
    if (read !== isRead) setTimes(read ? 3 : 1);
  };
  const chooseTrouble = (next: Trouble | undefined) => {
    if (!next) return;
    setTroubleId(next.id);
    if (next.seconds !== undefined) setSeconds(String(next.seconds));
  };
  const arm = (event: FormEvent) => {
    event.preventDefault();
    if (problem !== undefined) {
      announce(problem);
      return;
    }
    control.run(async () => {
      await armFault(owner.sandbox, faultOf(trouble, target, times, Number(seconds)));
      return `Armed: ${trouble.label.toLowerCase()}. It waits for: ${target.words.toLowerCase()}.`;
    });
  };
  return (
    <form className="form gap-3" noValidate onSubmit={arm}>
      <SelectField
        label="What it meets"
        value={target.id}
        options={targets.map(({ id, label }) => ({ value: id, label }))}
        onChange={chooseTarget}
      />
      <SelectField
        label="What happens"
        help={trouble.help}
        value={trouble.id}
        options={possible.map(({ id, label }) => ({ value: id, label }))}
        onChange={(chosen) => chooseTrouble(possible.find(({ id }) => id === chosen))}
      />
      <div className="grid grid-cols-2 gap-3">
        <SelectField
          label="How often"
          help={
            isRead ? 'A read that fails is repeated twice by itself: 3 times is one failure that shows.' : undefined
          }
          value={times}
          options={TIMES}
          onChange={setTimes}
        />
        {trouble.seconds !== undefined && (
          <Field label="Seconds" error={problem}>
            {(field) => (
              <input
                {...field}
                className={inputClass}
                inputMode="numeric"
                autoComplete="off"
                value={seconds}
                onChange={(event) => setSeconds(event.target.value)}
              />
            )}
          </Field>
        )}
      </div>
      <div className="acts-row">
        <Button type="submit" disabledReason={control.busy ? 'Arming' : undefined} reasonHidden>
          Arm this fault
        </Button>
      </div>
      <Outcome of={control} />
    </form>
  );
}

function secondsFault(text: string): string | undefined {
  if (/^\d{1,4}$/.test(text) && Number(text) >= 1 && Number(text) <= LONGEST_SECONDS) return undefined;
  return `Type whole seconds, from 1 to ${LONGEST_SECONDS}.`;
}
