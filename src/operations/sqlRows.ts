import { randomBytes } from 'node:crypto';
import { CommitUnknown, type Database, type Param, type Queries, type Row as Columns } from '#src/database/sql.ts';
import { migrate } from '#src/database/migrate.ts';
import type { OperationRecord } from '#src/lib/operations/record.ts';
import { COLUMNS, SELECT, attemptValues, clockValues, placeOf, recordValues, rowOf, sha256 } from './rowText.ts';
import {
  JournalAway,
  type JournalFacts,
  JournalUnsure,
  type ListQuery,
  type Listed,
  type Reads,
  type Rows,
  type Turn,
} from './rows.ts';
import { PLACE_VERSION, STEPS } from './schema.ts';

const NOW = '(extract(epoch from clock_timestamp()) * 1000)::bigint::text as now';
const OPEN = "('ready', 'sending', 'unconfirmed')";

/** The journal's rows in the one database of this server; brings its tables forward first. */
export async function openSqlRows(database: Database): Promise<Rows> {
  await migrate(database, 'operations', STEPS);
  await found(database);
  const reading = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      throw new JournalAway('The database cannot be read.', { cause: error });
    }
  };
  const reads = readsOn(database);
  return {
    write: (work) => write(database, work),
    facts: () => reading(reads.facts),
    byKey: (key) => reading(() => reads.byKey(key)),
    tombstone: (key) => reading(() => reads.tombstone(key)),
    list: (query) => reading(() => list(database, query)),
    ofOthers: ({ service, account }, limit) =>
      reading(async () => {
        const rows = await database.query(
          `${SELECT} where o.service = $1 and o.account <> $2 and o.kind = 'withdrawal'
             and (o.result_id is not null or exists
               (select 1 from operations.attempts a where a.key = o.key and a.result_id is not null))
           order by o.seq desc limit $3`,
          [service, account, limit],
        );
        return readable(rows);
      }),
    isShownTo: (key, account) =>
      reading(async () => {
        const rows = await database.query('select 1 as one from operations.shown where key = $1 and account = $2', [
          key,
          account,
        ]);
        return rows.length > 0;
      }),
    hasAccount: ({ service, account }) =>
      reading(async () => {
        const rows = await database.query(
          'select 1 as one from operations.operations where service = $1 and account = $2 limit 1',
          [service, account],
        );
        return rows.length > 0;
      }),
  };
}

/** The journal's one row, made at the first start; an older form of the places is rewritten, and older servers stop. */
async function found(database: Database): Promise<void> {
  await database.transaction(async (tx) => {
    await tx.query(
      `insert into operations.journal (id, position, version) values ($1, 0, $2) on conflict (one) do nothing`,
      [`jnl_${randomBytes(12).toString('hex')}`, PLACE_VERSION],
    );
    const [row] = await tx.query<{ version: number }>('select version from operations.journal for update');
    if (row === undefined || row.version === PLACE_VERSION) return;
    if (row.version > PLACE_VERSION) throw new Error('This journal was written by a newer version.');
    for (const record of readable(await tx.query(`${SELECT} where o.state in ${OPEN}`))) {
      await tx.query('update operations.operations set place = $2 where key = $1', [record.key, placeOf(record)]);
    }
    await tx.query('update operations.journal set version = $1, position = position + 1', [PLACE_VERSION]);
  });
}

async function write<T>(database: Database, work: (turn: Turn) => Promise<T>): Promise<T> {
  // What the work itself throws is no word of the database's.
  let own: { error: unknown } | null = null;
  try {
    return await database.transaction(async (tx) => {
      // Writers take turns: a look-alike that has just succeeded is in no unresolved index.
      const [row] = await tx.query(
        `update operations.journal set position = position + 1 where version = $1
         returning id, position::text, set_back_at::text, ${NOW}`,
        [PLACE_VERSION],
      );
      if (row === undefined) throw new Error('Another version of the dashboard writes this journal.');
      const turn = turnOn(tx, factsOf(row));
      return work(turn).catch((error: unknown) => {
        own = { error };
        throw error;
      });
    });
  } catch (error) {
    if (error instanceof CommitUnknown) throw new JournalUnsure(error.message, { cause: error });
    if (own !== null && !isDatabases(error)) throw error;
    throw new JournalAway('The database refused, or cannot be reached.', { cause: error });
  }
}

function isDatabases(error: unknown): boolean {
  return !(error instanceof TypeError || error instanceof RangeError || error instanceof ReferenceError);
}

function readsOn(queries: Queries): Reads {
  return {
    facts: async () => {
      const [row] = await queries.query(
        `select id, position::text, set_back_at::text, ${NOW} from operations.journal`,
      );
      return factsOf(row ?? {});
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
      const why = WHYS.find((known) => known === row.why) ?? 'discarded';
      return { key, service: row.service, account: row.account, why, at: Number(row.at) };
    },
  };
}

