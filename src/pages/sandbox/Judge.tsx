import { numberWords } from '#src/lib/count.ts';
import { useQuery } from '@tanstack/react-query';
import { describeError } from '#src/api/errors.ts';
import { sandboxQueries } from '#src/api/sandboxControls.ts';
import type { SandboxLedger } from '#src/api/sandboxSchemas.ts';
import { ErrorNotice } from '#src/ui/ErrorNotice.tsx';
import { Fact, Facts } from '#src/ui/Facts.tsx';
import { Time } from '#src/ui/Time.tsx';
import { Part } from './Part.tsx';
import { factsClass } from './Proof.tsx';
import type { SandboxAccount } from './sandboxAccount.ts';

/** The ledger: what was really processed, whatever any page shows. */
export function Judge({ owner }: { owner: SandboxAccount }) {
  const query = useQuery(sandboxQueries.ledger(owner.account, owner.sandbox));
  const { data, error, refetch, isFetching, dataUpdatedAt } = query;
  const read = () => void refetch();
  return (
    <Part title="Ledger totals" reading={{ label: 'Refresh the ledger totals', again: read, busy: isFetching }}>
      {error && !data && (
        <ErrorNotice
          error={describeError(error)}
          heading="Couldn’t load the ledger totals"
          onRetry={read}
          retrying={isFetching}
        />
      )}
      {data && (
        <Facts className={factsClass}>
          <Fact label="Withdrawals processed">{count(data.executed.withdrawals)}</Fact>
          <Fact label="Deposit addresses created">{count(data.executed.deposit_addresses)}</Fact>
          <Fact label="Charges created">{count(data.executed.charges)}</Fact>
          <Fact label="Webhooks replayed">{count(data.executed.webhook_replays)}</Fact>
          <Fact label="Journal">
            {count(data.entries)} entries in {count(data.transactions)} transactions
          </Fact>
          <Fact label="Does it add up">{addsUp(data)}</Fact>
          <Fact label="Loaded">
            <Time unix={Math.floor(dataUpdatedAt / 1000)} />
          </Fact>
        </Facts>
      )}
    </Part>
  );
}

function count(number: number): string {
  return numberWords(number);
}

/** Whether nothing was made or lost: every asset and every transaction sums to zero, and no balance differs from its entries. */
export function addsUp({ sums, unbalanced, drifted }: SandboxLedger): string {
  const off = Object.entries(sums).flatMap(([asset, sum]) => (sum === '0' ? [] : [asset]));
  if (off.length > 0) return `No: ${off.join(', ')} does not sum to zero.`;
  if (unbalanced > 0) return `No: ${unbalanced} transactions do not sum to zero.`;
  if (drifted.length > 0) return `No: the balance of ${drifted.join(', ')} differs from its entries.`;
  return 'Yes: every asset sums to zero, to the last digit.';
}
