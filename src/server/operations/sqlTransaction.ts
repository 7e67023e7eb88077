import { randomBytes } from 'node:crypto';
import { notSentSchema } from '#src/shared/contract/gatewayContract.ts';
import { type ActivityLog, createActivityLog } from '#src/server/activity/activityLog.ts';
import { raiseForAct, raiseNothing, type RaiseNotice } from '#src/server/activity/raiseNotice.ts';
import type { Queries, SqlRow as Columns } from '#src/server/database/sql.ts';
import { hasRecords } from '#src/server/people/accounts.ts';
import { endAllPendingIn } from '#src/server/people/sealedTables.ts';
import { createSeals, type Seals } from '#src/server/people/seals.ts';
import type { Signing } from '#src/server/people/people.ts';
import { NOW_MS } from '#src/server/people/sessionAge.ts';
import { endAllSessionsIn, endSessionsOfCredentialIn, keySessionRights } from '#src/server/people/sessionRows.ts';
import type { ReadSessionRights } from '#src/server/people/actor.ts';
import { beyondApproval, type SignedPayment } from '#src/server/people/signatures.ts';
import type { Clocks, OperationRecord } from '#src/shared/operations/record.ts';
import { waitsForApproval } from '#src/shared/operations/stateMark.ts';
import { isStorable } from '#src/shared/text.ts';
import { noticesOf } from './noticesOf.ts';
import { noticesOfBatch } from './batches/noticesOfBatch.ts';
import { batchReadsOn, batchWritesOn } from './batches/sqlBatches.ts';
import { approvedBatches } from './approvals/enoughApprovals.ts';
import { type NeedInput, batchNeed, currentNeed } from './approvals/currentNeed.ts';
import { isSignedKind, signedPaymentOf, whyNeverSigned, whySignedBlocksKeyMode } from './contentHash.ts';
import { SELECT, rowOf } from './rowText.ts';
import {
  byDuplicateKeys,
  insertAll,
  readable,
  replace,
  replaceAll,
  UNRESOLVED_SQL,
  UNSENT_SQL,
} from './sqlOperations.ts';
import {
  type AccountOwner,
  CredentialInUse,
  POSITION_MAX,
  JournalAway,
  type JournalFacts,
  type JournalReads,
  type RecordChange,
  type WriteTransaction,
} from './ports.ts';

export const NOW_COLUMN = `${NOW_MS}::text as now`;
/** 122 random bits from the database. */
export const NONCE = "replace(gen_random_uuid()::text, '-', '')";

export function newJournalId(): string {
  return `jnl_${randomBytes(12).toString('hex')}`;
}

type SigningOf = NonNullable<TransactionParts['signing']>;

