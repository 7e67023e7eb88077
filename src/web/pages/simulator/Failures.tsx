import { useQuery } from '@tanstack/react-query';
import { useForm, useWatch } from 'react-hook-form';
import * as v from 'valibot';
import { armFault, clearFaults, sandboxQueries, type ArmedFault } from '#src/web/api/sandboxControls.ts';
import { ruledText } from '#src/shared/fieldRules.ts';
import { FormText, schemaResolver } from '#src/web/send/FormFields.tsx';
import { SelectField } from '#src/web/ui/SelectField.tsx';
import { ControlButton, ControlForm, Loaded, ControlResult, useControl, useSandbox } from './control.tsx';
import { describeArmed, faultOf, targets, troubles } from './faults.ts';

const UNTIL_CLEARED = 1_000_000;
const TIMES = [
  { value: '1', label: 'Once' },
  { value: '3', label: '3 times' },
  { value: '10', label: '10 times' },
  { value: String(UNTIL_CLEARED), label: 'Until cleared' },
];
const LONGEST_SECONDS = 3600;

type Fields = Record<'target' | 'trouble' | 'times' | 'seconds', string>;

export function FaultForm() {
  const control = useControl();
  const form = useForm<Fields>({
    mode: 'onTouched',
    defaultValues: { target: targets[0].id, trouble: troubles[0].id, times: '1', seconds: '10' },
    resolver: schemaResolver<Fields>(() => ({
      target: v.string(),
      trouble: v.string(),
      times: v.string(),
      seconds: ruledText(secondsRule),
    })),
  });
  const chosen = useWatch({ control: form.control });
  const target = targets.find(({ id }) => id === chosen.target) ?? targets[0];
  const isRead = target.method === 'GET';
  const possible = troubles.filter(({ posts }) => !(isRead && posts));
  const trouble = possible.find(({ id }) => id === chosen.trouble) ?? troubles[0];

  const chooseTarget = (id: string) => {
    form.setValue('target', id);
    // The app retries a failed read twice, so a single failure would have no visible effect.
    const read = targets.find((other) => other.id === id)?.method === 'GET';
    if (read !== isRead) form.setValue('times', read ? '3' : '1');
  };
  const chooseTrouble = (id: string) => {
    form.setValue('trouble', id);
    const seconds = troubles.find((other) => other.id === id)?.seconds;
    if (seconds !== undefined) form.setValue('seconds', String(seconds));
  };
  const start = ({ times, seconds }: Fields) =>
    control.run(async () => {
      await armFault(control.sandbox, faultOf(trouble, target, Number(times), Number(seconds)));
      return `Added: ${trouble.label.toLowerCase()}. Waiting for: ${target.words.toLowerCase()}.`;
    });
  return (
    <ControlForm of={control} onSubmit={form.handleSubmit(start)} submit="Add failure" doing="Adding…">
      <SelectField
        label="What it affects"
        value={target.id}
        options={targets.map(({ id, label }) => ({ value: id, label }))}
        onChange={chooseTarget}
      />
      <SelectField
        label="What happens"
        help={trouble.help}
        value={trouble.id}
        options={possible.map(({ id, label }) => ({ value: id, label }))}
        onChange={chooseTrouble}
      />
      <div className="grid grid-cols-2 gap-3">
        <SelectField
          label="How often"
          help={isRead ? 'A failed read is retried twice: 3 times is one failure that shows.' : undefined}
          value={chosen.times ?? '1'}
          options={TIMES}
          onChange={(times) => form.setValue('times', times)}
        />
        {trouble.seconds !== undefined && (
          <FormText label="Seconds" required control={form.control} name="seconds" inputMode="numeric" />
        )}
      </div>
    </ControlForm>
  );
}

function secondsRule(text: string): true | string {
  if (/^\d{1,4}$/.test(text) && Number(text) >= 1 && Number(text) <= LONGEST_SECONDS) return true;
  return `Enter whole seconds, from 1 to ${LONGEST_SECONDS}.`;
}

export function ActiveFailures() {
  const control = useControl();
  const { account, sandbox } = useSandbox();
  const query = useQuery(sandboxQueries.armed(account, sandbox));
  const clear = async () => {
    await clearFaults(sandbox);
    return 'All failures are cleared.';
  };
  return (
    <div className="grid gap-2 border border-rule bg-inset p-3">
      <h3>Active failures</h3>
      <Loaded query={query} what="active failures">
        {(data) =>
          data.length === 0 ? (
            <p className="sub">None.</p>
          ) : (
            <ol>
              {data.map((armed) => (
                <Active key={armed.id} armed={armed} />
              ))}
            </ol>
          )
        }
      </Loaded>
      <div className="acts-row">
        <ControlButton
          of={control}
          doing="Clearing…"
          act={clear}
          disabledReason={query.data?.length === 0 ? 'None.' : undefined}
        >
          Clear all failures
        </ControlButton>
      </div>
      <ControlResult of={control} />
    </div>
  );
}

function Active({ armed }: { armed: ArmedFault }) {
  const { what, meets } = describeArmed(armed);
  const { left, fault } = armed;
  const times = left > UNTIL_CLEARED / 2 ? 'until cleared' : left === 1 ? 'once' : `${left} times`;
  return (
    <li className="border-t border-rule py-2">
      <b>{what}</b>
      <span className="small sub block">
        {meets}, {times}
        {fault.delay > 0 && `, ${fault.delay / 1000} s`}
      </span>
    </li>
  );
}
