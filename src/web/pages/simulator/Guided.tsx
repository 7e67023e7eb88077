import { useState } from 'react';
import { Button, buttonClass } from '#src/web/ui/Button.tsx';
import { type ScenarioId, setProgress, useProgress, useRehearsal } from './rehearsal.ts';
import { LostAnswer, SlowService, TooLate, Steps } from './SendingRehearsal.tsx';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { passTime, receiveDeposit, sandboxQueries } from '#src/web/api/sandboxControls.ts';
import { paths } from '#src/shared/paths.ts';
import { useOpenedRows } from '#src/web/list/rows/loadedRows.ts';
import { Amount } from '#src/web/ui/Amount.tsx';
import { ControlButton, dueWords, Outcome, useControl, useSandbox } from './control.tsx';

interface Scenario {
  id: ScenarioId;
  title: string;
  summary: string;
  Rehearsed: () => React.ReactNode;
}

const scenarios: readonly [Scenario, ...Scenario[]] = [
  {
    id: 'lost-answer',
    title: 'The response is lost',
    summary: 'A withdrawal went through, and nobody heard.',
    Rehearsed: LostAnswer,
  },
  {
    id: 'slow',
    title: 'The provider is slow',
    summary: 'The page gives up waiting. The provider goes on.',
    Rehearsed: SlowService,
  },
  {
    id: 'late-payment',
    title: 'The customer says “I paid”',
    summary: 'A deposit arrives late and waits for its chain.',
    Rehearsed: LatePayment,
  },
  {
    id: 'too-late',
    title: 'A day passes: too late to resend',
    summary: 'Nobody resolved a lost withdrawal in time.',
    Rehearsed: TooLate,
  },
];

/** The chosen one carries the bar of a current tab, and the ring of its radio button goes around it. */
const choiceClass = [
  'relative grid cursor-pointer grid-cols-[1rem_minmax(0,1fr)] items-start gap-x-2 border-b border-rule px-4 py-3',
  'font-semibold hover:bg-hover',
  'has-checked:-mr-px has-checked:bg-sheet narrow:has-checked:mr-0',
  'has-checked:before:absolute has-checked:before:inset-y-0 has-checked:before:left-0 has-checked:before:w-1',
  'has-checked:before:bg-accent',
  'has-focus-visible:outline-2 has-focus-visible:-outline-offset-2 has-focus-visible:outline-accent',
].join(' ');

export function Guided() {
  const progress = useProgress();
  const [chosen, setChosen] = useState<ScenarioId>(progress?.scenario ?? scenarios[0].id);
  const { id, title, Rehearsed } = scenarios.find((scenario) => scenario.id === chosen) ?? scenarios[0];
  const other = progress !== null && progress.scenario !== id;
  return (
    <section className="grid gap-3" aria-labelledby="guided">
      <h2 id="guided">Guided scenarios</h2>
      <div className="grid grid-cols-[21rem_minmax(0,1fr)] border border-rule medium:grid-cols-[17rem_minmax(0,1fr)] narrow:grid-cols-1">
        <fieldset className="flex min-w-0 flex-col border-r border-rule bg-inset narrow:border-r-0">
          <legend className="vh">Which rehearsal</legend>
          {scenarios.map((scenario) => (
            <label key={scenario.id} className={choiceClass}>
              <input
                className="mt-0.5 size-4 accent-accent focus-visible:outline-none"
                type="radio"
                name="scenario"
                checked={scenario.id === id}
                onChange={() => setChosen(scenario.id)}
              />
              {scenario.title}
              <span className="col-start-2 text-small font-normal text-ink-2">
                {scenario.summary}
                {progress?.scenario === scenario.id && ' Started.'}
              </span>
            </label>
          ))}
        </fieldset>
        <div className="grid min-w-0 content-start justify-items-start gap-3 px-5 py-4 narrow:px-4">
          <h3>{title}</h3>
          {other && <p className="small sub">Starting this one ends the other.</p>}
          <Rehearsed key={id} />
          {progress?.scenario === id && (
            <Button size="small" onClick={() => setProgress(null)}>
              Start over
            </Button>
          )}
        </div>
      </div>
    </section>
  );
}

const PAID = { asset: 'BTC', chain: 'bitcoin', amount: '0.015', status: 'pending' };
/** As long as the sandbox lets a deposit on bitcoin wait for its confirmations. */
const CONFIRMING_SECONDS = 30 * 60;

function LatePayment() {
  const control = useControl();
  const { account, sandbox } = useSandbox();
  const { progress, begin } = useRehearsal('late-payment');
  const opened = useOpenedRows();
  const { data: state } = useQuery(sandboxQueries.state(account, sandbox));
  const deposit = progress?.deposit;
  const settled = deposit !== undefined && state !== undefined && !state.deposits.some(({ id }) => id === deposit.id);
  const arrive = async () => {
    const { id } = await receiveDeposit(sandbox, PAID);
    await begin({ deposit: { id, asset: PAID.asset, amount: PAID.amount } });
    return 'The payment was detected on its chain, and is not confirmed yet.';
  };
  const confirm = async () => {
    const { fell_due } = await passTime(sandbox, CONFIRMING_SECONDS);
    return `30 minutes passed. ${dueWords(fell_due)}`;
  };
  const paid = <Amount value={PAID.amount} asset={PAID.asset} flow />;
  return (
    <>
      <Steps
        steps={[
          {
            id: 'look',
            text: (
              <>
                A customer says “I paid {paid} an hour ago”.{' '}
                <Link to={paths.deposits('asset=BTC')}>Look in the deposits</Link>: it is not there, and that proves
                nothing yet.
              </>
            ),
            done: deposit !== undefined,
          },
          {
            id: 'arrive',
            text: 'Now it arrives, late.',
            done: deposit !== undefined,
            act: (
              <ControlButton variant="primary" of={control} doing="Working…" act={arrive}>
                Create deposit
              </ControlButton>
            ),
          },
          {
            id: 'find',
            text: (
              <>
                Find it in the deposits, by amount and time. It is Pending: counted under Pending of the{' '}
                <Link to={paths.balance(PAID.asset)}>BTC balance</Link>, and not to be spent. This is what the customer
                may be told.
              </>
            ),
            done: deposit !== undefined && (opened.has(deposit.id) || settled),
            act: deposit && (
              <Link className={buttonClass('primary')} to={paths.deposit(deposit.id)}>
                Open the deposit
              </Link>
            ),
          },
          {
            id: 'confirm',
            text: 'Advance the clock until it is confirmed: half an hour on this chain.',
            done: settled,
            act: deposit && (
              <ControlButton of={control} doing="Working…" act={confirm}>
                Advance 30 minutes
              </ControlButton>
            ),
          },
          {
            id: 'settled',
            text: (
              <>
                It is completed, and counted under Available.{' '}
                {deposit && settled && <Link to={paths.deposit(deposit.id)}>Open the deposit</Link>}
              </>
            ),
            done: settled,
          },
        ]}
      />
      <Outcome of={control} />
    </>
  );
}
