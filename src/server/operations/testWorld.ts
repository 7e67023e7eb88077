import type { SessionRights } from '#src/server/people/actor.ts';
import * as v from 'valibot';
import { expect } from 'vitest';
import { JOURNAL_HEADER, OPERATIONS_PATH } from '#src/shared/serverPaths.ts';
import { type ReviewRequest, type StartRequest, operationViewSchema } from '#src/shared/contract/gatewayContract.ts';
import type { AttemptResult } from '#src/shared/answers.ts';
import type { OperationRecord } from '#src/shared/operations/record.ts';
import { KEY_RIGHTS } from '#src/server/people/testRights.ts';
import { withdrawalRequest } from '#src/shared/operations/withdrawal.ts';
import { memoryRows } from './testMemoryRows.ts';
import { emptyJournal } from './testMemoryJournal.ts';
import { createMarks } from './marks.ts';
import { createOperations } from './operations.ts';
import { BATCHES_PATH } from '#src/shared/contract/batchContract.ts';
import { createBatchesApp } from './batches/routes.ts';
import { createOperationsApp } from './routes.ts';
import {
  JournalAway,
  type JournalMark,
  type MarkStore,
  type Rows,
  type OperationActor,
  type Clock,
  type Ports,
} from './ports.ts';
import { ACCOUNT, SENT, SERVICE, T0, answer, created, credentialFor, envelope, listBody } from './testAnswers.ts';

// Test support: virtual time, a journal in memory and a scripted service.

/** Resolves when all pending work that waits for no timer has run. */
export async function quiet(): Promise<void> {
  for (let i = 0; i < 5; i += 1) await new Promise((resolve) => setImmediate(resolve));
}

/** A response of /api/operations. */
export interface ApiAnswer {
  status: number;
  headers: Headers;
  body: object;
  /** The journal's latest mark. */
  mark: string | null;
}

/** The view in an answer, or beside its error. */
export function viewInAnswer({ body }: ApiAnswer) {
  return v.parse(operationViewSchema, 'view' in body ? body.view : body);
}

export function errorOf({ status, body }: ApiAnswer): [status: number, error: unknown] {
  return [status, 'error' in body ? body.error : null];
}

/** The expected `errorOf` of a refused command whose message contains this text. */
export function notDone(message = ''): unknown[] {
  return [409, expect.objectContaining({ code: 'not_done', message: expect.stringContaining(message) })];
}

interface Timer {
  due: number;
  act: () => void;
}

export interface Post {
  apiKey: string;
  path: string;
  body: string;
  key: string;
  attempt: string;
}

/** The disk of one server. */
export function memoryMarkStore(): MarkStore {
  let kept: readonly string[] = [];
  return {
    read: () => kept,
    keep: async (mark) => {
      kept = [mark];
    },
  };
}

