import { randomBytes } from 'node:crypto';
import { notSentSchema } from '#src/shared/contract/gatewayContract.ts';
import { type ActivityLog, createActivityLog } from '#src/server/activity/activityLog.ts';
import type { Param, Queries, SqlRow as Columns } from '#src/server/database/sql.ts';
import { hasRecords } from '#src/server/people/accounts.ts';
import {
  endAllInvitesIn,
  endAllSessionsIn,
  endSessionsOfCredentialIn,
  keySessionRights,
} from '#src/server/people/sessionRows.ts';
import type { ReadSessionRights } from '#src/server/people/actor.ts';
import type { OperationRecord } from '#src/shared/operations/record.ts';
import { OPERATION_STATES, type StateFacts, STATES } from '#src/shared/operations/states.ts';
import { isStorable } from '#src/shared/text.ts';
import { COLUMNS, SELECT, attemptValues, clockValues, recordValues, rowOf, sha256 } from './rowText.ts';
import {
  CredentialInUse,
  POSITION_MAX,
  JournalAway,
  type JournalFacts,
  type JournalReads,
  type WriteTransaction,
} from './ports.ts';

export const NOW = '(extract(epoch from clock_timestamp()) * 1000)::bigint::text as now';
/** 122 random bits from the database. */
export const NONCE = "replace(gen_random_uuid()::text, '-', '')";
const UNRESOLVED_SQL = stateList(({ isFinal }) => !isFinal);
/** The states that leave an operation's duplicate key free; the unique index of the migrations lists them too. */
export const KEY_FREE_SQL = stateList(({ holdsDuplicateKey }) => !holdsDuplicateKey);

function stateList(includes: (facts: StateFacts) => boolean): string {
  return `(${OPERATION_STATES.filter((state) => includes(STATES[state]))
    .map((state) => `'${state}'`)
    .join(', ')})`;
}

export function newJournalId(): string {
  return `jnl_${randomBytes(12).toString('hex')}`;
}

export function readsOn(queries: Queries): JournalReads {
  return {
    facts: async () => {
      const [row] = await queries.query(
        `select id, position::text, nonce, set_back_at::text, set_back_position::text, ${NOW}
         from operations.journal join operations.marks using (position)`,
      );
      // Defaults here would claim that the journal was never set back.
      if (row === undefined) throw new JournalAway('The journal has no mark of its last write.');
      return journalFacts(row);
    },
    hasMark: async ({ position, nonce }) => {
      if (position > POSITION_MAX) return false;
      const found = await queries.query(
        'select 1 as one from operations.marks where position = $1::bigint and nonce = $2',
        [String(position), nonce],
      );
      return found.length > 0;
    },
    isFormerId: async (id) => {
      const found = await queries.query('select 1 as one from operations.set_backs where journal = $1 limit 1', [id]);
      return found.length > 0;
    },
    byKey: async (key) => {
      const [row] = await queries.query(`${SELECT} where o.key = $1`, [key]);
      return row === undefined ? null : rowOf(row);
    },
    tombstone: async (key) => {
      const [row] = await queries.query<{ service: string; account: string; why: string; at: string }>(
        'select service, account, why, at::text from operations.tombstones where key = $1',
        [key],
      );
      if (row === undefined) return null;
      const why = notSentSchema.entries.why.options.find((known) => known === row.why) ?? 'nobody-knows';
      return { key, service: row.service, account: row.account, why, at: Number(row.at) };
    },
    byDuplicateKey: async (duplicateKey, since) => {
      // By three clocks: if any of them says "recently", it must be confirmed.
      const ended = since && [since.service, since.server, since.database].map(Math.floor);
      const recent = ended
        ? `and (o.state in ${UNRESOLVED_SQL} or o.ended_database is null or o.ended_service > $2 or o.ended_server > $3 or o.ended_database > $4)`
        : '';
      const rows = await queries.query(`${SELECT} where o.place = $1 ${recent} order by o.seq`, [
        duplicateKey,
        ...(ended ?? []),
      ]);
      return rows.map(rowOf);
    },
    keyOfResult: async (service, id) => {
      if (!isStorable(id)) return null;
      const [row] = await queries.query<{ key: string }>(
        `select key from operations.operations
         where (service = 'sandbox') = $1 and result_id = $2 and kind = 'withdrawal' order by seq limit 1`,
        [service === 'sandbox', id],
      );
      return row?.key ?? null;
    },
  };
}

export function journalFacts(row: Columns): JournalFacts {
  const { id, position, nonce, set_back_at: setBackAt, set_back_position: setBackPosition, now } = row;
  return {
    id: String(id),
    position: BigInt(position ?? 0),
    nonce: String(nonce),
    setBackAt: setBackAt === null || setBackAt === undefined ? null : Number(setBackAt),
    setBackPosition: setBackPosition === null || setBackPosition === undefined ? null : BigInt(setBackPosition),
    now: Number(now),
  };
}

/** What the journal's transactions need from elsewhere. */
export interface TransactionParts {
  readSessionRights: ReadSessionRights;
  activity: ActivityLog;
}

/** Key mode, and lines of the activity that another process can't check: for tests. */
export const OWN_PARTS: TransactionParts = {
  readSessionRights: keySessionRights,
  activity: createActivityLog(randomBytes(32)),
};

