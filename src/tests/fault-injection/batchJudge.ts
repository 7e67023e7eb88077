import { lineKey } from '#src/shared/contract/batchContract.ts';
import type { OperationRecord } from '#src/shared/operations/record.ts';
import type { Batch } from '#src/server/operations/ports.ts';
import { type BatchJudge, type Scene, type SimulatedServer, type Verdicts, isBatchOver, PRESS_MS } from './scene.ts';

const LEASE_MS = 60_000;
const LONGEST_RUN_MS = 4 * 60 * 60 * 1_000;

/** The newest run of a batch. */
interface RunState {
  server: SimulatedServer;
  /** By the true clock. */
  startedAt: number;
  /** The requests to start it that its server had just received. */
  startedBy: readonly ReceivedStart[];
  /** By the database's clock: when its lease ends, and when it must end. */
  leaseUntil: number;
  until: number;
  /** Why it sends no more lines; null while it may. */
  over: 'stopped' | 'ended' | null;
  /** The line that it sent last. */
  lastLine: string | null;
}

/** A request to start a batch. */
interface ReceivedStart {
  server: SimulatedServer;
  session: string;
  /** By the true clock. */
  arrivedAt: number;
}

/**
 * Knows who asked which server to start a batch, and which run of it lasts. It has the rules of
 * `src/server/operations/README.md`, "Batches", a second time, and checks every commit by them. Bytes may still leave after a Stop,
 * of a line that was committed as `sending` before.
 */
