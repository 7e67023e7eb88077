import type { UseQueryResult } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { Link } from 'react-router';
import { describeError } from '#src/api/errors.ts';
import { PRESS_HOLDS_MS } from '#src/api/gatewayContract.ts';
import { type SeenOperation, isOperationError } from '#src/api/operations.ts';
import { paths } from '#src/lib/paths.ts';
import { buttonClass } from '#src/ui/Button.tsx';
import { ErrorNotice } from '#src/ui/ErrorNotice.tsx';
import { PageHeader } from '#src/ui/PageHeader.tsx';
import { RawText } from '#src/ui/RawText.tsx';
import { StateChip } from '#src/ui/StateChip.tsx';
import { useDelay } from '#src/ui/useDelay.ts';
import { NotSent } from './NotSent.tsx';
import './operations.css';
import { NoRecordYet } from './Recording.tsx';
import { Unreadable } from './Unreadable.tsx';

interface NoOperationProps {
  /** The operation's key. */
  address: string;
  query: UseQueryResult<SeenOperation>;
}

/** The page of a key that has no operation to show: still loading, not recorded, spent, another's, or not known. */
export function NoOperation({ address, query }: NoOperationProps) {
  const { error, refetch, isFetching } = query;
  const slow = useDelay(error === null);
  if (isOperationError(error, 'not_recorded')) return <NotRecorded address={address} />;
  if (isOperationError(error, 'nobody_knows')) return <NobodyKnows address={address} />;
  if (isOperationError(error, 'key_taken')) return <KeyTaken address={address} />;
  if (isOperationError(error, 'not_sent') && error.extras.not_sent) {
    const told = { notSent: error.extras.not_sent, message: null, lookAlikes: null };
    return <NotSent address={address} told={told} />;
  }
  if (isOperationError(error, 'unreadable') && error.extras.unreadable)
    return <Unreadable unreadable={error.extras.unreadable} />;
  return (
    <>
      <PageHeader title="Operation" />
      {error === null ? (
        <div className="page-body pad" aria-busy>
          {slow && <output>Loading the operation</output>}
        </div>
      ) : (
        <div className="page-body">
          <ErrorNotice
            error={describeError(error)}
            heading="The operation could not be loaded"
            onRetry={() => void refetch()}
            retrying={isFetching}
          />
        </div>
      )}
    </>
  );
}

/** A press of Send holds for two minutes, by clocks that may differ by so much; milliseconds. */
const CLOCKS_APART_MS = 10_000;
/** Until when the request of a key may still arrive, where no page knows when it left; Unix milliseconds. */
const mayArriveUntil = new Map<string, number>();

/** After a reload: the request of this key may still be on its way, or there never was one. */
function NotRecorded({ address }: { address: string }) {
  const [until] = useState(() => {
    const known = mayArriveUntil.get(address) ?? Date.now() + PRESS_HOLDS_MS + CLOCKS_APART_MS;
    mayArriveUntil.set(address, known);
    return known;
  });
  return (
    <>
      <PageHeader title="No record yet" actions={<Link to={paths.operations}>All operations</Link>} />
      <div className="page-body">
        <section className="verdict verdict-motion" aria-label="State">
          <NoRecordYet address={address} until={until} failure={null}>
            This page looks for it as long as it is open.
          </NoRecordYet>
          <Address>{address}</Address>
        </section>
      </div>
    </>
  );
}

const UNKNOWN = { tone: 'open', icon: 'question', chip: 'Not known' } as const;

function NobodyKnows({ address }: { address: string }) {
  return (
    <Untold title="Nobody knows" address={address}>
      <b>The journal was set back, and what was recorded in between isn’t in it.</b> This may have been sent, or never
      recorded. Check with the provider before you send it again.
    </Untold>
  );
}

/** Another account's operation: that it exists is all that is said. */
export function KeyTaken({ address }: { address: string }) {
  return (
    <Untold title="Another account’s operation" address={address}>
      <b>This link belongs to an operation of another account or API key.</b> It isn’t shown here, and nothing of yours
      was recorded under it.
    </Untold>
  );
}

function Untold({ title, address, children }: { title: string; address: string; children: ReactNode }) {
  return (
    <>
      <PageHeader title={title} />
      <div className="page-body">
        <section className="verdict verdict-open" aria-label="State">
          <StateChip mark={UNKNOWN} />
          <p>{children}</p>
          <Address>{address}</Address>
          <div className="acts-row">
            <Link className={buttonClass()} to={paths.operations}>
              All operations
            </Link>
          </div>
        </section>
      </div>
    </>
  );
}

function Address({ children }: { children: string }) {
  return (
    <p className="small sub mono">
      <RawText value={children} max={80} />
    </p>
  );
}