/** One database, one service, their clocks, and as many servers as a test asks for. */
export function createTestWorld() {
  let passed = 0;
  let names = 0;
  const timers: Timer[] = [];
  const world = {
    journal: emptyJournal('jnl_1'),
    marks: createMarks(new Uint8Array(32), SERVICE),
    lastMark: memoryMarkStore(),
    warnings: [] as string[],
    /** The mark of a browser that saw a write missing from this journal. */
    lostMark: (more: Partial<JournalMark> = {}) =>
      world.marks.write({ id: world.journal.id, position: 1n, nonce: 'lost', ...more }),
    /** How far each clock is off: the service's in seconds, the others in milliseconds. */
    skew: { service: 0, server: 0, mono: 0, database: 0 },
    posts: [] as Post[],
    reads: [] as string[],
    destroyed: 0,
    connect: async (): Promise<void> => undefined,
    post: (_sent: Post): AttemptResult | Promise<AttemptResult> => answer(201, created(), { date: world.date() }),
    get: (target: string): AttemptResult | Promise<AttemptResult> =>
      target.startsWith('/v1/balances')
        ? answer(200, listBody([]), { date: world.date() })
        : answer(404, envelope('not_found'), { date: world.date() }),
    /** The database cannot be reached. */
    away: false,
    /** The open sessions, by id. */
    sessions: new Map<string, SessionRights>(),
    writes: 0,
    /** Called before and after each commit with its number; the writer gets the error that they throw. */
    beforeWrite: (_write: number): void => undefined,
    afterWrite: (_write: number): void => undefined,
    date: () => T0 + Math.floor(passed / 1_000) + world.skew.service,
    wall: () => T0 * 1_000 + passed + world.skew.server,
    database: () => T0 * 1_000 + passed + world.skew.database,
    /** The machine sleeps: all clocks go on, timers fire late. */
    sleep: (ms: number) => void (passed += ms),
    /** Time passes; timers fire when they are due. */
    pass: async (ms: number) => {
      const end = passed + ms;
      await quiet();
      for (;;) {
        const next = timers.filter(({ due }) => due <= end).toSorted((a, b) => a.due - b.due)[0];
        passed = Math.max(passed, next?.due ?? end);
        if (!next) break;
        timers.splice(timers.indexOf(next), 1);
        next.act();
        await quiet();
      }
    },
    records: () => [...world.journal.entries.values()].map((entry) => entry.record),
    recorded: (key = 'key-1'): OperationRecord => {
      const found = world.journal.entries.get(key)?.record;
      if (!found) throw new Error('Nothing is recorded.');
      return found;
    },
    /** Holds POSTs until the test answers them. */
    held: () => {
      let release: (attempt: AttemptResult) => void = () => undefined;
      const waiting = new Promise<AttemptResult>((resolve) => (release = resolve));
      world.post = () => waiting;
      return { answer: (attempt: AttemptResult) => release(attempt) };
    },
    server: (change: Partial<Ports> = {}) => serverOf(world, { clock, change, rows, name: () => (names += 1) }),
  };
  const clock: Clock = {
    wall: world.wall,
    mono: () => passed + world.skew.mono,
    later: (act, ms) => {
      const timer = { due: passed + ms, act };
      timers.push(timer);
      return () => void timers.splice(timers.indexOf(timer), timers.includes(timer) ? 1 : 0);
    },
    shift: () => 0,
  };
  const rows = rowsOf(world);
  return world;
}

export type TestWorld = ReturnType<typeof createTestWorld>;
export type Server = ReturnType<TestWorld['server']>;

/** A start request as the form sends it. */
export function startRequest(world: TestWorld, more: Partial<StartRequest> = {}): StartRequest {
  return { ...withdrawalRequest(SENT), second_send_of: [], not_after: world.database() + 120_000, ...more };
}

interface Parts {
  rows: Rows;
  clock: Clock;
  change: Partial<Ports>;
  name: () => number;
}

interface CallOptions {
  actor?: Partial<OperationActor>;
  marks?: string[];
}

