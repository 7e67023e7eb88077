import { type FormEvent, useState } from 'react';
import { armFault } from '#src/api/sandboxControls.ts';
import { announce } from '#src/ui/announce.tsx';
import { Button } from '#src/ui/Button.tsx';
import { Field, inputClass } from '#src/ui/Field.tsx';
import { faultOf, targets, type Trouble, troubles } from './troubles.ts';
import { Outcome, useControl } from './useControl.tsx';
import type { Place } from './place.ts';

const UNTIL_CLEARED = 1_000_000;
const TIMES = [
  { value: 1, label: 'Once' },
  { value: 3, label: '3 times' },
  { value: 10, label: '10 times' },
  { value: UNTIL_CLEARED, label: 'Until cleared' },
];
const LONGEST_SECONDS = 3600;

/** Chooses what goes wrong, with what, and how often. */
export function FaultForm({ place }: { place: Place }) {
  const control = useControl(place.account);
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
      await armFault(place.sandbox, faultOf(trouble, target, times, Number(seconds)));
      return `Armed: ${trouble.label.toLowerCase()}. It waits for: ${target.words.toLowerCase()}.`;
    });
  };
  return (
    <form className="form reh-form" noValidate onSubmit={arm}>
      <Field label="What it meets">
        {(field) => (
          <select
            {...field}
            className={inputClass}
            value={target.id}
            onChange={(event) => chooseTarget(event.target.value)}
          >
            {targets.map(({ id, label }) => (
              <option key={id} value={id}>
                {label}
              </option>
            ))}
          </select>
        )}
      </Field>
      <Field label="What happens" help={trouble.help}>
        {(field) => (
          <select
            {...field}
            className={inputClass}
            value={trouble.id}
            onChange={(event) => chooseTrouble(possible.find(({ id }) => id === event.target.value))}
          >
            {possible.map(({ id, label }) => (
              <option key={id} value={id}>
                {label}
              </option>
            ))}
          </select>
        )}
      </Field>
      <div className="reh-pair">
        <Field
          label="How often"
          help={
            isRead ? 'A read that fails is repeated twice by itself: 3 times is one failure that shows.' : undefined
          }
        >
          {(field) => (
            <select
              {...field}
              className={inputClass}
              value={times}
              onChange={(event) => setTimes(Number(event.target.value))}
            >
              {TIMES.map(({ value, label }) => (
                <option key={value} value={value}>
                  {label}
                </option>
              ))}
            </select>
          )}
        </Field>
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
