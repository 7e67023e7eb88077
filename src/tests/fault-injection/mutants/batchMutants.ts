import type * as batchRun from '#src/server/operations/batches/batchRun.ts';
import type * as running from '#src/server/operations/batches/running.ts';
import type * as ending from '#src/server/operations/batches/endBatch.ts';
import type * as journals from '#src/server/operations/journal.ts';
import type * as looks from '#src/server/operations/lookAlikes.ts';
import type * as outside from '#src/server/operations/paidOutside.ts';
import { asSender } from '#src/server/operations/ports.ts';
import type { Mutation } from '#src/tests/fault-injection/scene.ts';
import { actorOf } from '#src/tests/fault-injection/servers.ts';
import { type Mutant, retriesOfPeople, rowsAre, turnsAre } from './mutant.ts';

// Mutants of batches, found where people sign in with API keys.

/** A line is sent whatever became of its run. */
const runsNeverEnd = (): Partial<typeof batchRun> => ({ isLive: () => true });

const leasesNeverEnd = (original: typeof batchRun): Partial<typeof batchRun> => ({
  isLive: ({ state, run }, id) => state === 'running' && run !== null && run.id === id,
  isLeaseAlive: original.isLeaseAlive,
});

/** A server that starts goes on with what another one was sending. */
const goesOnAfterRestart: Mutation = {
  atStart: (scene, server) => {
    const goOn = (): void => {
      for (const { id, account, state, why, revision } of scene.database.batches.values()) {
        const owner = scene.accounts.find(({ name }) => name === account);
        const isLeft = state === 'running' || (state === 'paused' && why === 'server-stopped');
        if (owner === undefined || !isLeft) continue;
        const actor = asSender(actorOf(scene, server, owner, false, 'the server'));
        const notAfter = scene.agenda.now() + scene.database.skew + 60_000;
        scene.agenda.stir();
        void server.operations.batches.start(actor, id, { revision, not_after: notAfter }).catch(() => undefined);
      }
    };
    scene.agenda.after(61_000, goOn, server.machine);
  },
};

/** A run sends its unconfirmed lines, too. */
const resendsUnconfirmed = rowsAre((rows) => ({
  batches: {
    ...rows.batches,
    nextLine: async (id, after) =>
      (await rows.batches.linesOf(id)).find(
        ({ record }) =>
          (record?.state === 'awaiting' || record?.state === 'unconfirmed') && (record.batch?.line ?? 0) > after,
      ) ?? null,
  },
}));
const sendsWhatIsUnconfirmed = (original: typeof journals): Partial<typeof journals> => ({
  createJournal: (...parts) => {
    const own = original.createJournal(...parts);
    return {
      ...own,
      advance: async (...parameters) => {
        const [actor, key, event, preconditions] = parameters;
        const found = event.type === 'send' && preconditions?.run !== undefined ? await own.find(actor, key) : null;
        const isAgain = found?.kind === 'record' && found.record.state === 'unconfirmed';
        return own.advance(actor, key, event, isAgain ? {} : preconditions);
      },
    };
  },
});

const linesNotCompared = (original: typeof looks): Partial<typeof looks> => ({
  lookAlikes: (rows, candidate, facts) =>
    candidate.batch === undefined ? original.lookAlikes(rows, candidate, facts) : { existing: null, of: [] },
});

/** Withdraw ends the batch, and not its lines. */
const withdrawsNoLine = turnsAre((transaction) => ({
  batches: { ...transaction.batches, discardLines: async () => undefined },
}));

/** A run treats any outcome of a line as accepted. */
const neverPauses = (original: typeof running): Partial<typeof running> => ({
  createRuns: (ports, journal, attempts) => {
    const find: typeof journal.find = async (...asked) => {
      const found = await journal.find(...asked);
      const isOpen = found.kind === 'record' && found.record.state === 'unconfirmed';
      return isOpen ? { ...found, record: { ...found.record, state: 'succeeded' } } : found;
    };
    return original.createRuns(ports, { ...journal, find }, attempts);
  },
});

const seesNothingOutside = (): Partial<typeof outside> => ({ paidOutside: async () => [] });

/** Retries of a stopped run are left to happen. */
const keepsRetries = (original: typeof ending): Partial<typeof ending> => ({
  ...original,
  endRetries: async () => undefined,
});

const MODULES = {
  run: 'server/operations/batches/batchRun.ts',
  ending: 'server/operations/batches/endBatch.ts',
} as const;

export const BATCH_MUTANTS: readonly Mutant[] = [
  {
    name: 'with API keys, a run goes on after Stop',
    isAboutBatches: true,
    breaks: 'afterNo',
    modules: { [MODULES.run]: runsNeverEnd },
  },
  {
    name: 'with API keys, a run that stood still goes on after its lease',
    isAboutBatches: true,
    breaks: 'unasked',
    modules: { [MODULES.run]: leasesNeverEnd },
  },
  {
    name: 'a run goes on after an unconfirmed line',
    isAboutBatches: true,
    breaks: 'unasked',
    modules: { 'server/operations/batches/running.ts': neverPauses },
  },
  {
    name: 'a restarted server goes on with a paused batch by itself',
    isAboutBatches: true,
    breaks: 'unasked',
    mutation: goesOnAfterRestart,
  },
  {
    name: 'Continue sends an unconfirmed line again',
    isAboutBatches: true,
    breaks: 'unasked',
    mutation: resendsUnconfirmed,
    modules: { 'server/operations/journal.ts': sendsWhatIsUnconfirmed },
  },
  {
    name: 'a line isn’t compared with payments made since it was recorded',
    isAboutBatches: true,
    breaks: 'doubles',
    modules: { 'server/operations/lookAlikes.ts': linesNotCompared },
  },
  {
    name: 'a line isn’t compared with the service’s list',
    isAboutBatches: true,
    breaks: 'doubles',
    modules: { 'server/operations/paidOutside.ts': seesNothingOutside },
  },
  {
    name: 'Withdraw leaves the lines waiting',
    isAboutBatches: true,
    breaks: 'afterNo',
    mutation: withdrawsNoLine,
  },
  {
    name: 'with API keys, an automatic retry of a line is made after Stop',
    isAboutBatches: true,
    breaks: 'afterNo',
    modules: { [MODULES.run]: retriesOfPeople, [MODULES.ending]: keepsRetries },
  },
];
