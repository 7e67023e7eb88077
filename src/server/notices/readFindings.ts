import { isRetryOverdue } from '#src/server/operations/clocks.ts';
import { type Finding, findings, type FindingsParts } from '#src/server/overview/findings.ts';
import type { BatchSummary } from '#src/shared/contract/batchContract.ts';
import { failedPayment } from '#src/shared/notices.ts';
import { isContradicted } from '#src/shared/operations/record.ts';
import type { Unsettled } from '#src/shared/operations/unsettled.ts';
import { revealHidden } from '#src/shared/text.ts';
import type { WatchedAccount, WatchFinding, WatchReading } from './watcher.ts';

const PROBLEM_MAX = 300;
const KEY_REFUSED: WatchFinding = { event: 'key.refused', subject: '', episode: null };

export interface ReadFindingsParts extends FindingsParts {
  service: string;
  /** Whether withdrawals that weren't sent from here raise notices. */
  tellsOutside: boolean;
}

/** Reads the items that need attention on an account's Home, as causes of notices. Sends nothing. */
export function createReadFindings(parts: ReadFindingsParts): (account: WatchedAccount) => Promise<WatchReading> {
  return async ({ account, apiKey }) => {
    const owner = { service: parts.service, account };
    const found = await findings(parts, { ...owner, apiKey });
    const [error] = found.errors;
    const retryAt = Math.max(0, ...found.errors.map(({ retry_at: at }) => at ?? 0));
    return {
      findings: [
        ...(found.isKeyRefused === true ? [KEY_REFUSED] : []),
        ...found.findings
          .flatMap(({ attention }) => findingsOf(attention, parts.wall()))
          .filter(({ event }) => parts.tellsOutside || event !== 'payment.outside'),
      ],
      isKeyAccepted: found.isKeyRefused === false,
      isComplete: found.isComplete,
      unread: found.unread,
      // The provider's own text: of any length, and perhaps with characters that the database rejects.
      problem: error === undefined ? null : revealHidden(error.message.slice(0, PROBLEM_MAX)),
      waitMs: Math.max(0, retryAt * 1_000 - parts.wall()),
    };
  };
}

function findingsOf(attention: Finding['attention'], now: number): WatchFinding[] {
  switch (attention.kind) {
    case 'operation':
      return lapsedOf(attention.operation, now);
    case 'failed':
      return [{ event: 'payment.failed', ...failedPayment(attention.payment) }];
    case 'stuck': {
      const { kind, id, status } = attention.payment;
      return [{ event: 'payment.stuck', subject: `${kind} ${id}`, episode: `stuck ${status ?? ''}` }];
    }
    case 'outside':
      return attention.payments.map(({ id }) => ({
        event: 'payment.outside',
        subject: `withdrawal ${id}`,
        episode: 'outside',
      }));
    case 'balance':
      return [{ event: 'balance.wrong', subject: attention.balance.asset, episode: null }];
    case 'batch':
      return lapsedBatchOf(attention.batch);
  }
}

/**
 * The journal raises notices of its own changes. It doesn't know yet of an operation whose server is gone: such a record has
 * no reason, or its automatic retry is overdue. The episode is the one that the journal will use later, so that only one
 * notice is sent.
 */
function lapsedOf({ key, record }: Unsettled, now: number): WatchFinding[] {
  if (record?.kind !== 'withdrawal' || record.state !== 'unconfirmed' || isContradicted(record)) return [];
  const isLapsed = record.reason === undefined || isRetryOverdue(record, now);
  // The batch's notice covers its payments.
  if (!isLapsed || record.batch) return [];
  return [{ event: 'operation.unconfirmed', subject: key, episode: String(record.revision + 1) }];
}

/** The same for a batch: if its server comes back and records the pause, the notice has the same episode. */
function lapsedBatchOf({ id, revision, lapsed }: BatchSummary): WatchFinding[] {
  return lapsed ? [{ event: 'batch.paused', subject: id, episode: String(revision + 1) }] : [];
}
