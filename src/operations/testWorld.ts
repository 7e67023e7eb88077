import type { Answer, Attempt, Call } from '#src/api/http.ts';
import type { Session } from '#src/api/session.ts';
import { withdrawalBody } from './body.ts';
import { createOperations } from './create.ts';
import type { OperationRecord } from './record.ts';
import { memoryJournal, memoryRows, recordsIn } from './testJournal.ts';

// Support for the tests of this folder: virtual time and a scripted network.

export const SENT = {
  asset: 'BTC',
  chain: 'bitcoin',
  amount: '0.75000000',
  address: 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
};

export const SESSION: Session = { service: 'sandbox', account: 'a'.repeat(32), sandbox: 'acct_1', read_only: false };

/** The service's clock at the start of every test, unix seconds. */
export const T0 = 1_790_000_000;

export function answer(status: number, body: unknown, more: Partial<Answer> = {}): Answer {
  return {
    kind: 'answer',
    status,
    requestId: 'req_1',
    date: T0,
    replayed: false,
    retryAfter: null,
    gatewayError: null,
    contentType: 'application/json',
    text: typeof body === 'string' ? body : JSON.stringify(body),
    complete: true,
    ms: 5,
    ...more,
  };
}

export function envelope(code: string, type = 'api_error'): object {
  return { error: { type, code, message: 'As the service put it.', request_id: 'req_1' } };
}

export const created = (more: object = {}): object => ({
  id: 'wd_1',
  object: 'withdrawal',
  status: 'pending',
  ...SENT,
  fee: '0.0001',
  tx_hash: null,
  created_at: T0,
  ...more,
});

export const lost = (reason: 'timeout' | 'network' | 'redirect' | 'aborted' | 'offline'): Attempt => ({
  kind: 'no-answer',
  reason,
  ms: 30_000,
});

export function record(more: Partial<OperationRecord> = {}): OperationRecord {
  return {
    schema: 2,
    id: 'op_1',
    kind: 'withdrawal',
    service: SESSION.service,
    account: SESSION.account,
    key: 'key-1',
    path: '/v1/withdrawals',
    body: withdrawalBody(SENT),
    firstSentAt: T0,
    attempts: [],
    state: 'ready',
    secondSendOf: [],
    revision: 0,
    ...more,
  };
}

export interface Timer {
  due: number;
  act: () => void;
}

/** One device with its service: both clocks, timers, and what `post` answers to each POST. */
export function createDevice() {
  const device = {
    disk: memoryRows(),
    session: SESSION as Session | null,
    /** The device's clock, milliseconds. */
    wall: T0 * 1_000,
    mono: 0,
    /** How far the service's clock is from T0 + mono, seconds. */
    serviceSkew: 0,
    timers: [] as Timer[],
    calls: [] as Call[],
    names: 0,
    heldLocks: new Set<string>(),
    /** What each tab does when another one changed the journal. */
    tabs: [] as (() => void)[],
    locksWork: true,
    /** No tab hears another one. */
    deaf: false,
    post: (_call: Call): Attempt | Promise<Attempt> => answer(201, created(), { date: device.date() }),
    get: (call: Call): Attempt | Promise<Attempt> =>
      call.path === '/v1/balances'
        ? answer(200, { object: 'list', data: [], has_more: false, next_cursor: null }, { date: device.date() })
        : answer(404, envelope('not_found'), { date: device.date() }),
    date: () => T0 + Math.floor(device.mono / 1_000) + device.serviceSkew,
    posts: () => device.calls.filter(({ method }) => method === 'POST'),
    rows: () => recordsIn(device.disk),
    /** A tab of the browser: its own page memory, the shared disk. */
    tab: () => {
      let own: (() => void) | null = null;
      return createOperations({
        journal: memoryJournal(device.disk),
        network: async (call) => {
          device.calls.push(call);
          return call.method === 'POST' ? device.post(call) : device.get(call);
        },
        session: () => device.session,
        wall: () => device.wall,
        mono: () => device.mono,
        random: () => 0,
        name: (prefix) => `${prefix}${(device.names += 1)}`,
        later: (act, ms) => void device.timers.push({ due: device.mono + ms, act }),
        locks: {
          hold: (id) => {
            device.heldLocks.add(id);
            return () => device.heldLocks.delete(id);
          },
          isFree: async (id) => (device.locksWork ? !device.heldLocks.has(id) : null),
        },
        mirror: {
          tell: () => {
            if (!device.deaf) device.tabs.filter((heard) => heard !== own).forEach((heard) => heard());
          },
          listen: (heard) => {
            own = heard;
            device.tabs.push(heard);
          },
        },
        persisted: async () => true,
      });
    },
    /** Time passes for everybody; timers fire when they are due. */
    pass: async (ms: number) => {
      const end = device.mono + ms;
      for (;;) {
        const next = device.timers.filter(({ due }) => due <= end).sort((a, b) => a.due - b.due)[0];
        move(Math.max(0, (next?.due ?? end) - device.mono));
        if (!next) break;
        device.timers.splice(device.timers.indexOf(next), 1);
        next.act();
        await quiet();
      }
      await quiet();
    },
    /** The device sleeps: both clocks go on, timers fire late. */
    sleep: (ms: number) => move(ms),
  };
  const move = (ms: number): void => {
    device.wall += ms;
    device.mono += ms;
  };
  return device;
}

/** Everything that waits for nothing but itself has run. */
export async function quiet(): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setTimeout(resolve, 0));
}
