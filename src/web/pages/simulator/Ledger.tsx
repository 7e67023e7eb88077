import { useQuery } from '@tanstack/react-query';
import { sandboxQueries, type ReceivedRequest, type SandboxLedger } from '#src/web/api/sandboxControls.ts';
import { counted, numberWords } from '#src/shared/text.ts';
import type { Operation } from '#src/shared/operations/record.ts';
import { readWithdrawalBody } from '#src/shared/operations/withdrawal.ts';
import { Fact, Facts } from '#src/web/ui/Facts.tsx';
import { Notice } from '#src/web/ui/Notice.tsx';
import { Time } from '#src/web/ui/Time.tsx';
import { Loaded, SimulatorPart, useSandbox } from './control.tsx';

const factsClass =
  'grid-cols-[11rem_minmax(0,1fr)] border-b border-rule narrow:grid-cols-[10.5rem_minmax(0,1fr)] [&_dt]:pr-3';
const WHAT = 'the ledger totals';

export function LedgerTotals() {
  const { account, sandbox } = useSandbox();
  const query = useQuery(sandboxQueries.ledger(account, sandbox));
  return (
    <SimulatorPart title="Ledger totals" of={{ query, what: WHAT }}>
      <Loaded query={query} what={WHAT}>
        {({ executed, entries, transactions, ...books }) => (
          <Facts className={factsClass}>
            <Fact label="Withdrawals processed">{numberWords(executed.withdrawals)}</Fact>
            <Fact label="Deposit addresses created">{numberWords(executed.deposit_addresses)}</Fact>
            <Fact label="Charges created">{numberWords(executed.charges)}</Fact>
            <Fact label="Webhooks replayed">{numberWords(executed.webhook_replays)}</Fact>
            <Fact label="Journal">
              {numberWords(entries)} entries in {numberWords(transactions)} transactions
            </Fact>
            <Fact label="Does it add up">{addsUp(books)}</Fact>
            <Fact label="Loaded">
              <Time unix={Math.floor(query.dataUpdatedAt / 1000)} />
            </Fact>
          </Facts>
        )}
      </Loaded>
    </SimulatorPart>
  );
}

/** Checks double entry: every asset and transaction sums to zero, and every balance equals its entries. */
function addsUp({ sums, unbalanced, drifted }: Pick<SandboxLedger, 'sums' | 'unbalanced' | 'drifted'>): string {
  const off = Object.entries(sums).flatMap(([asset, sum]) => (sum === '0' ? [] : [asset]));
  if (off.length > 0) return `No: ${off.join(', ')} does not sum to zero.`;
  if (unbalanced > 0) return `No: ${unbalanced} transactions do not sum to zero.`;
  if (drifted.length > 0) return `No: the balance of ${drifted.join(', ')} differs from its entries.`;
  return 'Yes: every asset sums to zero, to the last digit.';
}

/** How often a withdrawal was sent, arrived, and is in the ledger. */
export function ExecutionProof({ operation }: { operation: Operation }) {
  const { account, sandbox } = useSandbox();
  const address = readWithdrawalBody(operation.body)?.address ?? null;
  const ledger = useQuery(sandboxQueries.ledger(account, sandbox, address));
  const posts = useQuery(sandboxQueries.posts(account, sandbox, operation.key));
  return (
    <Loaded query={ledger} what={WHAT}>
      {({ to_address: processed = 0 }) => (
        <Loaded query={posts} what={WHAT}>
          {(received) => <Counts sent={operation.attempts.length} received={received} processed={processed} />}
        </Loaded>
      )}
    </Loaded>
  );
}

interface CountsProps {
  sent: number;
  received: readonly ReceivedRequest[];
  processed: number;
}

function Counts({ sent, received, processed }: CountsProps) {
  const replayed = attemptsOf(received.filter((post) => post.replayed && post.status !== null));
  return (
    <section className="grid w-full max-w-measure gap-3" aria-label="Proof">
      <Facts className={factsClass}>
        <Fact label="Sent from here">{times(sent)}, with one key</Fact>
        <Fact label="Arrived at the provider">
          {times(attemptsOf(received))}
          {replayed > 0 && `, ${replayed} of them answered from the stored record`}
        </Fact>
        <Fact label="In the ledger">
          <b>{counted(processed, 'withdrawal', 'withdrawals')} to this address</b>
        </Fact>
      </Facts>
      {processed === 1 && (
        <Notice tone="proof" title="Once.">
          By the ledger the money moved one time.
        </Notice>
      )}
      {processed === 0 && (
        <Notice tone="plain" title="Never.">
          By the ledger no money moved.
        </Notice>
      )}
      {processed > 1 && (
        <Notice tone="alarm" title="More than once.">
          If nothing else paid this address, please report this and copy the evidence.
        </Notice>
      )}
    </section>
  );
}

function attemptsOf(posts: readonly ReceivedRequest[]): number {
  return new Set(posts.map((post) => post.attempt ?? post)).size;
}

function times(count: number): string {
  if (count === 0) return 'Never';
  return count === 1 ? 'Once' : `${count} times`;
}