function serverOf(world: TestWorld, { clock, change, rows, name }: Parts) {
  const operations = createOperations({
    rows,
    service: {
      name: SERVICE,
      read: async (_apiKey, target) => {
        world.reads.push(target);
        return world.get(target);
      },
      connect: async (apiKey) => {
        await world.connect();
        return {
          post: async (sent) => {
            world.posts.push({ apiKey, ...sent });
            return world.post({ apiKey, ...sent });
          },
          destroy: () => void (world.destroyed += 1),
        };
      },
    },
    random: () => 0,
    newAttemptId: () => `at_${name()}`,
    separateAccounts: false,
    neverSetBack: false,
    marks: world.marks,
    lastMark: world.lastMark,
    warn: (line) => void world.warnings.push(line),
    ...change,
  });
  const options = { newRequestId: () => 'req_own', reportFailure: () => undefined, mono: clock.mono };
  const app = createOperationsApp(operations, options);
  const batchesApp = createBatchesApp(operations, options);
  const actorOf = (more: Partial<OperationActor> = {}): OperationActor => {
    const { account = ACCOUNT } = more;
    const credential = credentialFor(account);
    return {
      account,
      credential,
      session: null,
      apiKey: 'sk_a',
      who: 'Ann',
      person: null,
      rights: KEY_RIGHTS,
      clock,
      ...more,
    };
  };
  const call = (method: string, path: string, body?: unknown, options?: CallOptions): Promise<ApiAnswer> =>
    callApp(app, `${OPERATIONS_PATH}${path}`, { method, body, ...options });
  const callApp = async (
    area: typeof app,
    path: string,
    { method, body, actor, marks = [] }: CallOptions & { method: string; body: unknown },
  ): Promise<ApiAnswer> => {
    const text = typeof body === 'string' ? body : JSON.stringify(body ?? null);
    const init = method === 'GET' ? {} : { method, body: text };
    const response = await area.request(path, init, { actor: actorOf(actor), marks });
    const { status, headers } = response;
    return {
      status,
      headers,
      body: v.parse(v.looseObject({}), await response.json()),
      mark: headers.get(JOURNAL_HEADER),
    };
  };
  return {
    operations,
    actorOf,
    call,
    callBatches: (method: string, path: string, body?: unknown, options?: CallOptions) =>
      callApp(batchesApp, `${BATCHES_PATH}${path}`, { method, body, ...options }),
    put: (key = 'key-1', more: Partial<StartRequest> = {}, options?: CallOptions) =>
      call('PUT', `/${key}`, startRequest(world, more), options),
    review: (more: Partial<ReviewRequest> = {}, options?: CallOptions) =>
      call('POST', '/review', { ...withdrawalRequest(SENT), ...more }, options),
    send: (key = 'key-1', more: object = {}, options?: CallOptions) =>
      call(
        'POST',
        `/${key}/send`,
        { revision: world.recorded(key).revision, not_after: world.database() + 120_000, ...more },
        options,
      ),
    end: (act: 'close' | 'not-sent', key = 'key-1', more: object = {}, options?: CallOptions) =>
      call('POST', `/${key}/${act}`, { revision: world.recorded(key).revision, reason: 'Said so.', ...more }, options),
    settled: async () => {
      await quiet();
      await operations.attempts.whenIdle();
    },
  };
}

function rowsOf(world: Omit<TestWorld, 'server'>): Rows {
  const inner = memoryRows(
    () => world.journal,
    world.database,
    (id) => world.sessions.get(id) ?? null,
  );
  const reading =
    <Args extends unknown[], T>(read: (...args: Args) => Promise<T>) =>
    async (...args: Args) => {
      if (world.away) throw new JournalAway('away');
      return read(...args);
    };
  const { batches } = inner;
  return {
    batches: {
      batch: reading(batches.batch),
      batchesOf: reading(batches.batchesOf),
      fileOf: reading(batches.fileOf),
      bodiesOf: reading(batches.bodiesOf),
      unended: reading(batches.unended),
      withApprovals: reading(batches.withApprovals),
      listTogether: reading(batches.listTogether),
      lineCounts: reading(batches.lineCounts),
      batches: reading(batches.batches),
      linesOf: reading(batches.linesOf),
      nextLine: reading(batches.nextLine),
      sameBatch: reading(batches.sameBatch),
      linesSince: reading(batches.linesSince),
      referencesUsed: reading(batches.referencesUsed),
      byDuplicateKeys: reading(batches.byDuplicateKeys),
    },
    facts: reading(inner.facts),
    hasMark: reading(inner.hasMark),
    isFormerId: reading(inner.isFormerId),
    byKey: reading(inner.byKey),
    byKeys: reading(inner.byKeys),
    tombstone: reading(inner.tombstone),
    byDuplicateKey: reading(inner.byDuplicateKey),
    keyOfResult: reading(inner.keyOfResult),
    needOf: reading(inner.needOf),
    needOfBatch: reading(inner.needOfBatch),
    approvalsOf: reading(inner.approvalsOf),
    stopsOf: reading(inner.stopsOf),
    approversOf: reading(inner.approversOf),
    approvalRows: reading(inner.approvalRows),
    overdue: reading(inner.overdue),
    nameOf: reading(inner.nameOf),
    list: reading(inner.list),
    operationsOfOtherAccounts: reading(inner.operationsOfOtherAccounts),
    isSharedWith: reading(inner.isSharedWith),
    hasAccount: reading(inner.hasAccount),
    write: async (work) => {
      if (world.away) throw new JournalAway('away');
      const write = (world.writes += 1);
      world.beforeWrite(write);
      const done = await inner.write(work);
      world.afterWrite(write);
      return done;
    },
  };
}
