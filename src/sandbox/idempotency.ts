import {
  IDEMPOTENCY_KEY_HEADER,
  IDEMPOTENCY_KEY_MAX_LENGTH,
  IDEMPOTENCY_RECORD_SECONDS,
} from '#src/shared/contract/contract.ts';
import type { Queries, Sql } from '#src/server/database/sql.ts';
import type { SandboxContext, Kill } from './context.ts';
import { sha256OfBytes } from './ids.ts';
import { invalid, keyReused, ErrorResponse, type Reply } from './outcome.ts';

const RECORD_MS = IDEMPOTENCY_RECORD_SECONDS * 1000;

export interface Posted {
  account: string;
  key: string;
  /** Method and path, which must be the same for a replay. */
  endpoint: string;
  body: Uint8Array;
  requestId: string;
  /** Milliseconds of the account's time. */
  now: number;
}

export interface Stored extends Reply {
  requestId: string;
  replayed: boolean;
}

/** The key of a POST: one string of 1 to 255 characters (contract 4.7); otherwise a 400 that names the header. */
export function idempotencyKey(sent: readonly string[]): string {
  const [key] = sent;
  if (key === undefined) throw invalid(IDEMPOTENCY_KEY_HEADER, 'is required on every POST.');
  if (sent.length > 1) throw invalid(IDEMPOTENCY_KEY_HEADER, 'must be sent once.');
  if (key === '') throw invalid(IDEMPOTENCY_KEY_HEADER, 'must not be empty.');
  if (key.length > IDEMPOTENCY_KEY_MAX_LENGTH) {
    throw invalid(IDEMPOTENCY_KEY_HEADER, `must not be longer than ${IDEMPOTENCY_KEY_MAX_LENGTH} characters.`);
  }
  return key;
}

/**
 * Claims the key for this request. By the unique index a second request waits here until the first has committed or rolled
 * back; an expired record is taken over. Returns false if another request's record exists.
 */
async function claim(tx: Queries, posted: Posted, bodyHash: string): Promise<boolean> {
  const rows = await tx.query(
    `insert into idempotency_records as r (account, key, endpoint, body_hash, created_at)
     values ($1, $2, $3, $4, $5::bigint)
     on conflict (account, key) do update set endpoint = excluded.endpoint, body_hash = excluded.body_hash,
       created_at = excluded.created_at, status = null, request_id = null, content_type = null, body = null
     where excluded.created_at - r.created_at >= ${RECORD_MS}
     returning 1 as mine`,
    [posted.account, posted.key, posted.endpoint, bodyHash, posted.now],
  );
  return rows.length === 1;
}

type RecordRow = Omit<Stored, 'replayed'> & { endpoint: string; hashOfBody: string };

async function replay(tx: Queries, posted: Posted, bodyHash: string): Promise<Stored | null> {
  const [record] = await tx.query<RecordRow>(
    `select endpoint, body_hash as "hashOfBody", status, request_id as "requestId", content_type as "contentType", body
     from idempotency_records
     where account = $1 and key = $2`,
    [posted.account, posted.key],
  );
  // Swept between the claim and this read: the key is free, so the caller claims again.
  if (record === undefined) return null;
  const { endpoint, hashOfBody, ...stored } = record;
  if (endpoint !== posted.endpoint || hashOfBody !== bodyHash) throw keyReused();
  return { ...stored, replayed: true };
}

/** The operation's response, including a 4xx refusal; a 5xx is rethrown, which rolls everything back. */
async function answer(posted: Posted, operation: () => Promise<Reply>): Promise<Reply> {
  try {
    return await operation();
  } catch (error) {
    if (!(error instanceof ErrorResponse) || error.status >= 500) throw error;
    return { status: error.status, body: error.envelope(posted.requestId), contentType: 'application/json' };
  }
}

/**
 * Runs an operation once per key (contract 4.7): its effects and its response are stored in one transaction. Operations
 * refuse before they write, so a stored refusal has no other effect.
 */
export async function once(
  { sql, kill }: SandboxContext,
  posted: Posted,
  operation: (tx: Queries) => Promise<Reply>,
): Promise<Stored> {
  const bodyHash = sha256OfBytes(posted.body);
  const stored = await sql.transaction(async (tx): Promise<Stored> => {
    kill('begin');
    for (;;) {
      if (await claim(tx, posted, bodyHash)) break;
      const earlier = await replay(tx, posted, bodyHash);
      if (earlier !== null) return earlier;
    }
    const reply = await answer(posted, () => operation(tx));
    await tx.query(
      `update idempotency_records set status = $3, request_id = $4, content_type = $5, body = $6
       where account = $1 and key = $2`,
      [posted.account, posted.key, reply.status, posted.requestId, reply.contentType, reply.body],
    );
    kill('before-commit');
    return { ...reply, requestId: posted.requestId, replayed: false };
  });
  kill('after-commit');
  return stored;
}

/** Deletes records older than 24 hours by their account's clock. A concurrent retry waits for this, then claims the key. */
export async function sweep(sql: Sql, wall: number, kill: Kill): Promise<void> {
  await sql.transaction(async (tx) => {
    await tx.query(
      `delete from idempotency_records r using accounts a
       where a.id = r.account and $1::bigint + a.offset_ms - r.created_at >= ${RECORD_MS}
         and r.created_at <= $1::bigint - ${RECORD_MS} + (select max(offset_ms) from accounts)`,
      [wall],
    );
    kill('sweeping');
  });
}
