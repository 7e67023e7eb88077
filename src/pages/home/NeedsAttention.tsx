import { CircleCheck, CircleQuestionMark, Clock } from 'lucide-react';
import { useState } from 'react';
import { describeError } from '#src/api/errors.ts';
import { counted } from '#src/lib/count.ts';
import { formatClock } from '#src/lib/time.ts';
import { ErrorLine } from '#src/list/ErrorLine.tsx';
import { StillLoading } from '#src/list/StillLoading.tsx';
import { StatusCell } from '#src/list/StatusCell.tsx';
import { Button } from '#src/ui/Button.tsx';
import { Chip, StateChip } from '#src/ui/Chip.tsx';
import { type DataColumn, DataTable } from '#src/ui/DataTable.tsx';
import { useLoaded } from '#src/ui/useLoaded.ts';
import { useZone } from '#src/ui/Time.tsx';
import { useDelay } from '#src/ui/useDelay.ts';
import { type Attention, type Check, differs, listed } from './attention.ts';
import { Act, Waiting, What } from './AttentionRow.tsx';
import type { HomeData } from './useHome.ts';

/** More of them open on request. */
const SHOWN = 8;
const NONE: readonly Attention[] = [];

/** What waits for a person, the worst first; else what was checked. Nothing is shown before all of it is known, or has taken too long: what is above pushes down what is below. */
export function NeedsAttention({ home, isReady }: { home: HomeData; isReady: boolean }) {
  const attention = isReady ? home.attention : NONE;
  const [all, setAll] = useState(false);
  const shown = all ? attention : attention.slice(0, SHOWN);
  return (
    <section className="reg" aria-label="Needs attention">
      {shown.length > 0 && (
        <DataTable label="Needs attention" className="grid-table att" rows={shown} columns={columns} keyOf={keyOf} />
      )}
      {shown.length < attention.length && (
        <p className="more">
          <Button size="small" onClick={() => setAll(true)}>
            Show {counted(attention.length - shown.length, 'more', 'more')}
          </Button>
        </p>
      )}
      <Checked home={home} />
    </section>
  );
}

const columns: DataColumn<Attention>[] = [
  { name: 'Needs attention', head: <h2>Needs attention</h2>, className: 'c-st', cell: (each) => chipOf(each) },
  { name: 'What', head: <span className="vh">What</span>, className: 'what', cell: (each) => <What of={each} /> },
  { name: 'Waiting', className: 'since', cell: (each) => <Waiting of={each} /> },
  { name: 'Action', head: <span className="vh">Action</span>, className: 'do', cell: (each) => <Act of={each} /> },
];

function keyOf(each: Attention): string {
  switch (each.kind) {
    case 'operation':
      return each.operation.key;
    case 'balance':
      return `balance ${each.balance.asset} ${String(each.balance.total)}`;
    case 'failed':
    case 'stuck':
      return `${each.payment.kind} ${each.payment.id}`;
  }
}

function chipOf(each: Attention) {
  switch (each.kind) {
    case 'operation': {
      const { record } = each.operation;
      if (record === null)
        return <StateChip big={false} mark={{ tone: 'alarm', icon: 'triangle', chip: 'Unreadable' }} />;
      if (differs(each.operation))
        return <StateChip big={false} mark={{ tone: 'alarm', icon: 'triangle', chip: 'Response differs' }} />;
      const isReady = record.state === 'ready';
      return (
        <StateChip
          big={false}
          mark={
            isReady
              ? { tone: 'plain', icon: 'dot', chip: 'Not sent' }
              : { tone: 'open', icon: 'question', chip: 'Unconfirmed' }
          }
        />
      );
    }
    case 'failed':
      return <StatusCell status={each.payment.status} />;
    case 'stuck':
      return (
        <Chip tone="motion" icon={<Clock aria-hidden />}>
          Stuck
        </Chip>
      );
    case 'balance':
      return <StateChip big={false} mark={{ tone: 'alarm', icon: 'triangle', chip: 'Check failed' }} />;
  }
}

/** What was checked and when, or what kept it from being checked. Silence is said only of a whole check. */
function Checked({ home: { attention, checks, refetch, isFetching, hours, usualOf, lists } }: { home: HomeData }) {
  const zone = useZone();
  const failed = checks.filter(({ state }) => state === 'failed');
  const isLoading = checks.some(({ state }) => state === 'loading');
  const slow = useDelay(isLoading, 600);
  const partly = checks.filter(({ state }) => state === 'partly');
  const times = checks.flatMap(({ readAt }) => readAt ?? []);
  const at = times.length === 0 ? '' : ` at ${hour(Math.min(...times), zone)}`;
  const seen = checks.flatMap(({ state, words }) =>
    words === '' || (state !== 'whole' && state !== 'partly') ? [] : words,
  );
  const how = <How hours={hours} usualOf={usualOf} lists={lists} />;
  if (failed.length > 0) {
    return (
      <div className="clear clear-open">
        <CircleQuestionMark aria-hidden />
        <div>
          <output>
            <b>Can’t check right now:</b>{' '}
            {failed.map((check, index) => (
              <span key={check.what}>
                {index > 0 && '; '}
                {check.what} didn’t load ({whyOf(check)}, {hour(describeError(check.error).at, zone)})
              </span>
            ))}
            .
          </output>{' '}
          <Button size="small" onClick={refetch} disabledReason={isFetching ? 'Loading' : undefined} reasonHidden>
            Retry
          </Button>
          <p className="small dim">
            <ErrorLine error={failed[0]?.error} />
          </p>
        </div>
      </div>
    );
  }
  if (isLoading) {
    return (
      <div className="clear" key="loading">
        <output>
          <StillLoading what="payments and balances">
            {slow ? 'Checking payments and balances…' : '\u00a0'}
          </StillLoading>
        </output>
      </div>
    );
  }
  if (partly.length > 0) {
    return (
      <div className="clear clear-open">
        <CircleQuestionMark aria-hidden />
        <output>
          Checked {listed(seen)}
          {at}. Not everything could be checked: {listed(partly.map(({ what }) => what))}.
        </output>
        {how}
      </div>
    );
  }
  return (
    <div className="clear">
      {attention.length === 0 && <CircleCheck aria-hidden className="text-proof" />}
      <output>
        {attention.length === 0 && <b>All clear. </b>}Checked {listed(seen)}
        {at}.
      </output>
      {how}
    </div>
  );
}

const loadHow = () => import('./HowDetected.tsx');
const loadNothing = () => Promise.resolve(null);

function How(props: Pick<HomeData, 'hours' | 'usualOf' | 'lists'>) {
  const [isOpen, setOpen] = useState(false);
  const how = useLoaded(isOpen ? loadHow : loadNothing).value;
  return (
    <details className="home-how" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>How we detect this</summary>
      {how && <how.HowDetected {...props} />}
    </details>
  );
}

function hour(unix: number, zone: ReturnType<typeof useZone>): string {
  return `${formatClock(unix, zone).slice(0, 5)}${zone === 'utc' ? ' UTC' : ''}`;
}

function whyOf({ error }: Check): string {
  const { status, code, heading } = describeError(error);
  if (status === null)
    return heading === 'The provider didn’t respond in time' ? 'no response in time' : 'no connection';
  return [status, code].filter((part) => part !== null).join(' ');
}
