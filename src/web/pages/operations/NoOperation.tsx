import type { UseQueryResult } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useNavigate } from 'react-router';
import { PRESS_HOLDS_MS, type NotSent as Tombstone } from '#src/shared/contract/gatewayContract.ts';
import { type ReceivedView, isOperationError } from '#src/web/api/operations/operations.ts';
import type { PendingStart, UnansweredStart } from '#src/web/api/operations/pendingStarts.ts';
import { useDiscard } from '#src/web/api/operations/useOperations.ts';
import { START_PATHS } from '#src/shared/operations/kind.ts';
import { KIND } from '#src/shared/operations/kinds.ts';
import { locationState } from '#src/web/storage/locationState.ts';
import { stateMarkOf } from '#src/shared/operations/stateMark.ts';
import { revealHidden } from '#src/shared/text.ts';
import { Button } from '#src/web/ui/Button.tsx';
import { LoadError } from '#src/web/list/ErrorNotice.tsx';
import { PageHeader } from '#src/web/ui/PageHeader.tsx';
import { UntrustedText } from '#src/web/ui/UntrustedText.tsx';
import { StateChip } from '#src/web/ui/Chip.tsx';
import { Time } from '#src/web/ui/Time.tsx';
import { useDelay } from '#src/web/ui/useLoaded.ts';
import { useNow } from '#src/web/ui/useNow.ts';
import { DamagedRecord } from './DamagedRecords.tsx';
import { LiveStatus, statusTextClass } from '#src/web/ui/Verdict.tsx';
import { AllOperations, StatePage } from './StatePage.tsx';

export function NoOperation({ operationKey, query }: { operationKey: string; query: UseQueryResult<ReceivedView> }) {
  const { error } = query;
  const slow = useDelay(error === null);
  if (isOperationError(error, 'not_recorded')) return <NotRecorded operationKey={operationKey} />;
  if (isOperationError(error, 'nobody_knows')) return <MissingAfterRestore operationKey={operationKey} />;
  if (isOperationError(error, 'key_taken')) return <KeyTaken operationKey={operationKey} />;
  if (isOperationError(error, 'not_sent') && error.extras.not_sent)
    return <NotSentNotice operationKey={operationKey} notSent={error.extras.not_sent} message={null} />;
  if (isOperationError(error, 'unreadable') && error.extras.unreadable)
    return <DamagedRecord unreadable={error.extras.unreadable} />;
  return (
    <>
      <PageHeader title="Operation" />
      {error === null ? (
        <div className="page-body pad" aria-busy>
          {slow && <output>Loading the operation</output>}
        </div>
      ) : (
        <div className="page-body">
          <LoadError of={query} heading="Couldn’t load this operation" />
        </div>
      )}
    </>
  );
}

const RECORDING = { tone: 'motion', icon: 'plane', chip: 'Recording' } as const;

/** Explain the wait only after this time. */
const SLOW_MS = 2_000;

/** A start that the server has not answered yet. */
export function Recording({ start }: { start: UnansweredStart }) {
  const slow = useDelay(true, SLOW_MS);
  const { key, kind, notAfter, failure, status } = start;
  return (
    <StatePage title={`Recording a ${KIND[kind].one}`} tone="motion">
      <StateChip mark={RECORDING} />
      <p>The server records it before it sends anything.</p>
      {slow && (
        <NoRecordYet operationKey={key} until={notAfter} failure={failure}>
          {status === 'discarding' ? 'This page goes on discarding it' : 'This page asks again'} for as long as it is
          open.
        </NoRecordYet>
      )}
    </StatePage>
  );
}

/** Assumed maximum difference between the clocks of this device and the server. */
const CLOCKS_APART_MS = 10_000;
/** By key: until when a request may still arrive, Unix ms. An estimate, because after a reload no one knows when it was sent. */
const mayArriveUntil = new Map<string, number>();

/** After a reload: the request may still be on its way, or was never sent. */
function NotRecorded({ operationKey }: { operationKey: string }) {
  const [until] = useState(() => {
    const latest = mayArriveUntil.get(operationKey) ?? Date.now() + PRESS_HOLDS_MS + CLOCKS_APART_MS;
    mayArriveUntil.set(operationKey, latest);
    return latest;
  });
  return (
    <StatePage title="No record yet" linked tone="motion" operationKey={operationKey}>
      <NoRecordYet operationKey={operationKey} until={until} failure={null}>
        This page looks for it as long as it is open.
      </NoRecordYet>
    </StatePage>
  );
}

