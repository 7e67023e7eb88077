import { BATCH_REASONS, BATCH_STATES } from '#src/shared/contract/batchContract.ts';
import { OPERATION_STATES } from '#src/shared/operations/states.ts';
import type { Param, Queries, SqlRow as Columns } from '#src/server/database/sql.ts';
import {
  type AccountOwner,
  type Batch,
  type BatchChanges,
  type BatchReads,
  type BatchWrites,
  type ListedTogether,
  readCursor,
} from '#src/server/operations/ports.ts';
import { clockValues, rowOf, SELECT, sha256 } from '#src/server/operations/rowText.ts';
import { afterCursor, byDuplicateKeys, cursorOf, insertAll } from '#src/server/operations/sqlOperations.ts';

const SELECT_BATCH = `select id, seq::text, service, account, credential, person, who, at::text, file_name, fingerprint,
  lines, again, state, why, why_line, run, lease_until::text, run_until::text, revision from operations.batches`;

/** The payment failed, so it may be made again without confirmation. */
const HAS_FAILED = "(o.state in ('refused', 'not-sent') and o.result is null)";

export function batchReadsOn(queries: Queries): BatchReads {
  const one = async (where: string, params: Param[]): Promise<Batch | null> => {
    const [row] = await queries.query(`${SELECT_BATCH} ${where}`, params);
    return row === undefined ? null : batchIn(row);
  };
  return {
    batch: (id) => one('where id = $1', [id]),
    batches: async ({ service, account }, { cursor, limit }) => {
      const before = cursor === null ? '' : 'and seq < $4::bigint';
      const rows = await queries.query(
        `${SELECT_BATCH} where service = $1 and account = $2 ${before} order by seq desc limit $3`,
        [service, account, limit + 1, ...(cursor === null ? [] : [cursor])],
      );
      const page = rows.slice(0, limit);
      return { batches: page.map(batchIn), next: rows.length > limit ? String(page.at(-1)?.['seq']) : null };
    },
    unended: async ({ service, account }, limit) => {
      const rows = await queries.query(
        `${SELECT_BATCH} where service = $1 and account = $2 and state in ('running', 'paused') order by seq desc limit $3`,
        [service, account, limit],
      );
      return rows.map(batchIn);
    },
    withApprovals: async ({ service, account }, limit) => {
      const rows = await queries.query(
        `${SELECT_BATCH} where service = $1 and account = $2 and state in ('waiting', 'running', 'paused') and exists (
           select 1 from operations.operations o where o.batch = batches.id and o.state = 'awaiting' and o.needs > 0)
         order by seq desc limit $3`,
        [service, account, limit],
      );
      return rows.map(batchIn);
    },
    batchesOf: (ids) => batchesOf(queries, ids),
    bodiesOf: async (ids) => {
      const rows = await queries.query<{ batch: string; body: string; body_sha256: string }>(
        `select batch, body, body_sha256 from operations.operations
         where batch in (select jsonb_array_elements_text($1::text::jsonb)) order by batch, line`,
        [JSON.stringify(ids)],
      );
      return rows.map(({ batch, body, body_sha256: sum }) => ({ batch, body: sha256(body) === sum ? body : null }));
    },
    listTogether: (owner, page) => listTogether(queries, owner, page),
    fileOf: async (id) => {
      const [row] = await queries.query<{ file: string }>('select file from operations.batches where id = $1', [id]);
      return row?.file ?? null;
    },
    lineCounts: async (ids, now) => {
      const rows = await queries.query<{
        batch: string;
        state: string;
        lapsed: boolean;
        count: string;
        hours: number | null;
      }>(
        `select batch, state, (state = 'sending' and coalesce(lease_until, 0) <= $2) as lapsed, count(*)::text as count,
           max(wait_hours) as hours
         from operations.operations where batch in (select jsonb_array_elements_text($1::text::jsonb))
         group by batch, state, lapsed`,
        [JSON.stringify(ids), Math.round(now)],
      );
      return rows.flatMap(({ batch, state: name, lapsed: isAbandoned, count, hours }) => {
        const state = OPERATION_STATES.find((each) => each === name);
        return state === undefined ? [] : [{ batch, state, isAbandoned, count: Number(count), hours }];
      });
    },
    linesOf: async (id) => (await queries.query(`${SELECT} where o.batch = $1 order by o.line`, [id])).map(rowOf),
    nextLine: async (id, after) => {
      const [row] = await queries.query(
        `${SELECT} where o.batch = $1 and o.state = 'awaiting' and o.line > $2 order by o.line limit 1`,
        [id, after],
      );
      return row === undefined ? null : rowOf(row);
    },
    sameBatch: ({ service, account }, fingerprint) =>
      one('where service = $1 and account = $2 and fingerprint = $3 order by seq desc limit 1', [
        service,
        account,
        fingerprint,
      ]),
    linesSince: async ({ service, account }, duplicateKeys, since) => {
      const rows = await queries.query(
        `${SELECT} where o.place in (select jsonb_array_elements_text($1::text::jsonb)) and o.batch is not null
           and o.service = $2 and o.account_id = $3 and o.recorded_database > $4 and not ${HAS_FAILED}`,
        [JSON.stringify(duplicateKeys), service, account, Math.round(since)],
      );
      return rows.map(rowOf);
    },
    referencesUsed: async ({ service, account }, references) => {
      const rows = await queries.query<{ reference: string; key: string }>(
        `select o.reference, o.key from operations.operations o where o.service = $1 and o.account_id = $2
           and o.reference in (select jsonb_array_elements_text($3::text::jsonb)) and not ${HAS_FAILED}`,
        [service, account, JSON.stringify(references)],
      );
      return new Map(rows.map(({ reference, key }) => [reference, key]));
    },
    byDuplicateKeys: (duplicateKeys, since) => byDuplicateKeys(queries, duplicateKeys, since),
  };
}

