import type { Queries } from '#src/server/database/sql.ts';
import type { MailRecipients } from '#src/server/notices/mailRecipients.ts';
import type { People } from '#src/server/people/people.ts';
import type { Rows } from '#src/server/operations/ports.ts';

interface MakerParts {
  service: string;
  queries: Queries;
  rows: Pick<Rows, 'byKey' | 'keyOfResult'>;
  people: Pick<People, 'namerOf'>;
}

const WITHDRAWAL = 'withdrawal ';
/** Payments are sent within this time after they are prepared, or not at all. */
const PREPARED_MS = 8 * 24 * 60 * 60_000;

/** Reads who prepared the payment or the batch, or named the recipient, that a notice is about. Null if it was no person here. */
export function readNoticeMaker({ service, queries, rows, people }: MakerParts) {
  return async ({ account, event, subject }: Parameters<MailRecipients>[0]): Promise<string | null> => {
    if (event === 'recipient.waiting') return account === null ? null : people.namerOf(account, subject);
    if (event.startsWith('batch.')) return makerOfBatch(account, subject);
    const key = event.startsWith('operation.')
      ? subject
      : subject.startsWith(WITHDRAWAL)
        ? await rows.keyOfResult(service, subject.slice(WITHDRAWAL.length))
        : null;
    const record = key === null ? undefined : (await rows.byKey(key))?.record;
    if (key === null || record === undefined) return null;
    if (record.signed !== undefined) return record.signed.maker;
    if (record.batch) return makerOfBatch(account, record.batch.id);
    const sentAt = record.firstSent.database;
    const [line] = await queries.query<{ person: string | null }>(
      `select person from activity.lines where service = $1 and account = $2 and at between $3 and $4
         and kind = 'operation.recorded' and subject = $5 limit 1`,
      [service, account, String(Math.floor(sentAt) - PREPARED_MS), String(Math.ceil(sentAt) + 60_000), key],
    );
    return line?.person ?? null;
  };

  async function makerOfBatch(account: string | null, id: string): Promise<string | null> {
    const [batch] = await queries.query<{ person: string | null }>(
      'select person from operations.batches where id = $1 and service = $2 and account = $3',
      [id, service, account],
    );
    return batch?.person ?? null;
  }
}