const WHYS = ['discarded', 'too-late', 'invalid', 'look-alike'] as const;

function factsOf(row: Columns): JournalFacts {
  const { id, position, set_back_at: setBackAt, now } = row;
  return {
    id: String(id),
    position: Number(position),
    setBackAt: setBackAt === null || setBackAt === undefined ? null : Number(setBackAt),
    now: Number(now),
  };
}

function turnOn(tx: Queries, facts: JournalFacts): Turn {
  return {
    ...readsOn(tx),
    facts: async () => facts,
    byPlace: async (place, since) => {
      // Three clocks: one that says "a short while ago" is enough to ask.
      const ended = since && [since.service, since.server, since.database].map(Math.floor);
      const recent = ended
        ? `and (o.state in ${OPEN} or o.ended_database is null or o.ended_service > $2 or o.ended_server > $3 or o.ended_database > $4)`
        : '';
      const rows = await tx.query(`${SELECT} where o.place = $1 ${recent} order by o.seq`, [place, ...(ended ?? [])]);
      return rows.map(rowOf);
    },
    keyOfResult: async (service, id) => {
      const [row] = await tx.query<{ key: string }>(
        `select key from operations.operations where service = $1 and result_id = $2 and kind = 'withdrawal'`,
        [service, id],
      );
      return row?.key ?? null;
    },
    unresolvedCount: async ({ service, account }) => {
      const [row] = await tx.query<{ count: string }>(
        `select count(*)::text as count from operations.operations
         where service = $1 and account = $2 and state in ${OPEN}`,
        [service, account],
      );
      return Number(row?.count);
    },
    ready: async () => readable(await tx.query(`${SELECT} where o.state = 'ready'`)),
    insert: (record, place) => insert(tx, record, place, facts.position),
    replace: (next, before) => replace(tx, next, before),
    bury: async ({ key, service, account, why, at }) => {
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
      await tx.query('insert into operations.shown (key, account) values ($1, $2) on conflict do nothing', [key, account]);
    },
    setBack: async (at, position, words) => {
      await tx.query('update operations.journal set set_back_at = $1, position = greatest(position, $2)', [at, position]);
      if (at !== null) await tx.query('insert into operations.set_backs (at) values ($1)', [at]);
      else
        await tx.query('update operations.set_backs set ended_at = $1, words = $2 where ended_at is null', [
          facts.now,
          words,
        ]);
    },
  };
}

async function insert(tx: Queries, record: OperationRecord, place: string, seq: number): Promise<void> {
  const fixed: Param[] = [
    record.key,
    seq,
    record.kind,
    record.service,
    record.account,
    place,
    record.path,
    record.body,
    sha256(record.body),
    ...clockValues(record.firstSent),
    record.who,
    JSON.stringify(record.secondSendOf),
  ];
  const values = [...fixed, ...recordValues(record)];
  await tx.query(
    `insert into operations.operations (key, seq, kind, service, account, place, path, body, body_sha256,
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

async function list(queries: Queries, query: ListQuery): Promise<Listed> {
  const { service, account, states, kind, about, cursor, limit } = query;
  const params: Param[] = [service, account];
  const given = (value: Param): string => `$${params.push(value)}`;
  const where = [
    `o.service = $1 and (o.account = $2 or exists
      (select 1 from operations.shown s where s.key = o.key and s.account = $2))`,
    ...(states ? [`o.state in (${states.map(given).join(', ')})`] : []),
    ...(kind === null ? [] : [`o.kind = ${given(kind)}`]),
    ...(cursor === null ? [] : [`o.seq < ${given(Number(cursor))}`]),
    ...(about === null ? [] : [aboutIn(given(about), given(JSON.stringify(about)))]),
  ];
  const rows = await queries.query(
    `${SELECT} where ${where.join(' and ')} order by o.seq desc limit ${given(limit + 1)}`,
    params,
  );
  const page = rows.slice(0, limit);
  return { rows: page.map(rowOf), next: rows.length > limit ? String(page.at(-1)?.['seq']) : null };
}

/** By the id itself wherever the service named it; by its text where it was sent again after, or asked for. */
function aboutIn(id: string, quoted: string): string {
  return `(o.result_id = ${id} or position(${quoted} in o.second_send_of) > 0
    or position(${quoted} in coalesce(o.result, '')) > 0 or position(${quoted} in coalesce(o.contradiction, '')) > 0
    or (o.kind = 'webhook-replay' and o.path = '/v1/webhook-deliveries/' || ${id} || '/replay')
    or exists (select 1 from operations.attempts a where a.key = o.key and a.result_id = ${id}))`;
}

function readable(rows: Columns[]): OperationRecord[] {
  return rows.flatMap((columns) => {
    const { record } = rowOf(columns);
    return record ? [record] : [];
  });
}
