import type { Act } from '#src/server/activity/activityLog.ts';
import { differingLines } from './lines.ts';
import { sessionRightsOf } from './demotion.ts';
import type { OperationRecord } from '#src/shared/operations/record.ts';
import {
  type Batch,
  type BatchReads,
  type BatchWrites,
  JournalAway,
  type JournalMark,
  JournalUnsure,
  type Rows,
  type WriteTransaction,
} from '#src/server/operations/ports.ts';
import type { SimulatedFault } from './counts.ts';
import { freezeServer } from './freeze.ts';
import { mayAlter } from './objects.ts';
import type { Scene, SimulatedServer } from './scene.ts';
import { busy } from './wire.ts';

const LOST = 0.008;
const CRASHES = 0.008;
const SLOW = 0.04;
/** Longer than the service keeps an idle connection open; for a process whose clocks stop too. */
const STALE_MS = 2 * 3_600_000;
/** A second, just under and over ten seconds, ten minutes, and more than a day. */
const FROZEN_MS = [1_000, 9_000, 11_000, 600_000, 26 * 3_600_000, 26 * 3_600_000] as const;

type Trouble = 'none' | 'statement' | 'lost' | 'unsureRolledBack' | 'unsureCommitted';

/** One server's view of the database: at each call the database or the connection may fail. */
export function faultyRows(scene: Scene, server: SimulatedServer, dies: (how: SimulatedFault) => void): Rows {
  const { agenda, random, database } = scene;
  const { rows } = database;

  function never<T>(): Promise<T> {
    return new Promise<T>(() => undefined);
  }

  function isAway(): boolean {
    return scene.agenda.now() < Math.max(database.awayUntil, server.cutOffUntil);
  }

  function read<T>(work: () => Promise<T>): Promise<T> {
    agenda.stir();
    if (!server.machine.alive) return never();
    if (isAway() || random.chance(LOST * scene.faultRate)) {
      scene.count('readsOfJournalFailed');
      return Promise.reject(new JournalAway('The simulation keeps the database away.'));
    }
    const reading = scene.database.isReal ? agenda.hold(work()) : work();
    if (!random.chance(SLOW * scene.faultRate)) return reading;
    return new Promise((resolve, reject) => {
      agenda.after(
        random.whole(1, 400),
        () => (agenda.stir(), reading.then(resolve, reject), undefined),
        server.machine,
      );
    });
  }

  function troubleOf(): Trouble {
    if (isAway()) return 'lost';
    if (!random.chance(5 * LOST * scene.faultRate)) return 'none';
    return random.pick(['statement', 'lost', 'unsureRolledBack', 'unsureCommitted'] as const);
  }

  function write<T>(work: (transaction: WriteTransaction) => Promise<T>): Promise<T> {
    agenda.stir();
    if (!server.machine.alive) return never();
    const isOld = server.version !== database.version;
    if (isOld) scene.count('writesOfOldVersion');
    const trouble = isOld ? 'lost' : troubleOf();
    const death = random.chance(CRASHES * scene.faultRate) ? random.pick(['before', 'after'] as const) : null;
    const slow = random.chance(SLOW * scene.faultRate) ? random.whole(1, random.chance(0.1) ? 15_000 : 900) : 0;
    return new Promise<T>((resolve, reject) => {
      const notify = (tell: () => void): void =>
        agenda.after(
          random.whole(0, 2) + (random.chance(0.5) ? slow : 0),
          () => (agenda.stir(), tell()),
          server.machine,
        );
      const reach = async (): Promise<void> => {
        if (!server.machine.alive) return;
        if (death === 'before') return dies('crashesBeforeWrite');
        if (trouble === 'lost') {
          scene.count('writesRefused');
          return notify(() => reject(new JournalAway('The simulation keeps the database away.')));
        }
        let sends = false;
        const done = await commit(work, trouble, () => (sends = true)).then(
          (value) => ({ value }),
          (error: unknown) => ({ error }),
        );
        if (sends && scene.worlds.stalling && random.chance(0.4)) freezeServer(scene, server, STALE_MS, true);
        else if (random.chance(scene.freezeRate * scene.faultRate)) {
          freezeServer(scene, server, random.pick(FROZEN_MS), random.chance(0.6));
        }
        if (death === 'after') return dies('crashesAfterWrite');
        if ('error' in done) {
          const isUnsure = trouble === 'unsureRolledBack';
          const error = isUnsure ? new JournalUnsure('The simulation lost COMMIT.') : done.error;
          return notify(() => reject(error));
        }
        if (trouble !== 'unsureCommitted') {
          const { mark, value } = done.value;
          return notify(() => {
            server.host.latestKnownWrite = mark;
            resolve(value);
          });
        }
        scene.count('commitsUnsure');
        return notify(() => reject(new JournalUnsure('The simulation lost the answer to COMMIT.')));
      };
      agenda.after(random.whole(0, 2) + slow, reach);
    });
  }

  async function commit<T>(
    work: (transaction: WriteTransaction) => Promise<T>,
    trouble: Trouble,
    sends: () => void,
  ): Promise<{ value: T; mark: JournalMark }> {
    let findsSetBack = false;
    const written: [OperationRecord, OperationRecord | null][] = [];
    const batches: [Batch, Batch | null][] = [];
    const renewed: string[] = [];
    const closed: string[] = [];
    const discarded: string[] = [];
    const spent: string[] = [];
    const acts: Act[] = [];
    let statements = trouble === 'statement' ? random.whole(1, 6) : Number.POSITIVE_INFINITY;
    const done = await rows.write(async (transaction) => {
      written.length = 0;
      batches.length = 0;
      renewed.length = 0;
      discarded.length = 0;
      spent.length = 0;
      acts.length = 0;
      findsSetBack = false;
      const statement = <T>(result: () => Promise<T>): Promise<T> => {
        statements -= 1;
        if (statements > 0) return result();
        scene.count('statementsFailed');
        return Promise.reject(new JournalAway('The simulation fails a statement.'));
      };
      const watched: WriteTransaction = {
        ...transaction,
        batches: watchedBatches(transaction.batches, statement, { written, batches, renewed }),
        byKey: (key) => statement(() => transaction.byKey(key)),
        tombstone: (key) => statement(() => transaction.tombstone(key)),
        byDuplicateKey: (duplicateKey, since) => statement(() => transaction.byDuplicateKey(duplicateKey, since)),
        keyOfResult: (service, id) => statement(() => transaction.keyOfResult(service, id)),
        unresolvedCount: (owner) => statement(() => transaction.unresolvedCount(owner)),
        unsent: (preparedBy) => statement(() => transaction.unsent(preparedBy)),
        writeTombstone: (tombstone) => {
          if (tombstone.why === 'discarded') discarded.push(tombstone.key);
          if (tombstone.why === 'nobody-knows') spent.push(tombstone.key);
          return statement(() => transaction.writeTombstone(tombstone));
        },
        note: (by, act) => {
          acts.push(act);
          return transaction.note(by, act);
        },
        sessionRights: (id) => statement(async () => sessionRightsOf(scene, id)),
        shareWith: (key, account) => statement(() => transaction.shareWith(key, account)),
        hasMark: (mark) => statement(() => transaction.hasMark(mark)),
        isFormerId: (id) => statement(() => transaction.isFormerId(id)),
        setBack: (at, mark) => {
          findsSetBack = true;
          return statement(() => transaction.setBack(at, mark));
        },
        endSetBack: (words) => statement(() => transaction.endSetBack(words)),
        insert: (record, duplicateKey) => {
          written.push([record, null]);
          return statement(() => transaction.insert(record, duplicateKey));
        },
        replace: (next, before) => {
          written.push([next, before]);
          return statement(() => transaction.replace(next, before));
        },
        replaceAll: (changes) => {
          for (const { next, before } of changes) written.push([next, before]);
          return statement(() => transaction.replaceAll(changes));
        },
        closeUnreadable: (key, closing) => {
          closed.push(key);
          return statement(() => transaction.closeUnreadable(key, closing));
        },
      };
      const value = await work(watched);
      if (findsSetBack) batches.push(...(await changedBatches(transaction.batches)));
      const { id, position, nonce } = await transaction.facts();
      if (trouble !== 'unsureRolledBack') return { value, mark: { id, position, nonce } };
      scene.count('commitsUnsure');
      throw new JournalUnsure('The simulation lost COMMIT.');
    });
    database.latest = done.mark;
    if (findsSetBack) scene.judge.foundSetBack();
    for (const key of closed) database.unreadable.set(key, true);
    for (const difference of differingLines({ records: written, batches, closed, discarded, spent, acts }))
      scene.judge.blame('withoutLine', difference);
    for (const [next, before] of batches) {
      scene.judge.batches.changed(next, before, server);
      database.batches.set(next.id, next);
      const why = next.why === null ? '' : `, ${next.why}`;
      scene.tell?.(`${server.name} ${before === null ? 'records' : 'writes'} batch ${next.id}: ${next.state}${why}`);
    }
    for (const [next, before] of written) {
      scene.judge.committed(next, before, server);
      if (next.state === 'sending') {
        sends();
        mayWrite(scene, server, next.key);
      }
      database.records.set(next.key, next);
      mayAlter(scene, next);
      const reason = next.reason === undefined ? '' : `, ${next.reason}`;
      scene.tell?.(`${server.name} ${before === null ? 'records' : 'writes'} ${next.key}: ${next.state}${reason}`);
    }
    for (const id of renewed) scene.judge.batches.renewed(id);
    return done;
  }

  /** Noting a set-back pauses batches without replaceBatch. */
  async function changedBatches(reads: BatchReads): Promise<[Batch, Batch][]> {
    const changed: [Batch, Batch][] = [];
    for (const before of database.batches.values()) {
      const next = await reads.batch(before.id);
      if (next !== null && next.revision !== before.revision) changed.push([next, before]);
    }
    return changed;
  }

  return {
    batches: eachCall(rows.batches, read),
    facts: () => read(() => rows.facts()),
    hasMark: (mark) => read(() => rows.hasMark(mark)),
    isFormerId: (id) => read(() => rows.isFormerId(id)),
    byKey: (key) => read(() => rows.byKey(key)),
    byKeys: (keys) => read(() => rows.byKeys(keys)),
    tombstone: (key) => read(() => rows.tombstone(key)),
    byDuplicateKey: (duplicateKey, since) => read(() => rows.byDuplicateKey(duplicateKey, since)),
    keyOfResult: (service, id) => read(() => rows.keyOfResult(service, id)),
    needOf: (payment, now) => read(() => rows.needOf(payment, now)),
    needOfBatch: (lines, now) => read(() => rows.needOfBatch(lines, now)),
    approvalsOf: (keys) => read(() => rows.approvalsOf(keys)),
    stopsOf: (keys) => read(() => rows.stopsOf(keys)),
    approversOf: (account) => read(() => rows.approversOf(account)),
    approvalRows: (owner, limit) => read(() => rows.approvalRows(owner, limit)),
    overdue: (limit) => read(() => rows.overdue(limit)),
    nameOf: (person) => read(() => rows.nameOf(person)),
    list: (query) => read(() => rows.list(query)),
    operationsOfOtherAccounts: (owner, limit) => read(() => rows.operationsOfOtherAccounts(owner, limit)),
    isSharedWith: (key, account) => read(() => rows.isSharedWith(key, account)),
    hasAccount: (owner) => read(() => rows.hasAccount(owner)),
    write,
  };
}

