import type { QueryClient } from '@tanstack/react-query';
import { listPage, type ReceivedView } from '#src/web/api/operations/operations.ts';
import { loadRecipients } from '#src/web/api/recipients.ts';
import { teamQuery } from '#src/web/api/team.ts';
import { LIMIT_MAX } from '#src/shared/contract/contract.ts';
import type { PaymentNote, Recipient } from '#src/shared/contract/teamContract.ts';
import type { Bounds } from './period.ts';

/** What this account's people recorded about payments; the service knows nothing of it. */
export interface TeamRecords {
  recipients: readonly Recipient[];
  notes: readonly PaymentNote[];
  /** Withdrawals sent from here, newest first. */
  operations: readonly Pick<ReceivedView, 'operation' | 'checks'>[];
}

/** A withdrawal may be listed this long after it was recorded, in seconds: it can be resent for a day. */
const BEFORE = 3 * 86_400;

export async function loadTeamRecords(
  client: QueryClient,
  account: string,
  { bounds, signal }: { bounds: Bounds; signal: AbortSignal },
): Promise<TeamRecords> {
  const operations: ReceivedView[] = [];
  let cursor: string | null = null;
  do {
    const page: Awaited<ReturnType<typeof listPage>> = await listPage({
      account,
      filters: { kind: 'withdrawal' },
      limit: LIMIT_MAX,
      cursor,
      signal,
    });
    operations.push(...page.data);
    const oldest = page.data.at(-1)?.operation.firstSent.service ?? 0;
    cursor = page.has_more && oldest >= bounds.from - BEFORE ? page.next_cursor : null;
  } while (cursor !== null);
  const [recipients, notes] = await Promise.all([
    loadRecipients(client, account),
    client.fetchQuery(teamQuery(account, 'notes')),
  ]);
  return { recipients, notes: notes.items.map(({ value }) => value), operations };
}
