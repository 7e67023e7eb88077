import type * as checks from '#src/server/operations/checking.ts';
import type * as timing from '#src/server/operations/clocks.ts';
import type * as engine from '#src/server/operations/engine.ts';
import type { WriteTransaction } from '#src/server/operations/ports.ts';
import type * as moments from '#src/server/operations/ports.ts';
import { dryRun, seeingAgain } from '#src/tests/fault-injection/dryRun.ts';
import { type Mutant, rowsAre } from './mutant.ts';
import type { Mutation, Scene, SimulatedServer, OperationsCall } from '#src/tests/fault-injection/scene.ts';
import { actorOf } from '#src/tests/fault-injection/servers.ts';

// Each mutant removes one rule of the journal.

function pause(scene: Scene, server: SimulatedServer, longest: number): Promise<void> {
  return new Promise((resolve) => {
    scene.agenda.after(scene.random.whole(0, longest), () => (scene.agenda.stir(), resolve()), server.machine);
  });
}

/** Inserts decide by data read before their transaction. */
const insertsSee = (names: readonly (keyof WriteTransaction)[], longest: number): Mutation =>
  rowsAre((rows, scene, server) => ({
    write: async (work) => {
      const { inserted, reads } = await dryRun(rows, work);
      if (inserted.length === 0) return rows.write(work);
      await pause(scene, server, longest);
      return rows.write((transaction) => work(seeingAgain(transaction, reads, names)));
    },
  }));

/** Sends first and records `sending` afterwards. */
const recordsAfter = rowsAre((rows, scene, server) => ({
  write: async (work) => {
    const { replaced, value } = await dryRun(rows, work);
    if (!replaced.some(({ state }) => state === 'sending')) return rows.write(work);
    void pause(scene, server, 2_000)
      .then(() => rows.write(work))
      .catch(() => undefined);
    return value;
  },
}));

/** Overwrites a record without checking that it is unchanged. */
const writesOver = rowsAre((rows, scene, server) => ({
  write: async (work) => {
    const { replaced, reads } = await dryRun(rows, work);
    if (replaced.length !== 1 || scene.random.chance(0.5)) return rows.write(work);
    await pause(scene, server, 1_500);
    return rows.write((transaction) => {
      const blind: WriteTransaction = {
        ...seeingAgain(transaction, reads, ['byKey']),
        replace: async (next) => {
          const now = (await transaction.byKey(next.key))?.record;
          if (now) await transaction.replace({ ...next, revision: now.revision + 1 }, now);
        },
      };
      return work(blind);
    });
  },
}));

const ignoresTombstones = rowsAre((rows) => ({
  tombstone: async () => null,
  write: (work) => rows.write((transaction) => work({ ...transaction, tombstone: async () => null })),
}));

const takesAnyId = rowsAre((rows) => ({
  keyOfResult: async () => null,
  write: (work) => rows.write((transaction) => work({ ...transaction, keyOfResult: async () => null })),
}));

/** A starting server resends what it finds. */
function resendsAll(scene: Scene, server: SimulatedServer): void {
  for (const record of scene.database.records.values()) {
    const account = scene.accounts.find(({ name }) => name === record.account);
    if (record.state !== 'unconfirmed' || account === undefined) continue;
    const actor = { ...actorOf(scene, server, account, false, 'nobody'), apiKey: account.at.apiKey };
    const { revision } = record;
    void server.operations.starting.send(actor, record, { revision }).catch(() => undefined);
  }
}

const noLease = (original: typeof timing): Partial<typeof timing> => ({
  isLeased: () => false,
  cooldownUntil: () => null,
  isWaiting: original.isWaiting,
});

const believesAnyDate = (original: typeof checks): Partial<typeof checks> => ({
  askServiceDate: async (read) => {
    const answers: { date: number | null }[] = [];
    const found = await original.askServiceDate(async (target) => {
      const answer = await read(target);
      if (answer.kind === 'answer' && answer.status === 503) answers.push(answer);
      return answer;
    });
    const date = answers[0]?.date;
    return date === undefined || date === null ? found : { date };
  },
});