type Statement = <T>(work: () => Promise<T>) => Promise<T>;

/** Every method as one statement. */
function eachCall<T extends BatchReads>(methods: T, statement: Statement): T {
  const calls = Object.entries(methods as unknown as Record<string, (...args: unknown[]) => Promise<unknown>>);
  const wrapped = calls.map(([name, call]) => [name, (...args: unknown[]) => statement(() => call(...args))]);
  return Object.fromEntries(wrapped) as T;
}

/** Notes what is written of batches and their lines. */
function watchedBatches(
  writes: BatchWrites,
  statement: Statement,
  noted: {
    written: [OperationRecord, OperationRecord | null][];
    batches: [Batch, Batch | null][];
    renewed: string[];
  },
): BatchWrites {
  const calls = eachCall(writes, statement);
  return {
    ...calls,
    insertBatch: (batch, file, lines) => {
      noted.batches.push([batch, null]);
      for (const { record } of lines) noted.written.push([record, null]);
      return calls.insertBatch(batch, file, lines);
    },
    replaceBatch: async (batch, changes) => {
      const next = await calls.replaceBatch(batch, changes);
      noted.batches.push([next, batch]);
      return next;
    },
    renewRun: async (id, run, leaseUntil) => {
      const isRenewed = await calls.renewRun(id, run, leaseUntil);
      if (isRenewed) noted.renewed.push(id);
      return isRenewed;
    },
    discardLines: async (id, ending) => {
      const before = (await writes.linesOf(id)).flatMap(({ record }) => record ?? []);
      await calls.discardLines(id, ending);
      const after = (await writes.linesOf(id)).flatMap(({ record }) => record ?? []);
      for (const next of after) {
        const earlier = before.find(({ key }) => key === next.key);
        if (earlier !== undefined && earlier.revision !== next.revision) noted.written.push([next, earlier]);
      }
    },
  };
}

/** Longer than a frozen process needs to learn of its commit, and to write then. */
const HEARS_MS = 20_000;

function mayWrite(scene: Scene, server: SimulatedServer, key: string): void {
  busy(server, key, 1);
  scene.agenda.after(HEARS_MS, () => busy(server, key, -1), server.machine);
}

/** Makes one of the rows unreadable. */
export async function damage(scene: Scene): Promise<void> {
  const { database, random } = scene;
  const records = [...database.records.values()].filter(({ key }) => !database.unreadable.has(key));
  if (records.length === 0) return;
  const { key, state } = random.pick(records);
  await database.store.damage(key);
  database.unreadable.set(key, false);
  scene.count('rowsDamaged');
  scene.tell?.(`the row of ${key} (${state}) is damaged`);
}
