import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { moveDeposit, moveWithdrawal, sandboxQueries, type SandboxState } from '#src/web/api/sandboxControls.ts';
import { paths } from '#src/shared/paths.ts';
import { shorten } from '#src/shared/text.ts';
import { StatusCell } from '#src/web/list/rows/StatusCell.tsx';
import { Amount } from '#src/web/ui/Amount.tsx';
import { ShortId } from '#src/web/ui/UntrustedText.tsx';
import {
  type Control,
  ControlButton,
  Loaded,
  ControlResult,
  SimulatorPart,
  useControl,
  useSandbox,
} from './control.tsx';

const MOST = 10;

const BROADCAST = { label: 'Broadcast', status: 'broadcasted', words: 'it has a transaction hash' };
const WITHDRAWAL_ENDS = [
  { label: 'Complete', status: 'completed', words: 'the locked funds have left' },
  { label: 'Fail', status: 'failed', words: 'the locked funds are available again' },
];
const DEPOSIT_ENDS = [
  { label: 'Complete', status: 'completed', words: 'its funds are available' },
  { label: 'Fail', status: 'failed', words: 'its funds are no longer pending' },
];

type Flight = ReturnType<typeof ofWithdrawal> | ReturnType<typeof ofDeposit>;

const ofWithdrawal = (row: SandboxState['withdrawals'][number]) => ({
  ...row,
  kind: 'withdrawal' as const,
  to: row.address ?? '',
  moves: row.tx_hash === null ? [BROADCAST, ...WITHDRAWAL_ENDS] : WITHDRAWAL_ENDS,
});
const ofDeposit = (row: SandboxState['deposits'][number]) => ({
  ...row,
  kind: 'deposit' as const,
  amount: row.received_amount,
  to: null,
  moves: DEPOSIT_ENDS,
});

const WHAT = 'what is in flight';

export function InFlight() {
  const control = useControl();
  const { account, sandbox } = useSandbox();
  const query = useQuery(sandboxQueries.state(account, sandbox));
  return (
    <SimulatorPart title="In flight" of={{ query, what: WHAT }}>
      <p className="sub small">Neither completed nor failed. These go on as the account’s time passes, or here.</p>
      <Loaded query={query} what={WHAT}>
        {({ withdrawals, deposits }) => (
          <>
            <Flights title="Withdrawals" flights={withdrawals.map(ofWithdrawal)} control={control} />
            <Flights title="Deposits" flights={deposits.map(ofDeposit)} control={control} />
          </>
        )}
      </Loaded>
      <ControlResult of={control} />
    </SimulatorPart>
  );
}

function Flights({ title, flights, control }: { title: string; flights: readonly Flight[]; control: Control }) {
  const more = flights.length - MOST;
  return (
    <>
      <h3>{title}</h3>
      {flights.length === 0 ? (
        <p className="sub">None.</p>
      ) : (
        <ul aria-label={`${title} in flight`}>
          {flights.slice(0, MOST).map((flight) => (
            <Row key={flight.id} flight={flight} control={control} />
          ))}
        </ul>
      )}
      {more > 0 && <p className="sub small">And {more} older.</p>}
    </>
  );
}

function Row({ flight, control }: { flight: Flight; control: Control }) {
  const { kind, id, status, asset, amount, to, moves } = flight;
  const path = paths[kind](id);
  const money = <Amount value={amount} asset={asset ?? undefined} flow />;
  const move = async (next: typeof BROADCAST) => {
    await (kind === 'withdrawal' ? moveWithdrawal : moveDeposit)(control.sandbox, id, next.status);
    return (
      <>
        The {kind} of {money} is {next.status}: {next.words}. <Link to={path}>Open the {kind}</Link>
      </>
    );
  };
  return (
    <li className="flex flex-wrap items-center justify-between gap-2 border-t border-rule py-2">
      <span className="min-w-0 [&_.st]:ml-2 [&_.st]:align-middle">
        {money} <StatusCell status={status} />
        <span className="small sub block">
          <Link className="id" to={path}>
            <ShortId value={id} />
          </Link>
          {to !== null && (
            <>
              {' '}
              to <ShortId value={to} />
            </>
          )}
        </span>
      </span>
      <span className="flex flex-wrap gap-1">
        {moves.map((next) => (
          <ControlButton key={next.status} size="small" of={control} doing="Working…" act={() => move(next)}>
            {next.label}
            <span className="vh">
              {' '}
              {kind} {shorten(id)}
            </span>
          </ControlButton>
        ))}
      </span>
    </li>
  );
}