export function batchWritesOn(tx: Queries, position: bigint): BatchWrites {
  return {
    ...batchReadsOn(tx),
    awaitingCount: async ({ service, account }: AccountOwner) => {
      const [row] = await tx.query<{ count: string }>(
        `select count(*)::text as count from operations.operations
         where service = $1 and account_id = $2 and state = 'awaiting'`,
        [service, account],
      );
      return Number(row?.count);
    },
    insertBatch: async (batch, file, lines) => {
      const { id, service, account, credential, person, who, at, fileName, fingerprint, again, state } = batch;
      const owner = [id, String(position), service, account, credential, person, who, Math.round(at)];
      const values = [...owner, fileName, file, fingerprint, batch.lines, again, state, batch.revision];
      await tx.query(
        `insert into operations.batches (id, seq, service, account, credential, person, who, at, file_name, file, fingerprint,
           lines, again, state, revision) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)`,
        values,
      );
      await insertAll(tx, lines, position);
    },
    replaceBatch: async (batch, changes) => {
      const { state, why, whyLine, run } = changes;
      const until = run === null ? [null, null, null] : [run.id, Math.round(run.leaseUntil), Math.round(run.until)];
      const done = await tx.query(
        `update operations.batches set state = $3, why = $4, why_line = $5, run = $6, lease_until = $7, run_until = $8,
           revision = revision + 1 where id = $1 and revision = $2 returning id`,
        [batch.id, batch.revision, state, why, whyLine, ...until],
      );
      if (done.length !== 1) throw new Error('The batch is no longer the one that was read.');
      return changed(batch, changes);
    },
    renewRun: async (id, run, leaseUntil) => {
      const done = await tx.query(
        'update operations.batches set lease_until = $3 where id = $1 and run = $2 returning id',
        [id, run, Math.round(leaseUntil)],
      );
      return done.length === 1;
    },
    discardLines: async (id, { ended, ending }) => {
      await tx.query(
        `update operations.operations set state = 'not-sent', ending = $2, ended_service = $3, ended_server = $4,
           ended_database = $5, revision = revision + 1 where batch = $1 and state = 'awaiting'`,
        [id, JSON.stringify(ending), ...clockValues(ended)],
      );
    },
  };
}