export function createBatchJudge(scene: () => Scene, blame: (what: keyof Verdicts, why: string) => void): BatchJudge {
  const runs = new Map<string, RunState>();
  const startRequests = new Map<string, ReceivedStart[]>();
  let hasBatch = false;

  function databaseNow(): number {
    const { agenda, database } = scene();
    return agenda.now() + database.skew;
  }

  function isAlive({ leaseUntil, until, over }: RunState): boolean {
    const left = leaseUntil - databaseNow();
    // A lease further ahead means that the clock was set back: it counts as over.
    return over === null && left > 0 && left <= LEASE_MS && databaseNow() < until;
  }

  function started({ id }: Batch, before: Batch, server: SimulatedServer): void {
    const { agenda, judge, rightClock, count } = scene();
    count(before.state === 'waiting' ? 'keyBatchesStarted' : 'keyBatchesContinued');
    const startedBy = (startRequests.get(id) ?? []).filter(
      (request) => request.server === server && agenda.now() - request.arrivedAt <= PRESS_MS + server.frozenFor,
    );
    if (startedBy.length === 0) blame('unasked', `${server.name} starts batch ${id}, and nobody asked it to`);
    const since = agenda.now() - judge.pressedAt(id);
    if (rightClock === 'database' && since > PRESS_MS + server.frozenFor)
      blame('unasked', `batch ${id} is started ${Math.round(since / 1_000)} s after Start was pressed`);
    const earlier = runs.get(id);
    if (earlier !== undefined && isAlive(earlier)) blame('overlaps', `batch ${id} is started while another run lasts`);
    const now = databaseNow();
    const run = { server, startedAt: agenda.now(), startedBy, leaseUntil: now + LEASE_MS, until: now + LONGEST_RUN_MS };
    runs.set(id, { ...run, over: null, lastLine: null });
  }

  /** A waiting line, and its automatic retry, is sent only by the batch's newest run while that lasts. */
  function judgeRun(key: string, id: string, server: SimulatedServer): void {
    const run = runs.get(id);
    if (run === undefined) return blame('unasked', `${server.name} sends ${key}, and nobody started its batch`);
    if (run.server !== server)
      return blame('unasked', `${server.name} sends ${key}, and the last run of its batch is on ${run.server.name}`);
    if (run.over === 'stopped') return blame('afterNo', `${server.name} sends ${key}, and its batch was stopped`);
    if (!isAlive(run)) return blame('unasked', `${server.name} sends ${key}, and the run of its batch is over`);
    const { endedSessions, demotedSessions } = scene();
    if (run.startedBy.every(({ session }) => endedSessions.has(session)))
      blame('withoutSession', `${key} is sent, and the session of whoever started its batch has ended`);
    else if (run.startedBy.every(({ session }) => demotedSessions.has(session)))
      blame('withoutRight', `${key} is sent, and whoever started its batch may only view`);
  }

  /** A run sends the next line only after the last one has a certain outcome. */
  function judgeOrder(key: string, id: string): void {
    const run = runs.get(id);
    const { records, unreadable } = scene().database;
    const last = records.get(run?.lastLine ?? '');
    if (run !== undefined) run.lastLine = key;
    if (last === undefined || last.key === key || unreadable.has(last.key)) return;
    // A check may later find that an accepted line differs.
    const isOpen = last.state === 'sending' || (last.state === 'unconfirmed' && last.reason !== 'mismatch');
    if (isOpen) blame('unasked', `${key} is sent, and ${last.key} of its batch is ${last.state}`);
  }

  function isWaiting({ key, state }: OperationRecord): boolean {
    return state === 'awaiting' && !scene().database.unreadable.has(key);
  }

  return {
    requestArrived: (server, path, session) => {
      const [, id = '', command] = path.split('/');
      if (command !== 'start') return;
      const start = { server, session, arrivedAt: scene().agenda.now() };
      startRequests.set(id, [...(startRequests.get(id) ?? []), start]);
    },

    changed: (next, before, server) => {
      const { count } = scene();
      const { id, state } = next;
      if (before === null) {
        if (!hasBatch) count('keyBatchSeeds');
        hasBatch = true;
        return count('keyBatchesRecorded');
      }
      if (state === 'running') return started(next, before, server);
      if (next.why === 'set-back') count('keyBatchesSetBack');
      const isByPerson = state === 'stopped' || (state === 'paused' && next.why === 'person');
      if (isByPerson) count(state === 'stopped' ? 'keyBatchesWithdrawn' : 'keyBatchesStopped');
      const run = runs.get(id);
      if (run?.over === null) run.over = isByPerson ? 'stopped' : 'ended';
    },

    renewed: (id) => {
      const run = runs.get(id);
      if (run === undefined || !isAlive(run))
        return blame('unasked', `the lease of batch ${id} is renewed after its run`);
      run.leaseUntil = databaseNow() + LEASE_MS;
    },

    judgeLineSend: (next, before, server) => {
      const { key, batch, state, attempts } = next;
      if (batch === undefined || state !== 'sending' || before.state === 'sending') return false;
      const isFirst = before.state === 'awaiting';
      const isAutomatic = attempts.at(-1)?.by === 'automatic';
      const lastPress = attempts.findLast(({ by }) => by === 'person');
      if (!isFirst && !(isAutomatic && lastPress?.from.state === 'awaiting')) return false;
      if (isFirst) scene().count('keyLinesSent');
      judgeRun(key, batch.id, server);
      if (isFirst) judgeOrder(key, batch.id);
      return true;
    },

    commandAccepted: ({ id, command, body }, where, at) => {
      const { database, count } = scene();
      const run = runs.get(id);
      if (command === 'stop' && run !== undefined && run.startedAt < at && isAlive(run))
        blame('afterNo', `${where} says that batch ${id} was stopped, and its run goes on`);
      if (command !== 'exclude' && command !== 'withdraw') return;
      const lines = [...database.records.values()].filter(({ batch }) => batch?.id === id);
      const ended = command === 'withdraw' ? lines : lines.filter(({ key }) => key === lineKey(id, lineIn(body)));
      if (command === 'exclude') count('keyLinesExcluded');
      for (const line of ended.filter(isWaiting))
        blame('afterNo', `${where} says that ${line.key} is never sent, and it still waits`);
    },

    journalSetBack: () => {
      for (const run of runs.values()) run.over ??= 'ended';
    },

    isRunningOn: (server) => [...runs.values()].some((run) => run.server === server && isAlive(run)),

    serverOf: (id) => {
      const run = runs.get(id);
      return run !== undefined && isAlive(run) ? run.server : null;
    },

    close: () => {
      const { batches, records } = scene().database;
      for (const { id, state, why } of batches.values()) {
        const waiting = [...records.values()].filter((record) => record.batch?.id === id && isWaiting(record));
        if (!isBatchOver(state))
          blame('unresolved', `batch ${id} is ${state}, ${why ?? 'no reason'}, with ${waiting.length} waiting lines`);
        else if (waiting.length > 0) blame('unresolved', `batch ${id} is ${state}, and ${waiting[0]?.key} waits`);
      }
    },
  };
}

function lineIn(body: object | undefined): number {
  return body !== undefined && 'line' in body ? Number(body.line) : Number.NaN;
}
