import { useRefusal } from '#src/web/api/permissions.ts';
import { Link } from 'react-router';
import { serviceHost, type Session, useSession } from '#src/web/api/session.ts';
import { paths } from '#src/shared/paths.ts';
import { buttonClass } from '#src/web/ui/Button.tsx';
import { Notice } from '#src/web/ui/Notice.tsx';
import { PageFrame } from '#src/web/ui/PageHeader.tsx';
import { SimulatorPart, ControlButton, processedWords, ControlResult, useControl, useSandbox } from './control.tsx';
import { ActiveFailures, FaultForm } from './Failures.tsx';
import { GuidedScenarios } from './GuidedScenarios.tsx';
import { InFlight } from './InFlight.tsx';
import { LedgerTotals } from './Ledger.tsx';
import { NewDeposit, NewSwap } from './NewMovements.tsx';
import { useQuery } from '@tanstack/react-query';
import { useForm, useWatch } from 'react-hook-form';
import * as v from 'valibot';
import { advanceClock, sandboxQueries } from '#src/web/api/sandboxControls.ts';
import { ruledText } from '#src/shared/fieldRules.ts';
import { lasting } from '#src/shared/time.ts';
import { FormText, schemaResolver } from '#src/web/send/FormFields.tsx';
import { EmptyState } from '#src/web/ui/EmptyState.tsx';
import { SelectField } from '#src/web/ui/SelectField.tsx';
import { Time, useZone } from '#src/web/ui/Time.tsx';
import { useNow } from '#src/web/ui/useNow.ts';

export function Component() {
  const session = useSession();
  return session.sandbox === null ? <NotSandbox session={session} /> : <Simulator />;
}

function NotSandbox({ session }: { session: Session }) {
  return (
    <PageFrame title="Simulator">
      <EmptyState
        action={
          <Link className={buttonClass()} to={paths.balances}>
            Go to Balances
          </Link>
        }
      >
        The simulator works with the sandbox only. This server is connected to{' '}
        <bdi translate="no">{serviceHost(session)}</bdi>.
      </EmptyState>
    </PageFrame>
  );
}

function Simulator() {
  const refusal = useRefusal('prepare');
  return (
    <PageFrame title="Simulator" asOf={<AccountClock />}>
      <div className="pad grid max-w-312 gap-6 [&_.err]:p-0 [&_.err]:pt-3">
        <p className="max-w-measure text-ink-2">
          Simulate outages and late payments, then handle them as in real life. This is the sandbox, with no real money;
          failures and time are this account’s alone.
        </p>
        {refusal !== undefined && (
          <Notice tone="plain" title={refusal}>
            You can’t send withdrawals; deposits, time and failures of reads can be simulated.
          </Notice>
        )}
        <GuidedScenarios />
        <div className="grid grid-cols-2 items-start gap-x-12 gap-y-8 medium:gap-8 narrow:grid-cols-1">
          <div className="grid min-w-0 grid-cols-1 gap-8">
            <SimulatorPart title="Failures">
              <FaultForm />
              <ActiveFailures />
            </SimulatorPart>
            <SimulatorPart title="Clock">
              <p className="sub small">
                Only this account’s clock moves, and only forward. Anything due is processed. An operation in progress
                learns the new time with its next check.
              </p>
              <ClockControls />
            </SimulatorPart>
          </div>
          <div className="grid min-w-0 grid-cols-1 gap-8">
            <SimulatorPart title="New deposit">
              <NewDeposit />
            </SimulatorPart>
            <SimulatorPart title="New swap">
              <p className="sub small">Moves value between two balances, with no transaction on a chain.</p>
              <NewSwap />
            </SimulatorPart>
            <InFlight />
            <LedgerTotals />
          </div>
        </div>
      </div>
    </PageFrame>
  );
}

/** A smaller difference is due to the round trip to the server. */
const ROUND_TRIP_SECONDS = 10;

function AccountClock() {
  const { account, sandbox } = useSandbox();
  const { data, dataUpdatedAt } = useQuery(sandboxQueries.state(account, sandbox));
  const now = useNow(1);
  const zone = useZone();
  if (!data) return null;
  const ahead = data.now - Math.floor(dataUpdatedAt / 1000);
  return (
    <span>
      The account’s clock: <Time unix={Math.max(data.now, now + ahead)} />
      {zone === 'utc' && ' UTC'}
      {ahead > ROUND_TRIP_SECONDS && `, ${lasting(Math.round(ahead / 60) * 60)} ahead of this device`}
    </span>
  );
}

const CLOCK_STEPS = [
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

/** Moves the clock forward only: moving it back past the expiry of a key would let a payment run twice. */
function ClockControls() {
  const control = useControl();
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
  const advance = async (seconds: number, words: string) => {
    const { now, fell_due } = await advanceClock(control.sandbox, seconds);
    return (
      <>
        {words} passed. The account’s clock shows <Time unix={now} />. {processedWords(fell_due)}
      </>
    );
  };
  const advanceTyped = (typed: Fields) =>
    control.run(() =>
      advance(secondsOf(typed), `${typed.count} ${UNITS.find(({ value }) => value === typed.unit)?.label}`),
    );
  return (
    <>
      <div className="acts-row">
        {CLOCK_STEPS.map(({ seconds, label }) => (
          <ControlButton key={seconds} of={control} doing="Advancing…" act={() => advance(seconds, label)}>
            {label}
          </ControlButton>
        ))}
      </div>
      <form className={rowClass} noValidate onSubmit={(event) => void form.handleSubmit(advanceTyped)(event)}>
        <FormText label="Other" required control={form.control} name="count" inputMode="numeric" />
        <SelectField label="Unit" value={unit} options={UNITS} onChange={(next) => form.setValue('unit', next)} />
        <ControlButton
          of={control}
          doing="Advancing…"
          className="mt-6 h-9 narrow:mt-0 narrow:h-11 narrow:justify-self-start"
        >
          Advance clock
        </ControlButton>
      </form>
      <ControlResult of={control} />
    </>
  );
}

function secondsOf({ count, unit }: Fields): number {
  return /^\d{1,9}$/.test(count) ? Number(count) * Number(unit) : 0;
}