export function readsOn(queries: Queries, signing: SigningOf = () => null): JournalReads {
  return {
    needOf: async (payment, now) => {
      const people = signing();
      if (people === null || !isSignedKind(payment)) return null;
      return currentNeed(queries, payment, await needInputOf(queries, people, { account: payment.account, now }));
    },
    needOfBatch: async (lines, now) => {
      const people = signing();
      const [first] = lines;
      if (people === null || first === undefined) return null;
      return batchNeed(queries, lines, await needInputOf(queries, people, { account: first.account, now }));
    },
    approversOf: async (account) => (await signing()?.approversOf(queries, account)) ?? [],
    nameOf: async (person) => {
      const [row] = await queries.query<{ name: string }>('select name from people.people where id = $1', [person]);
      return row?.name ?? null;
    },
    overdue: async (limit) =>
      readable(
        await queries.query(
          `${SELECT} where o.key in (select min(key) from operations.operations where state = 'awaiting'
               and recorded_database + wait_hours * 3600000::bigint <= ${NOW_MS} group by coalesce(batch, key))
             order by o.seq limit $1`,
          [limit],
        ),
      ),
    approvalRows: async ({ service, account }, { after, waiting, decided }) => {
      const ofAccount = 'where o.service = $1 and o.account_id = $2 and o.batch is null';
      const own = `${SELECT} ${ofAccount}`;
      const page = await queries.query(
        `${own} and o.state = 'awaiting' and o.seq > $3::bigint order by o.seq limit $4`,
        [service, account, String(after), waiting],
      );
      const found = page.map(rowOf);
      const [rest] = await queries.query<{ count: string }>(
        `select count(*)::text as count from operations.operations o ${ofAccount} and o.state = 'awaiting' and o.seq > $3::bigint`,
        [service, account, String(found.at(-1)?.seq ?? after)],
      );
      const over = await queries.query(
        `${own} and o.needs > 0 and o.state <> 'awaiting' order by o.seq desc limit $3`,
        [service, account, decided],
      );
      return { waiting: found, more: Number(rest?.count ?? 0), decided: over.map(rowOf) };
    },
    approvalsOf: async (keys) => (keys.length === 0 ? [] : ((await signing()?.approvalsOf(queries, keys)) ?? [])),
    stopsOf: async (keys) => (keys.length === 0 ? [] : ((await signing()?.stopsOf(queries, keys)) ?? [])),
    batches: batchReadsOn(queries),
    facts: async () => {
      const [row] = await queries.query(
        `select id, position::text, nonce, set_back_at::text, set_back_position::text, ${NOW_COLUMN}
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
    byKeys: async (keys) => {
      const found = await queries.query(
        `${SELECT} where o.key in (select jsonb_array_elements_text($1::text::jsonb))`,
        [JSON.stringify(keys)],
      );
      return found.map(rowOf);
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
    byDuplicateKey: (duplicateKey, since) => byDuplicateKeys(queries, [duplicateKey], since),
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

async function needInputOf(
  queries: Queries,
  people: Signing,
  { account, now }: { account: string; now: Clocks },
): Promise<NeedInput> {
  return {
    now,
    inForce: await people.policyInForce(queries, account),
    listingsOf: (recipients) => people.listingsOf(queries, account, recipients),
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

/** Dependencies of the journal's transactions. */
export interface TransactionParts {
  readSessionRights: ReadSessionRights;
  activity: ActivityLog;
  seals: Seals;
  /** A function, because people are opened after the journal. Absent or null in key mode, where nobody signs. */
  signing?: () => Signing | null;
  /** Absent if no notices are raised. */
  raise?: RaiseNotice;
}

/** For tests: key mode, and random seal keys, so no other process can verify the activity. */
export const OWN_PARTS: TransactionParts = {
  readSessionRights: keySessionRights,
  activity: createActivityLog(randomBytes(32)),
  seals: createSeals(randomBytes(32)),
};

export function writeTransactionOn(
  tx: Queries,
  initialFacts: JournalFacts,
  { readSessionRights, activity, seals, signing = () => null, raise = raiseNothing }: TransactionParts = OWN_PARTS,
): WriteTransaction {
  let facts = initialFacts;
  const people = (): Signing => {
    const found = signing();
    if (found === null) throw new TypeError('Nobody signs here.');
    return found;
  };
  const batches = batchWritesOn(tx, initialFacts.position);
  const raiseFor = async ({ next, before }: RecordChange): Promise<void> => {
    const { service, account } = next;
    for (const cause of noticesOf(next, before)) await raise(tx, { service, account, ...cause }, facts.now);
  };
  const raiseForBatches = async (
    event: 'batch.approved' | 'batch.rejected',
    about: readonly BatchOfLines[],
    episode: string,
  ): Promise<void> => {
    for (const { service, account, id } of about)
      await raise(tx, { service, account, event, subject: id, episode }, facts.now);
  };
  const reads = readsOn(tx, signing);
  return {
    ...reads,
    batches: {
      ...batches,
      insertBatch: async (batch, file, lines) => {
        await batches.insertBatch(batch, file, lines);
        const { service, account, id: subject } = batch;
        if (lines.some(({ record }) => (record.approval?.needs ?? 0) > 0))
          await raise(tx, { service, account, event: 'batch.awaiting', subject, episode: '0' }, facts.now);
      },
      replaceBatch: async (batch, changes) => {
        const next = await batches.replaceBatch(batch, changes);
        const { service, account } = next;
        for (const cause of noticesOfBatch(next, batch)) await raise(tx, { service, account, ...cause }, facts.now);
        return next;
      },
    },
    facts: async () => facts,
    unresolvedCount: async ({ service, account }) => {
      const [row] = await tx.query<{ count: string }>(
        `select count(*)::text as count from operations.operations
         where service = $1 and account_id = $2 and state in ${UNRESOLVED_SQL}`,
        [service, account],
      );
      return Number(row?.count);
    },
    unsent: async (preparedBy) => {
      const all = `${SELECT} where o.state in ${UNSENT_SQL}`;
      if (preparedBy === undefined) return readable(await tx.query(all));
      const { service, account, maker } = preparedBy;
      const own = `${all} and o.service = $1 and o.account_id = $2 and o.maker = $3 order by o.seq, o.line`;
      return readable(await tx.query(own, [service, account, maker]));
    },
    insert: async (record, duplicateKey) => {
      await insertAll(tx, [{ record, duplicateKey }], facts.position);
      const { service, account, key } = record;
      if (waitsForApproval(record))
        await raise(tx, { service, account, event: 'operation.awaiting', subject: key, episode: '0' }, facts.now);
    },
    insertSignature: async (signature, records) => {
      const signed = signature.decision === 'approve' ? batchesIn(records) : [];
      const before = await approvedBatches(reads, signed);
      await people().insert(tx, signature, signedIn(records), facts.now);
      const approved = (await approvedBatches(reads, signed)).filter(({ id }) => !before.some((one) => one.id === id));
      await raiseForBatches('batch.approved', approved, String(facts.now));
    },
    insertRejection: async (rejection, records) => {
      await people().insertRejection(tx, rejection, signedIn(records), facts.now);
      // Lines are excluded one by one: one notice for those of the same minute.
      const episode = `rejected ${Math.floor(facts.now / 60_000)}`;
      if (rejection.decision === 'reject') await raiseForBatches('batch.rejected', batchesIn(records), episode);
    },
    whyNotApproved: async (record, needs) => {
      if (signing() === null) return beyondApproval(whySignedBlocksKeyMode(record));
      const payment = signedPaymentOf(record);
      if (payment === null) return beyondApproval(whyNeverSigned(record));
      return people().whyNotApproved(tx, payment, needs);
    },
    findingsLastApproverSaw: async (record) => {
      const payment = signedPaymentOf(record);
      return payment === null ? [] : people().findingsLastApproverSaw(tx, payment);
    },
    replace: async (next, before) => {
      await replace(tx, next, before);
      await raiseFor({ next, before });
    },
    replaceAll: async (changes) => {
      await replaceAll(tx, changes);
      for (const change of changes) await raiseFor(change);
    },
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
    shareWith: async (key, account) => {
      await tx.query('insert into operations.shown (key, account) values ($1, $2) on conflict do nothing', [
        key,
        account,
      ]);
    },
    sessionRights: (id) => readSessionRights(tx, id),
    note: async (by, act) => {
      await activity.append(tx, by, act, facts.now);
      await raiseForAct(raise, tx, by, act, facts.now);
    },
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
      // Waits for writes of these sessions, so that the check below finds what they recorded.
      await endSessionsOfCredentialIn(tx, { service, credential, account });
      if (await hasRecords(tx, { service, account: credential })) throw new CredentialInUse();
    },
    setBack: async (at, mark) => {
      const id = newJournalId();
      await tx.query('update operations.journal set id = $1, set_back_at = $2, set_back_position = position', [id, at]);
      await endAllSessionsIn(tx, 'set-back');
      await endAllPendingIn(tx, seals);
      // Several lines to one destination become unconfirmed, which the unique index allows only with a twin.
      await tx.query("update operations.operations set twin = key where state = 'awaiting'");
      await tx.query(
        `update operations.batches set state = 'paused', why = 'set-back', why_line = null, run = null, lease_until = null,
           run_until = null, revision = revision + 1 where state in ('waiting', 'running', 'paused')`,
      );
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

type BatchOfLines = AccountOwner & { id: string };

/** The batches that these payments are lines of. */
function batchesIn(records: readonly OperationRecord[]): BatchOfLines[] {
  const found = new Map<string, BatchOfLines>();
  for (const { service, account, batch } of records) if (batch) found.set(batch.id, { service, account, id: batch.id });
  return [...found.values()];
}

function signedIn(records: readonly OperationRecord[]): SignedPayment[] {
  return records.flatMap((record) => signedPaymentOf(record) ?? []);
}
