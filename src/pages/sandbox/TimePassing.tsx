import { useForm, useWatch } from 'react-hook-form';
import * as v from 'valibot';
import { passTime } from '#src/api/sandboxControls.ts';
import { ruledText } from '#src/lib/fieldRules.ts';
import { schemaResolver } from '#src/list/sending/schemaResolver.ts';
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
  { value: '1', label: 'seconds' },
  { value: '60', label: 'minutes' },
  { value: '3600', label: 'hours' },
  { value: '86400', label: 'days' },
];
const LONGEST_SECONDS = 366 * 86_400;
const rowClass =
  'grid grid-cols-[minmax(0,12rem)_minmax(0,9rem)_auto] items-start justify-start gap-3 narrow:grid-cols-2';

type Fields = Record<'count' | 'unit', string>;

/** Moves the account's own clock on. Never back: a service that forgot a key and then lived earlier would pay twice. */
export function TimePassing({ owner }: { owner: SandboxAccount }) {
  const control = useControl(owner.account);
  const form = useForm<Fields>({
    mode: 'onTouched',
    defaultValues: { count: '7', unit: '86400' },
    resolver: schemaResolver<Fields>(({ unit }) => ({
      count: ruledText((count) => {
        const seconds = secondsOf({ count, unit });
        const fits = seconds >= 1 && seconds <= LONGEST_SECONDS;
        return fits || 'Enter a whole number; at most 366 days at once.';
      }),
      unit: v.string(),
    })),
  });
  const unit = useWatch({ control: form.control, name: 'unit' });
  const pass = (seconds: number, words: string) =>
    control.run(async () => {
      const { now, fell_due } = await passTime(owner.sandbox, seconds);
      return (
        <>
          {words} passed. The account’s clock shows <Time unix={now} />. {dueWords(fell_due)}
        </>
      );
    });
  const passTyped = (typed: Fields) =>
    pass(secondsOf(typed), `${typed.count} ${UNITS.find(({ value }) => value === typed.unit)?.label}`);
  const off = control.busy ? 'Advancing…' : undefined;
  return (
    <>
      <div className="acts-row">
        {STEPS.map(({ seconds, label }) => (
          <Button key={seconds} disabledReason={off} reasonHidden onClick={() => pass(seconds, label)}>
            {label}
          </Button>
        ))}
      </div>
      <form className={rowClass} noValidate onSubmit={(event) => void form.handleSubmit(passTyped)(event)}>
        <Field label="Other" required error={form.formState.errors.count?.message}>
          {(field) => (
            <input
              {...form.register('count')}
              {...field}
              className={inputClass}
              inputMode="numeric"
              autoComplete="off"
            />
          )}
        </Field>
        <SelectField label="Unit" value={unit} options={UNITS} onChange={(next) => form.setValue('unit', next)} />
        <Button
          type="submit"
          className="mt-6 h-9 narrow:mt-0 narrow:h-11 narrow:justify-self-start"
          disabledReason={off}
          reasonHidden
        >
          Advance clock
        </Button>
      </form>
      <Outcome of={control} />
    </>
  );
}

function secondsOf({ count, unit }: Fields): number {
  return /^\d{1,9}$/.test(count) ? Number(count) * Number(unit) : 0;
}
