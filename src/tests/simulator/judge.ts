import type { Call } from '#src/api/http.ts';
import { type OperationRecord, SEND_WINDOW_SECONDS } from '#src/operations/record.ts';
import { type Scene, type Tab, isKeyOf, serviceSeconds } from './scene.ts';
import type { Executed } from './service.ts';

const DAY_MS = 24 * 60 * 60 * 1_000;
/** A read of the clock holds for a minute, and automatic retries start for two more. */
const WINDOW_SLACK_SECONDS = 4 * 60;

export interface Execution {
  path: string;
  key: string;
  /** The id in the answer; null where it names none. */
  id: string | null;
}

export interface Verdicts {
  /** Executions beyond one of an intent. */
  doubles: number;
  /** "Accepted" shown of what was not executed. */
  falseSent: number;
  /** "Not sent", "refused" or "ready" shown of what was executed. */
  falseNotSent: number;
  /** Not ended by three actions after the faults. */
  unresolved: number;
  /** POSTs without an earlier durable record of equal key and bytes. */
  unrecorded: number;
  /** POSTs sent past 23 h, or that arrived 24 h after the first of their key. */
  late: number;
}

/** Knows the truth, and compares with it what is sent and what is shown. */
export interface Judge {
  executions: Execution[];
  verdicts: Verdicts;
  /** A record is written over: its key, bytes and owner stay. */
  replaced: (stored: OperationRecord, next: OperationRecord) => void;
  /** A page calls fetch. */
  posted: (call: Call) => void;
  /** It arrives at the service; whether it is the first under its key for 24 h. */
  arrived: (account: string, key: string) => boolean;
  executed: (execution: Execution) => void;
  wasExecuted: (key: string) => boolean;
  /** What a tab shows now. */
  observe: (tab: Tab) => void;
  /** The end: everything shown as not sent, and the service's own books, against the truth. */
  close: () => Promise<void>;
}

export function createJudge(scene: () => Scene): Judge {
  const executions: Execution[] = [];
  const verdicts: Verdicts = { doubles: 0, falseSent: 0, falseNotSent: 0, unresolved: 0, unrecorded: 0, late: 0 };
  const firstArrivals = new Map<string, number>();
  const sent = new Set<string>();
  const shownNotSent = new Map<string, string>();
  const judged = new Set<string>();
  const looked = new WeakMap<Tab, readonly OperationRecord[]>();

  function blame(what: keyof Verdicts, why: string): void {
    verdicts[what] += 1;
    scene().tell?.(`!! ${what}: ${why}`);
  }

  function show(record: OperationRecord, tab: Tab): void {
    const { state, key, id } = record;
    if (state === 'ready' && record.attempts.length === 0 && sent.has(key) && isCurrent(record) && isNew(id, state)) {
      blame('falseNotSent', `${tab.name} shows ${id} as never sent, but it was`);
    }
    if (state !== 'succeeded' && state !== 'refused' && state !== 'not-sent') return;
    if (!isNew(id, state)) return;
    if (state !== 'succeeded') shownNotSent.set(key, `${id} as ${state}`);
    else if (!wasExecuted(key)) blame('falseSent', `${tab.name} shows ${id} as accepted, but it was not executed`);
  }

  /** Another tab may have gone on: it says so when this one acts. */
  function isCurrent({ id, revision }: OperationRecord): boolean {
    return scene().browser.disk.get(id)?.revision === revision;
  }

  function isNew(id: string, state: string): boolean {
    const name = `${id} ${state}`;
    if (judged.has(name)) return false;
    judged.add(name);
    return true;
  }

  function wasExecuted(key: string): boolean {
    return executions.some((execution) => execution.key === key);
  }

  return {
    executions,
    verdicts,
    replaced: (stored, next) => {
      const isSame = (['key', 'path', 'body', 'account', 'firstSentAt'] as const).every(
        (it) => stored[it] === next[it],
      );
      if (!isSame) blame('unrecorded', `${next.id} was given another key, body, account or time`);
    },
    posted: ({ path, key, body, account }) => {
      sent.add(key ?? '');
      const record = [...scene().browser.disk.values()].find((row) => row.key === key);
      const isSame = record?.body === body && record?.path === path && record?.account === account;
      if (!isSame || record.state !== 'sending') blame('unrecorded', `a POST under ${key} without its durable record`);
      const age = serviceSeconds(scene()) - (record?.firstSentAt ?? Number.POSITIVE_INFINITY);
      if (age > SEND_WINDOW_SECONDS + WINDOW_SLACK_SECONDS) blame('late', `${key} was sent ${age} s after its insert`);
    },
    arrived: (account, key) => {
      const name = `${account} ${key}`;
      const first = firstArrivals.get(name);
      if (first !== undefined && scene().agenda.now() - first < DAY_MS) return false;
      if (first !== undefined) blame('late', `${key} arrived 24 h after its first request`);
      firstArrivals.set(name, scene().agenda.now());
      return true;
    },
    executed: (execution) => void executions.push(execution),
    wasExecuted,
    observe: (tab) => {
      const { records } = tab.operations.getSnapshot();
      if (looked.get(tab) === records) return;
      looked.set(tab, records);
      for (const record of records) show(record, tab);
    },
    close: async () => {
      for (const [key, what] of shownNotSent)
        if (wasExecuted(key)) blame('falseNotSent', `${what}, but it was executed`);
      for (const intent of scene().intents) {
        const count = executions.filter(({ key }) => isKeyOf(intent, key)).length;
        for (let extra = 1; extra < count; extra += 1) blame('doubles', `${intent.name} was executed ${count} times`);
      }
      await audit(scene());
    },
  };
}

const BOOKS: [RegExp, keyof Executed][] = [
  [/withdrawals$/, 'withdrawals'],
  [/deposits$/, 'deposit_addresses'],
  [/charges$/, 'charges'],
  [/replay$/, 'webhook_replays'],
];

/** What the simulation saw executed is what the service's books hold: else nothing that it says counts. */
async function audit(scene: Scene): Promise<void> {
  const total: Executed = { withdrawals: scene.colleagues, deposit_addresses: 0, charges: 0, webhook_replays: 0 };
  const held: Executed = { withdrawals: 0, deposit_addresses: 0, charges: 0, webhook_replays: 0 };
  for (const { path } of scene.judge.executions) {
    const book = BOOKS.find(([pattern]) => pattern.test(path))?.[1];
    if (book !== undefined) total[book] += 1;
  }
  const accounts = new Map(scene.accounts.map(({ at }) => [at.id, at]));
  for (const account of accounts.values()) {
    const executed = await scene.service.executed(account);
    for (const [, book] of BOOKS) held[book] += executed[book];
  }
  for (const [, book] of BOOKS) {
    if (held[book] !== total[book])
      throw new Error(`The books hold ${held[book]} ${book}, but ${total[book]} were seen.`);
  }
}