interface NoRecordYetProps {
  operationKey: string;
  /** Unix ms: a copy of the request that arrives later is not recorded. */
  until: number;
  /** Why the last request proved nothing. */
  failure: string | null;
  children?: ReactNode;
}

function NoRecordYet({ operationKey, until, failure, children }: NoRecordYetProps) {
  const discard = useDiscard(operationKey);
  const isOver = useNow(1) > until / 1000;
  const at = <Time unix={Math.ceil(until / 1000)} />;
  return (
    <>
      <output className={statusTextClass}>
        <p>
          <b>No record yet.</b>{' '}
          {isOver ? (
            <>It should have arrived by {at}. Discard it to be certain.</>
          ) : (
            <>It may still arrive until {at}.</>
          )}
        </p>
      </output>
      <p className="small sub">
        {failure} {children}
      </p>
      <div className="acts-row">
        <Button
          disabledReason={discard.isPending ? 'Asking the server' : undefined}
          onClick={() => discard.mutate(undefined)}
        >
          Discard
        </Button>
      </div>
      <output className={discard.error ? 'msg msg-alarm' : 'vh'}>
        {discard.error && `Not discarded. ${discard.error.message}`}
      </output>
    </>
  );
}

interface NotSentProps {
  operationKey: string;
  notSent: Tombstone;
  /** The server's reason for refusing the request. */
  message: string | null;
  /** The start in this tab, which has the values for the way back to the form. */
  start?: PendingStart;
}

const WHY: Record<Tombstone['why'], string> = {
  discarded: 'It was discarded before it was recorded.',
  'too-late': 'It reached the server more than two minutes after it was reviewed.',
  invalid: 'The server doesn’t send such a request.',
  'look-alike': 'Another one for the same came first. Review it again to see that one.',
};

/** A tombstone: nothing was sent under this key, and nothing ever will be. */
export function NotSentNotice({ operationKey, notSent, message, start }: NotSentProps) {
  const navigate = useNavigate();
  const isRefused = notSent.why === 'invalid' && message !== null;
  return (
    <StatePage title={start ? `${KIND[start.kind].title} not sent` : 'Not sent'} linked>
      <LiveStatus mark={stateMarkOf({ state: 'not-sent' })}>
        <b>Nothing was sent.</b> {WHY[notSent.why]}
        {isRefused && ` ${revealHidden(message)}`}
      </LiveStatus>
      <p className="small sub">
        It can’t be sent any more: <UntrustedText mono value={operationKey} max={80} />
      </p>
      <div className="acts-row">
        {start && (
          <Button
            variant="primary"
            onClick={() =>
              void navigate(START_PATHS[start.kind], { replace: true, state: locationState({ draft: start.draft }) })
            }
          >
            Back to the form
          </Button>
        )}
        <AllOperations />
      </div>
    </StatePage>
  );
}

function MissingAfterRestore({ operationKey }: { operationKey: string }) {
  return (
    <UnknownStatePage title="Nobody knows" operationKey={operationKey}>
      <b>The database was restored from an older copy, and newer records are missing.</b> This may have been sent, or
      never recorded. Check with the provider before you send it again.
    </UnknownStatePage>
  );
}

/** Another account's operation. Shows only that it exists. */
export function KeyTaken({ operationKey }: { operationKey: string }) {
  return (
    <UnknownStatePage title="Another account’s operation" operationKey={operationKey}>
      <b>This link belongs to an operation of another account or API key.</b> It isn’t shown here, and nothing of yours
      was recorded under it.
    </UnknownStatePage>
  );
}

const UNKNOWN = { tone: 'open', icon: 'question', chip: 'Not known' } as const;

function UnknownStatePage({
  title,
  operationKey,
  children,
}: {
  title: string;
  operationKey: string;
  children: ReactNode;
}) {
  return (
    <StatePage title={title} tone="open" operationKey={operationKey}>
      <StateChip mark={UNKNOWN} />
      <p>{children}</p>
      <div className="acts-row">
        <AllOperations />
      </div>
    </StatePage>
  );
}