async function batchesOf(queries: Queries, ids: readonly string[]): Promise<Batch[]> {
  const rows = await queries.query(`${SELECT_BATCH} where id in (select jsonb_array_elements_text($1::text::jsonb))`, [
    JSON.stringify(ids),
  ]);
  return rows.map(batchIn);
}

async function listTogether(
  queries: Queries,
  { service, account }: AccountOwner,
  { cursor, limit }: { cursor: string | null; limit: number },
): Promise<ListedTogether> {
  const params: Param[] = [service, account, limit + 1];
  const param = (value: Param): string => `$${params.push(value)}`;
  const after = afterCursor(cursor, param).map((each) => ` and ${each}`);
  const seq = cursor === null ? null : (readCursor(cursor)?.seq ?? null);
  const before = seq === null ? '' : ` and o.seq < ${param(seq)}::bigint`;
  // Don't search for single operations beyond the page's last batch: that could scan the lines of all batches.
  const rows = await queries.query<{ key: string | null; batch: string | null; seq: string; line: number | null }>(
    `with listed as (select o.id, o.seq from operations.batches o where o.service = $1 and o.account = $2${before}
       order by o.seq desc limit $3)
     select key, batch, seq::text, line from (
       (select null as key, id as batch, seq, null::integer as line from listed) union all
       (select o.key, null, o.seq, null from operations.operations o
          where o.service = $1 and o.account_id = $2 and o.batch is null${before}
            and o.seq > (select case when count(*) < $3 then -1 else min(seq) end from listed)
          order by o.seq desc limit $3) union all
       (select o.key, null, o.seq, o.line from operations.shown s join operations.operations o on o.key = s.key
          where s.account = $2 and o.service = $1 and o.account_id <> $2${after.join('')}
          order by o.seq desc, o.line limit $3)) page
     order by page.seq desc, page.line limit $3`,
    params,
  );
  const page = rows.slice(0, limit);
  const keys = page.flatMap(({ key }) => key ?? []);
  const found = await queries.query(`${SELECT} where o.key in (select jsonb_array_elements_text($1::text::jsonb))`, [
    JSON.stringify(keys),
  ]);
  const operations = new Map(found.map((columns) => [columns['key'], rowOf(columns)]));
  const ids = page.flatMap(({ batch }) => batch ?? []);
  const batches = new Map((await batchesOf(queries, ids)).map((batch) => [batch.id, batch]));
  const entries = page.flatMap(({ key, batch: id }) => {
    const batch = batches.get(id ?? '');
    return batch ? { batch } : (operations.get(key ?? '') ?? []);
  });
  return { entries, next: rows.length > limit ? cursorOf(page.at(-1)) : null };
}

export function changed(batch: Batch, changes: BatchChanges): Batch {
  return { ...batch, ...changes, revision: batch.revision + 1 };
}

function batchIn(columns: Columns): Batch {
  const text = (name: string): string => String(columns[name]);
  const orNull = (name: string): string | null => (columns[name] === null ? null : text(name));
  const run = orNull('run');
  return {
    id: text('id'),
    service: text('service'),
    account: text('account'),
    credential: text('credential'),
    person: orNull('person'),
    who: orNull('who'),
    at: Number(columns['at']),
    fileName: orNull('file_name'),
    fingerprint: text('fingerprint'),
    lines: Number(columns['lines']),
    again: orNull('again'),
    state: BATCH_STATES.find((state) => state === columns['state']) ?? 'paused',
    why: BATCH_REASONS.find((why) => why === columns['why']) ?? null,
    whyLine: columns['why_line'] === null ? null : Number(columns['why_line']),
    run:
      run === null
        ? null
        : { id: run, leaseUntil: Number(columns['lease_until']), until: Number(columns['run_until']) },
    revision: Number(columns['revision']),
  };
}
