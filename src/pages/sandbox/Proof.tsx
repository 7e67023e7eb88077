import { useQuery } from '@tanstack/react-query';
import { describeError } from '#src/api/errors.ts';
import { sandboxQueries } from '#src/api/sandboxControls.ts';
import type { ReceivedRequest } from '#src/api/sandboxSchemas.ts';
import { readWithdrawalBody } from '#src/lib/operations/withdrawal.ts';
import type { Operation } from '#src/lib/operations/record.ts';
import { ErrorNotice } from '#src/ui/ErrorNotice.tsx';
import { Fact, Facts } from '#src/ui/Facts.tsx';
import { Notice } from '#src/ui/Notice.tsx';
import type { SandboxAccount } from './sandboxAccount.ts';

/** Facts with room for longer labels. */
export const factsClass =
  'grid-cols-[11rem_minmax(0,1fr)] border-b border-rule narrow:grid-cols-[10.5rem_minmax(0,1fr)] [&_dt]:pr-3';

/** How often a withdrawal was sent, arrived and was processed: the last by the ledger’s own count. */
export function Proof({ owner, operation }: { owner: SandboxAccount; operation: Operation }) {
  const { account, sandbox } = owner;
  const address = readWithdrawalBody(operation.body)?.address ?? null;
  const ledger = useQuery(sandboxQueries.ledger(account, sandbox, address));
  const posts = useQuery(sandboxQueries.posts(account, sandbox, operation.key));
  const error = ledger.error ?? posts.error;
  if (error) {
    return (
      <ErrorNotice
        error={describeError(error)}
        heading="Couldn’t load the ledger totals"
        onRetry={() => void Promise.all([ledger.refetch(), posts.refetch()])}
      />
    );
  }
  if (!ledger.data || !posts.data) return null;
  const carriedOut = ledger.data.to_address ?? 0;
  const arrived = attemptsOf(posts.data);
  const replayed = attemptsOf(posts.data.filter((post) => post.replayed && post.status !== null));
  return (
    <section className="grid w-full max-w-measure gap-3" aria-label="Proof">
      <Facts className={factsClass}>
        <Fact label="Sent from here">{times(operation.attempts.length)}, with one key</Fact>
        <Fact label="Arrived at the provider">
          {times(arrived)}
          {replayed > 0 && `, ${replayed} of them answered from the stored record`}
        </Fact>
        <Fact label="In the ledger">
          <b>
            {carriedOut} {carriedOut === 1 ? 'withdrawal' : 'withdrawals'} to this address
          </b>
        </Fact>
      </Facts>
      {carriedOut === 1 && (
        <Notice tone="proof" title="Once.">
          By the ledger the money moved one time.
        </Notice>
      )}
      {carriedOut === 0 && (
        <Notice tone="plain" title="Never.">
          By the ledger no money moved.
        </Notice>
      )}
      {carriedOut > 1 && (
        <Notice tone="alarm" title="More than once.">
          If nothing else paid this address, please report this and copy the evidence.
        </Notice>
      )}
    </section>
  );
}

function attemptsOf(posts: ReceivedRequest[]): number {
  return new Set(posts.map((post) => post.attempt ?? post)).size;
}

function times(count: number): string {
  if (count === 0) return 'Never';
  return count === 1 ? 'Once' : `${count} times`;
}
