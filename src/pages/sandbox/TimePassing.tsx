import { type FormEvent, useState } from 'react';
import { passTime } from '#src/api/sandboxControls.ts';
import { announce } from '#src/ui/announce.tsx';
import { Button } from '#src/ui/Button.tsx';
import { Field, inputClass } from '#src/ui/Field.tsx';
import { SelectField } from '#src/ui/SelectField.tsx';
import { Time } from '#src/ui/Time.tsx';
import { dueWords } from './dueWords.ts';
import type { SandboxAccount } from './sandboxAccount.ts';
import { Outcome, useControl } from './useControl.tsx';

const STEPS = [
  { seconds: 60, label: '1 minute' },
  { seconds: 3600, label: '1 hour' },
  { seconds: 24 * 3600, label: '24 hours' },
  { seconds: 26 * 3600, label: '26 hours' },
] as const;
const UNITS = [
  { value: 1, label: 'seconds' },
  { value: 60, label: 'minutes' },
  { value: 3600, label: 'hours' },
  { value: 86_400, label: 'days' },
];
const LONGEST_SECONDS = 366 * 86_400;
const rowClass =
  'grid grid-cols-[minmax(0,12rem)_minmax(0,9rem)_auto] items-start justify-start gap-3 narrow:grid-cols-2';
const TOO_LONG = 'Type a whole number; at most 366 days may pass at once.';

/** Moves the account's own clock on. Never back: a service that forgot a key and then lived earlier would pay twice. */
export function TimePassing({ owner }: { owner: SandboxAccount }) {
  const control = useControl(owner.account);
  const [count, setCount] = useState('7');
  const [unit, setUnit] = useState(86_400);
  const [problem, setProblem] = useState<string>();
  const pass = (seconds: number, words: string) =>
    control.run(async () => {
      const { now, fell_due } = await passTime(owner.sandbox, seconds);
      return (
        <>
          {words} passed. The account’s clock shows <Time unix={now} />. {dueWords(fell_due)}
        </>
      );
    });
  const passTyped = (event: FormEvent) => {
    event.preventDefault();
    const seconds = /^\d{1,9}$/.test(count) ? Number(count) * unit : 0;
    const wrong = seconds < 1 || seconds > LONGEST_SECONDS;
    setProblem(wrong ? TOO_LONG : undefined);
    if (wrong) announce(TOO_LONG);
    else pass(seconds, `${count} ${UNITS.find((known) => known.value === unit)?.label}`);
  };
  const off = control.busy ? 'Time is passing.' : undefined;
  return (
    <>
      <div className="acts-row">
        {STEPS.map(({ seconds, label }) => (
          <Button key={seconds} disabledReason={off} reasonHidden onClick={() => pass(seconds, label)}>
            {label}
          </Button>
        ))}
      </div>
      <form className={rowClass} noValidate onSubmit={passTyped}>
        <Field label="Another time" error={problem}>
          {(field) => (
            <input
              {...field}
              className={inputClass}
              inputMode="numeric"
              autoComplete="off"
              value={count}
              onChange={(event) => setCount(event.target.value)}
            />
          )}
        </Field>
        <SelectField label="Unit" value={unit} options={UNITS} onChange={setUnit} />
        <Button
          type="submit"
          className="mt-6 h-9 narrow:mt-0 narrow:h-11 narrow:justify-self-start"
          disabledReason={off}
          reasonHidden
        >
          Let it pass
        </Button>
      </form>
      <Outcome of={control} />
    </>
  );
}