export function writeTransactionOn(
  tx: Queries,
  initialFacts: JournalFacts,
  { readSessionRights, activity }: TransactionParts = OWN_PARTS,
): WriteTransaction {
  let facts = initialFacts;
  return {
    ...readsOn(tx),
    facts: async () => facts,
    unresolvedCount: async ({ service, account }) => {
      const [row] = await tx.query<{ count: string }>(
        `select count(*)::text as count from operations.operations
         where service = $1 and account_id = $2 and state in ${UNRESOLVED_SQL}`,
        [service, account],
      );
      return Number(row?.count);
    },
    ready: async () => readable(await tx.query(`${SELECT} where o.state = 'ready'`)),
    insert: (record, duplicateKey) => insert(tx, record, duplicateKey, facts.position),
    replace: (next, before) => replace(tx, next, before),
    writeTombstone: async ({ key, service, account, why, at }) => {
      await tx.query(
        `insert into operations.tombstones (key, service, account, why, at) values ($1, $2, $3, $4, $5)
         on conflict (key) do nothing`,
        [key, service, account, why, Math.round(at)],
      );
    },
    closeUnreadable: async (key, { words, who, at }) => {
      await tx.query(
        `insert into operations.closed_unreadable (key, words, who, at) values ($1, $2, $3, $4)
         on conflict (key) do nothing`,
        [key, words, who, Math.round(at)],
      );
      await tx.query(
        `update operations.operations set state = 'closed', ended_service = null, ended_server = null,
           ended_database = null, revision = revision + 1 where key = $1`,
        [key],
      );
    },
    show: async (key, account) => {
      await tx.query('insert into operations.shown (key, account) values ($1, $2) on conflict do nothing', [
        key,
        account,
      ]);
    },
    sessionRights: (id) => readSessionRights(tx, id),
    note: (by, act) => activity.append(tx, by, act, facts.now),
    joinCredential: async ({ service, credential, account, since, seal }) => {
      await tx.query('insert into people.accounts (service, id, name) values ($1, $2, $2) on conflict do nothing', [
        service,
        account,
      ]);
      await tx.query(
        `insert into people.credentials (service, credential, account, since, seal) values ($1, $2, $3, $4, $5)
         on conflict (service, credential) do update
         set account = excluded.account, since = excluded.since, seal = excluded.seal`,
        [service, credential, account, since, seal],
      );
      // Waits for writes of these sessions, so that the look below finds what they recorded.
      await endSessionsOfCredentialIn(tx, { service, credential, account });
      if (await hasRecords(tx, { service, account: credential })) throw new CredentialInUse();
    },
    setBack: async (at, mark) => {
      const id = newJournalId();
      await tx.query('update operations.journal set id = $1, set_back_at = $2, set_back_position = position', [id, at]);
      await endAllSessionsIn(tx, 'set-back');
      await endAllInvitesIn(tx);
      for (const former of new Set([facts.id, mark.id]))
        await tx.query('insert into operations.set_backs (at, journal) values ($1, $2)', [at, former]);
      facts = { ...facts, id, setBackAt: at, setBackPosition: facts.position };
    },
    endSetBack: async (words) => {
      await tx.query('update operations.journal set set_back_at = null, set_back_position = null');
      await tx.query('update operations.set_backs set ended_at = $1, words = $2 where ended_at is null', [
        facts.now,
        words,
      ]);
    },
  };
}

/** In operations.operations the column account holds the credential, and account_id the account. */
async function insert(tx: Queries, record: OperationRecord, duplicateKey: string, seq: bigint): Promise<void> {
  const fixed: Param[] = [
    record.key,
    String(seq),
    record.kind,
    record.service,
    record.credential,
    record.account,
    duplicateKey,
    record.path,
    record.body,
    sha256(record.body),
    ...clockValues(record.firstSent),
    record.who,
    JSON.stringify(record.secondSendOf),
  ];
  const values = [...fixed, ...recordValues(record)];
  await tx.query(
    `insert into operations.operations (key, seq, kind, service, account, account_id, place, path, body, body_sha256,
       first_service, first_server, first_database, who, second_send_of, ${COLUMNS.join(', ')})
     values (${values.map((_, index) => `$${index + 1}`).join(', ')})`,
    values,
  );
}

async function replace(tx: Queries, next: OperationRecord, before: OperationRecord): Promise<void> {
  const sets = COLUMNS.map((name, index) => `${name} = $${index + 3}`).join(', ');
  const done = await tx.query(
    `update operations.operations set ${sets} where key = $1 and revision = $2 returning key`,
    [next.key, before.revision, ...recordValues(next)],
  );
  if (done.length !== 1) throw new Error('The record is no longer the one that was read.');
  for (const [number, note] of next.attempts.entries()) {
    if (note === before.attempts[number]) continue;
    await tx.query(
      `insert into operations.attempts (key, number, id, start_at, end_at, service_date, who, outcome, status,
         request_id, replayed, result_id, details) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
       on conflict (key, number) do update set end_at = excluded.end_at, outcome = excluded.outcome,
         status = excluded.status, request_id = excluded.request_id, replayed = excluded.replayed,
         result_id = excluded.result_id, details = excluded.details`,
      [next.key, number, ...attemptValues(note)],
    );
  }
}

export function readable(rows: Columns[]): OperationRecord[] {
  return rows.flatMap((columns) => {
    const { record } = rowOf(columns);
    return record ? [record] : [];
  });
}
