import { useQuery } from '@tanstack/react-query';
import { describeError } from '#src/api/errors.ts';
import { clearFaults, sandboxQueries } from '#src/api/sandboxControls.ts';
import type { ArmedFault } from '#src/api/sandboxSchemas.ts';
import { Button } from '#src/ui/Button.tsx';
import { ErrorNotice } from '#src/ui/ErrorNotice.tsx';
import type { SandboxAccount } from './sandboxAccount.ts';
import { describeArmed } from './faults.ts';
import { Outcome, useControl } from './useControl.tsx';

const MANY = 1000;

/** What is armed now, as the sandbox says. */
export function ArmedFaults({ owner }: { owner: SandboxAccount }) {
  const control = useControl(owner.account);
  const { data, error, refetch, isFetching } = useQuery(sandboxQueries.armed(owner.account, owner.sandbox));
  const clear = () =>
    control.run(async () => {
      await clearFaults(owner.sandbox);
      return 'All failures are cleared.';
    });
  return (
    <div className="grid gap-2 border border-rule bg-inset p-3">
      <h3>Active failures</h3>
      {data === undefined ? (
        error && (
          <ErrorNotice
            error={describeError(error)}
            heading="Couldn’t load active failures"
            onRetry={() => void refetch()}
            retrying={isFetching}
          />
        )
      ) : data.length === 0 ? (
        <p className="sub">None.</p>
      ) : (
        <ol>
          {data.map((armed) => (
            <Armed key={armed.id} armed={armed} />
          ))}
        </ol>
      )}
      <div className="acts-row">
        <Button
          onClick={clear}
          disabledReason={control.busy ? 'Clearing…' : data?.length === 0 ? 'None.' : undefined}
          reasonHidden
        >
          Clear all failures
        </Button>
      </div>
      <Outcome of={control} />
    </div>
  );
}

function Armed({ armed }: { armed: ArmedFault }) {
  const { what, meets } = describeArmed(armed);
  const { left } = armed;
  const times = left > MANY ? 'until cleared' : left === 1 ? 'once' : `${left} times`;
  return (
    <li className="border-t border-rule py-2">
      <b>{what}</b>
      <span className="small sub block">
        {meets}, {times}
        {armed.fault.delay > 0 && `, ${armed.fault.delay / 1000} s`}
      </span>
    </li>
  );
}