/** Uses the service's clock for all three. */
const oneClock = (original: typeof timing): Partial<typeof timing> => {
  const elapsed: typeof original.elapsedBy = (since, now) => {
    const [service] = original.elapsedBy(since, now);
    return [service, service, service];
  };
  return {
    isInWindow: (since, now) => elapsed(since, now).every((seconds) => seconds >= -60 && seconds < 23 * 3_600),
    hasPassed: (since, now, seconds) => elapsed(since, now).every((passed) => passed >= seconds),
  };
};

const noVeto = (original: typeof checks): Partial<typeof checks> => ({
  createChecking: (world, journal) => {
    const checking = original.createChecking(world, journal);
    return {
      ...checking,
      check: async (actor, record, whole) => {
        const note = await checking.check(actor, record, whole);
        return note && { ...note, lookAlikes: note.lookAlikes && [] };
      },
    };
  },
});

const readyAfterRefusal = (original: typeof engine): Partial<typeof engine> => ({
  step: (record, event, at) => {
    const next = original.step(record, event, at);
    if (event.type !== 'not-connected' || next.record === null) return next;
    const { reason: _, ...rest } = next.record;
    return { ...next, record: { ...rest, state: 'ready' } };
  },
});

const timeStandsStill = (): Partial<typeof moments> => ({ passedSince: () => 0 });

/** A press is valid for another minute, however late it arrives. */
export const holdsFor = (method: OperationsCall['method'], path: string): Mutation => ({
  readBody: ({ agenda, database }, { method: asked, path: at, body }) =>
    asked === method && at.endsWith(path) ? { ...body, not_after: agenda.now() + database.skew + 60_000 } : undefined,
});

export const FURTHER: readonly Mutant[] = [
  {
    name: 'look-alikes outside the transaction',
    breaks: 'doubles',
    mutation: insertsSee(['byDuplicateKey'], 3_000),
  },
  {
    name: 'no lock for writers',
    breaks: 'doubles',
    mutation: insertsSee(['byKey', 'tombstone', 'byDuplicateKey'], 1_500),
  },
  {
    name: 'no unique index, where writers take no lock',
    breaks: 'doubles',
    mutation: { ...insertsSee(['byKey', 'tombstone', 'byDuplicateKey'], 200), noUniqueIndexes: true },
  },
  { name: 'the record after the request', breaks: 'unrecorded', mutation: recordsAfter },
  { name: 'a lease ignored', breaks: 'overlaps', modules: { 'server/operations/clocks.ts': noLease } },
  { name: 'an answer applied without compare-and-set', breaks: 'falseNotSent', mutation: writesOver },
  { name: 'a resend by itself after a restart', breaks: 'unasked', mutation: { atStart: resendsAll } },
  { name: 'a tombstone ignored', breaks: 'falseNotSent', mutation: ignoresTombstones },
  {
    name: 'Date of a 503 believed',
    breaks: 'late',
    modules: { 'server/operations/checking.ts': believesAnyDate },
  },
  { name: 'one clock believed', breaks: 'late', modules: { 'server/operations/clocks.ts': oneClock } },
  { name: 'absence without the veto', breaks: 'falseNotSent', modules: { 'server/operations/checking.ts': noVeto } },
  { name: 'a POST let through the relay', breaks: 'unrecorded', mutation: { relaysPosts: true } },
  {
    name: 'the id of another record taken',
    breaks: 'falseSent',
    mutation: { ...takesAnyId, noUniqueIndexes: true },
  },
  {
    name: 'a key taken up again after an answer that was no tombstone',
    breaks: 'falseNotSent',
    mutation: {
      concludePage: ({ status }) => {
        const isTaken = status === 403 || status === 404 || status === 502 || status === 503;
        return isTaken ? { kind: 'not-sent', notSent: null, lookAlikes: null } : null;
      },
    },
  },
  {
    name: 'ready after a later attempt was refused a connection',
    breaks: 'falseNotSent',
    modules: { 'server/operations/engine.ts': readyAfterRefusal },
  },
  { name: 'send without not_after', breaks: 'unasked', mutation: holdsFor('POST', '/send') },
  {
    name: 'bytes written late',
    breaks: 'unasked',
    modules: { 'server/operations/ports.ts': timeStandsStill },
  },
];
