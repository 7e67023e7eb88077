// Shown when the service has no list of withdrawals, or not the one that was opened.
import { POLLED } from '#src/web/api/polled.ts';
import { useInfiniteQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { DEPOSIT_ID_PREFIX } from '#src/shared/contract/contract.ts';
import type { ApiError } from '#src/web/api/errors.ts';
import { operationPages } from '#src/web/api/operations/operations.ts';
import { areMoving, paceOf, useOperationsAbout } from '#src/web/api/operations/useOperations.ts';
import { useSession } from '#src/web/api/session.ts';
import { useWithdrawalStatuses } from '#src/web/api/withdrawalStatuses.ts';
import { type Operation, withdrawalIdOf } from '#src/shared/operations/record.ts';
import { shortStateMarkOf } from '#src/shared/operations/stateMark.ts';
import { readWithdrawalBody } from '#src/shared/operations/withdrawal.ts';
import { paths } from '#src/shared/paths.ts';
import { hasInvisible } from '#src/shared/text.ts';
import { Amount } from '#src/web/ui/Amount.tsx';
import { Button } from '#src/web/ui/Button.tsx';
import { StateChip } from '#src/web/ui/Chip.tsx';
import { type DataColumn, DataTable } from '#src/web/ui/DataTable.tsx';
import { TextField } from '#src/web/ui/Field.tsx';
import { Time } from '#src/web/ui/Time.tsx';
import { UntrustedText, ShortId } from '#src/web/ui/UntrustedText.tsx';
import { CaseFileLink } from './CaseFileLink.tsx';

const LONGEST = 300;

export function LookUpById() {
  const navigate = useNavigate();
  const [text, setText] = useState('');
  const [problem, setProblem] = useState<string>();
  const type = (next: string) => {
    setText(next);
    setProblem(undefined);
  };
  const lookUp = (event: FormEvent) => {
    event.preventDefault();
    const id = text.trim();
    const fault = faultOf(id);
    setProblem(fault);
    if (fault !== undefined) return;
    void navigate(id.startsWith(DEPOSIT_ID_PREFIX) ? paths.deposit(id) : paths.withdrawal(id));
  };
  return (
    <form className="flex max-w-measure flex-wrap items-start gap-2" noValidate onSubmit={lookUp}>
      <div className="min-w-60 flex-1 [&_.in]:font-mono [&_.in]:text-small">
        <TextField label="Withdrawal ID" error={problem} spellCheck={false} text={text} onText={type} />
      </div>
      {/* Aligned with the field, even with a message below the field. */}
      <Button type="submit" className="mt-6 h-9 narrow:h-11">
        Find
      </Button>
    </form>
  );
}

function faultOf(id: string): string | undefined {
  if (id === '') return 'Enter an ID.';
  if (id.length > LONGEST) return `Use ${LONGEST} characters or fewer.`;
  if (/\s/.test(id)) return 'Remove the spaces.';
  return hasInvisible(id) ? 'It contains an invisible character. Copy the ID again.' : undefined;
}

/** The service answered 404. A withdrawal accepted a moment ago may just not be readable yet. */
export function NoWithdrawal({ id, error }: { id: string; error: ApiError }) {
  const operation = useOperationsAbout(id).operations.find((record) => withdrawalIdOf(record) === id);
  return (
    <div className="grid gap-2">
      <p>
        <b>No withdrawal with this ID on this account.</b> It may belong to another account or not be shown yet.
      </p>
      <p className="mono">
        <UntrustedText value={id} max={160} />
      </p>
      {operation && (
        <p>
          {operation.state === 'succeeded'
            ? 'It was sent from here and the provider accepted it, so it may take a moment to appear.'
            : 'It was sent from here, and that payment isn’t resolved yet.'}{' '}
          <Link to={paths.operation(operation.key)}>View operation</Link>
        </p>
      )}
      <ProviderMessage error={error} />
      <div className="acts-row">
        <CaseFileLink at={paths.withdrawals()} id={id} />
      </div>
    </div>
  );
}

export function ProviderMessage({ error: { message, requestId } }: { error: Pick<ApiError, 'message' | 'requestId'> }) {
  return (
    <p className="small sub">
      <UntrustedText value={message} />
      {requestId !== null && (
        <>
          {' '}
          Request ID <UntrustedText mono value={requestId} max={80} />.
        </>
      )}
    </p>
  );
}

export function RecordedHere({ isNotFound }: { isNotFound: boolean }) {
  const options = operationPages(useSession().account, { kind: 'withdrawal' });
  const { data, error, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery({
    ...options,
    ...POLLED,
    refetchInterval: ({ state }) => paceOf(areMoving(state.data)),
  });
  const views = data?.pages.flatMap((page) => page.data) ?? [];
  const operations = views.map(({ operation }) => operation);
  const statusOf = useWithdrawalStatuses(operations);
  const withdrawals = views.map(({ operation, approved }) => ({
    ...operation,
    payment: statusOf(operation),
    approvals: approved.length,
  }));
  return (
    <>
      <p className="max-w-measure px-gutter py-3">
        {isNotFound && 'This provider doesn’t list withdrawals. '}Below are those sent from here; find any other by its
        ID.
      </p>
      {error && (
        <p className="max-w-measure px-gutter py-3 msg-alarm">Operations couldn’t be loaded: {error.message}</p>
      )}
      {data && withdrawals.length === 0 && <p className="max-w-measure px-gutter py-3">None sent from here yet.</p>}
      {withdrawals.length > 0 && (
        <div className="overflow-x-auto">
          <DataTable
            label="Withdrawals sent from here"
            rows={withdrawals}
            columns={recorded}
            keyOf={({ key }) => key}
          />
        </div>
      )}
      {hasNextPage && (
        <p className="max-w-measure px-gutter py-3">
          <Button disabledReason={isFetchingNextPage ? 'Loading' : undefined} onClick={() => void fetchNextPage()}>
            Load more
          </Button>
        </p>
      )}
    </>
  );
}

const recorded: DataColumn<Operation & { payment: string | null | undefined; approvals: number }>[] = [
  {
    name: 'Created',
    cell: ({ key, firstSent }) => (
      <Link to={paths.operation(key)}>
        <Time unix={firstSent.service} />
      </Link>
    ),
  },
  {
    name: 'Status',
    cell: (record) => (
      <StateChip
        mark={shortStateMarkOf(record, { payment: record.payment, approvals: record.approvals })}
        big={false}
      />
    ),
  },
  {
    name: 'To',
    cell: ({ body }) => {
      const address = readWithdrawalBody(body)?.address;
      return address !== undefined && <ShortId value={address} />;
    },
  },
  {
    name: 'Amount',
    className: 'cash',
    cell: ({ body }) => {
      const sent = readWithdrawalBody(body);
      return sent && <Amount value={sent.amount} asset={sent.asset} />;
    },
  },
];
