import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { describeError } from '#src/api/errors.ts';
import { moveDeposit, moveWithdrawal, sandboxQueries } from '#src/api/sandboxControls.ts';
import type { SandboxState } from '#src/api/sandboxSchemas.ts';
import { paths } from '#src/lib/paths.ts';
import { shorten } from '#src/lib/text.ts';
import { StatusCell } from '#src/list/StatusCell.tsx';
import { Amount } from '#src/ui/Amount.tsx';
import { Button } from '#src/ui/Button.tsx';
import { ErrorNotice } from '#src/ui/ErrorNotice.tsx';
import { ShortId } from '#src/ui/ShortId.tsx';
import { Part } from './Part.tsx';
import type { SandboxAccount } from './sandboxAccount.ts';
import { type Control, Outcome, useControl } from './useControl.tsx';

const MOST = 10;

const flyingClass = 'flex flex-wrap items-center justify-between gap-2 border-t border-rule py-2';

type Withdrawal = SandboxState['withdrawals'][number];
type Deposit = SandboxState['deposits'][number];

/** What has neither completed nor failed, and the ways to end it. Rows change only after an act or a reading. */
export function InFlight({ owner }: { owner: SandboxAccount }) {
  const control = useControl(owner.account);
  const { data, error, refetch, isFetching } = useQuery(sandboxQueries.state(owner.account, owner.sandbox));
  const read = () => void refetch();
  return (
    <Part title="In flight" reading={{ label: 'Refresh what is in flight', again: read, busy: isFetching }}>
      <p className="sub small">Neither completed nor failed. These go on as the account’s time passes, or here.</p>
      {error && !data && (
        <ErrorNotice
          error={describeError(error)}
          heading="Couldn’t load what is in flight"
          onRetry={read}
          retrying={isFetching}
        />
      )}
      {data && (
        <>
          <Flying title="Withdrawals" rows={data.withdrawals}>
            {(row) => <WithdrawalRow key={row.id} row={row} owner={owner} control={control} />}
          </Flying>
          <Flying title="Deposits" rows={data.deposits}>
            {(row) => <DepositRow key={row.id} row={row} owner={owner} control={control} />}
          </Flying>
        </>
      )}
      <Outcome of={control} />
    </Part>
  );
}

function Flying<T>({ title, rows, children }: { title: string; rows: T[]; children: (row: T) => ReactNode }) {
  const more = rows.length - MOST;
  return (
    <>
      <h3>{title}</h3>
      {rows.length === 0 ? (
        <p className="sub">None.</p>
      ) : (
        <ul aria-label={`${title} in flight`}>{rows.slice(0, MOST).map(children)}</ul>
      )}
      {more > 0 && <p className="sub small">And {more} older.</p>}
    </>
  );
}

interface RowProps<T> {
  row: T;
  owner: SandboxAccount;
  control: Control;
}

function WithdrawalRow({ row, owner, control }: RowProps<Withdrawal>) {
  const of = `withdrawal ${shorten(row.id)}`;
  const amount = <Amount value={row.amount} asset={row.asset ?? undefined} flow />;
  const move = (status: string, words: string) =>
    control.run(async () => {
      await moveWithdrawal(owner.sandbox, row.id, status);
      return (
        <>
          The withdrawal of {amount} is {status}: {words}.{' '}
          <Link to={paths.withdrawal(row.id)}>Open the withdrawal</Link>
        </>
      );
    });
  return (
    <li className={flyingClass}>
      <span className="min-w-0 [&_.st]:ml-2 [&_.st]:align-middle">
        {amount} <StatusCell status={row.status} />
        <span className="small sub block">
          <Link className="id" to={paths.withdrawal(row.id)}>
            <ShortId value={row.id} />
          </Link>{' '}
          to <ShortId value={row.address ?? ''} />
        </span>
      </span>
      <span className="flex flex-wrap gap-1">
        {row.tx_hash === null && (
          <Move
            label="Broadcast"
            of={of}
            control={control}
            onMove={() => move('broadcasted', 'it has a transaction hash')}
          />
        )}
        <Move
          label="Complete"
          of={of}
          control={control}
          onMove={() => move('completed', 'the locked funds have left')}
        />
        <Move
          label="Fail"
          of={of}
          control={control}
          onMove={() => move('failed', 'the locked funds are available again')}
        />
      </span>
    </li>
  );
}

function DepositRow({ row, owner, control }: RowProps<Deposit>) {
  const of = `deposit ${shorten(row.id)}`;
  const amount = <Amount value={row.received_amount} asset={row.asset ?? undefined} flow />;
  const move = (status: string, words: string) =>
    control.run(async () => {
      await moveDeposit(owner.sandbox, row.id, status);
      return (
        <>
          The deposit of {amount} is {status}: {words}. <Link to={paths.deposit(row.id)}>Open the deposit</Link>
        </>
      );
    });
  return (
    <li className={flyingClass}>
      <span className="min-w-0 [&_.st]:ml-2 [&_.st]:align-middle">
        {amount} <StatusCell status={row.status} />
        <span className="small sub block">
          <Link className="id" to={paths.deposit(row.id)}>
            <ShortId value={row.id} />
          </Link>
        </span>
      </span>
      <span className="flex flex-wrap gap-1">
        <Move label="Complete" of={of} control={control} onMove={() => move('completed', 'its funds are available')} />
        <Move label="Fail" of={of} control={control} onMove={() => move('failed', 'its funds are no longer pending')} />
      </span>
    </li>
  );
}

interface MoveProps {
  label: string;
  /** Which row, for those who hear the button alone. */
  of: string;
  control: Control;
  onMove: () => void;
}

function Move({ label, of, control, onMove }: MoveProps) {
  return (
    <Button size="small" disabledReason={control.busy ? 'Working…' : undefined} reasonHidden onClick={onMove}>
      {label}
      <span className="vh"> {of}</span>
    </Button>
  );
}
