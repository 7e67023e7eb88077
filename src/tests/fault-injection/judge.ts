import { isObject, parseJson } from '#src/shared/answers.ts';
import { BATCH_STARTABLE_SECONDS, type OperationRecord, SEND_WINDOW_SECONDS } from '#src/shared/operations/record.ts';
import { answerBy } from './answers.ts';
import { audit } from './audit.ts';
import { createBatchJudge } from './batchJudge.ts';
import { createRules, type Rules } from './rules.ts';
import {
  type Intent,
  type Scene,
  type SimulatedServer,
  intentOf,
  isKeyOf,
  PRESS_MS,
  serviceSeconds,
  type Execution,
  type Judge,
  type SplitCopies,
  type Verdicts,
} from './scene.ts';

const HOUR_MS = 60 * 60 * 1_000;
const DAY_MS = 24 * HOUR_MS;
/** A clock reading is used for a moment, and automatic retries start for two minutes more. */
const WINDOW_SLACK_MS = 4 * 60 * 1_000;

export function noVerdicts(): Verdicts {
  const shown = { doubles: 0, falseSent: 0, falseNotSent: 0, unresolved: 0 };
  return {
    ...shown,
    unrecorded: 0,
    late: 0,
    unasked: 0,
    overlaps: 0,
    astray: 0,
    falseSetBacks: 0,
    withoutSession: 0,
    withoutRight: 0,
    unsigned: 0,
    selfApproved: 0,
    afterNo: 0,
    overLimit: 0,
    barredRecipient: 0,
    recipientTooEarly: 0,
    withoutLine: 0,
    tooEarly: 0,
    lockedOut: 0,
    leaks: 0,
    unnoticed: 0,
    misread: 0,
    crashes: 0,
  };
}

export function noSplitCopies(): SplitCopies {
  return { doubles: 0, falseNotSent: 0 };
}

export function createJudge(scene: () => Scene): Judge {
  const executions: Execution[] = [];
  const verdicts = noVerdicts();
  const executedAt = new Map<Execution, number>();
  const firstArrivals = new Map<string, number>();
  const insertedAt = new Map<string, number>();
  /** When lines of batches were first sent: their 23 hours begin then. */
  const firstSentAt = new Map<string, number>();
  const sending = new Map<string, OperationRecord>();
  /** When the POSTs of a key left. */
  const sentAt = new Map<string, number[]>();
  const pressedAt = new Map<string, number>();
  /** When runs of batches sent lines, unless a person pressed Resend since. */
  const sentByRunAt = new Map<string, number>();
  const running = new Map<string, Set<SimulatedServer>>();
  const saidNotExecuted = new Map<string, string>();
  const saidNotSent = new Map<string, string>();
  const judged = new Set<string>();
  /** Periods, by the true clock, in which nobody could know that the journal was set back. */
  const dark: { from: number; to: number; isNoted: boolean }[] = [];
  let setBacksFound = 0;
  let lostHistories = 0;

  const inTheDark = (at: number): { from: number } | undefined => dark.find(({ from, to }) => from <= at && at < to);

  /** When the period began in which the key was last sent, up to this time; undefined if it was sent in none. */
  function darkSince(key: string, upTo: number): number | undefined {
    const last = (sentAt.get(key) ?? []).findLast((at) => at <= upTo);
    return last === undefined ? undefined : inTheDark(last)?.from;
  }

  /**
   * Whether it was sent in such a period, and the lost part of the journal had an earlier payment of the intent. Both may have
   * the same key, because the service forgets keys after a day.
   */
  function isPaidInTheDark(execution: Execution, intent: Intent): boolean {
    const from = darkSince(execution.key, executedAt.get(execution) ?? 0);
    return from !== undefined && intent.keys.some((key) => (sentAt.get(key) ?? []).some((at) => at < from));
  }

  const splitCopies = noSplitCopies();
  const split = new Set<string>();
  /** Keys of split requests with one refused copy; their record may have been lost since. */
  const splitAndRefused = new Set<string>();
  const rules: Rules = createRules(scene, blame);
  const batches = createBatchJudge(scene, blame);

  function blame(what: keyof Verdicts, why: string): void {
    verdicts[what] += 1;
    scene().tell?.(`!! ${what}: ${why}`);
  }

  function isNew(key: string, state: string): boolean {
    const name = `${key} ${state}`;
    if (judged.has(name)) return false;
    judged.add(name);
    return true;
  }

  function wasExecuted(key: string): boolean {
    return executions.some((execution) => execution.key === key);
  }

  function showsState(key: string, state: string, where: string, at = scene().agenda.now()): void {
    if (state !== 'succeeded' && state !== 'refused' && state !== 'not-sent') return;
    if (!isNew(key, state)) return;
    if (state !== 'succeeded' && inTheDark(at)) return;
    if (state !== 'succeeded') saidNotExecuted.set(key, `${where} shows ${key} as ${state}`);
    else if (!wasExecuted(key)) blame('falseSent', `${where} shows ${key} as accepted, but it was not executed`);
  }

  return {
    executions,
    verdicts,
    splitCopies,
    blame,
    batches,
    pressedAt: (key) => pressedAt.get(key) ?? 0,
    refusesOneCopy: (key) => void split.add(key),
    pressed: (key, limitAheadMs = 0) => void pressedAt.set(key, scene().agenda.now() + limitAheadMs),
    committed: (next, before, server) => {
      const { key, state } = next;
      const now = scene().agenda.now();
      const lost = dark.at(-1);
      const isOlder = (): boolean => lost?.isNoted === true && (insertedAt.get(key) ?? now) < lost.from;
      // A batch's open page may record it again under its id, with the same keys, once the person has compared it again.
      const isRecordedAgain = next.batch !== undefined && isOlder();
      if (before === null && (!insertedAt.has(key) || isRecordedAgain)) insertedAt.set(key, now);
      const fixedFields = ['key', 'path', 'body', 'account', 'service'] as const;
      if (before !== null && fixedFields.some((field) => before[field] !== next[field])) {
        blame('unrecorded', `${key} was given another key, body or account`);
      }
      if (state === 'refused' && split.has(key)) splitAndRefused.add(key);
      if (before !== null) rules.changed(next, before);
      if (isOlder() && state === 'sending' && before?.state !== 'sending')
        blame('unasked', `${key} is sent again, and may have gone on in what is lost`);
      const attempt = next.attempts.at(-1);
      if (state === 'sending' && attempt !== undefined) sending.set(attempt.id, next);
      if (before?.state === 'awaiting' && state === 'sending') {
        firstSentAt.set(key, now);
        const waited = now - (insertedAt.get(key) ?? 0);
        if (waited > BATCH_STARTABLE_SECONDS * 1_000 + WINDOW_SLACK_MS + server.frozenFor)
          blame('late', `${key} is first sent ${Math.round(waited / HOUR_MS)} h after its batch was recorded`);
      }
      if (before !== null && batches.judgeLineSend(next, before, server)) sentByRunAt.set(key, now);
      else if (state === 'sending' && before?.state !== 'sending') sentByRunAt.delete(key);
      if (
        (state === 'ready' || state === 'awaiting') &&
        sentAt.has(key) &&
        !inTheDark(now) &&
        isNew(key, 'ready again')
      ) {
        blame('falseNotSent', `${key} is written as ${state}, but was sent`);
      }
    },
    posted: (server, apiKey, { path, key, body, attempt }) => {
      const { name, frozenFor, readOnly } = server;
      rules.left(attempt);
      if (readOnly) blame('unasked', `${name} only reads, and sends ${key}`);
      scene().count('posts');
      sentAt.set(key, [...(sentAt.get(key) ?? []), scene().agenda.now()]);
      const record = sending.get(attempt);
      const account = scene().accounts.find(({ at }) => at.apiKey === apiKey)?.name;
      const isSame = record?.body === body && record.path === path && record.key === key && record.account === account;
      if (!isSame) blame('unrecorded', `${name} POSTs ${key} without its durable record`);
      const age = scene().agenda.now() - (firstSentAt.get(key) ?? insertedAt.get(key) ?? 0);
      const limit = SEND_WINDOW_SECONDS * 1_000 + WINDOW_SLACK_MS + frozenFor;
      if (age > limit) blame('late', `${key} was sent ${Math.round(age / 1_000)} s after it was recorded`);
      // Presses and leases expire by the database's clock.
      if (scene().rightClock !== 'database') return;
      const since = scene().agenda.now() - (sentByRunAt.get(key) ?? pressedAt.get(key) ?? 0);
      if (since > PRESS_MS + frozenFor)
        blame('unasked', `${key} is sent ${Math.round(since / 1_000)} s after Send was pressed`);
      const others = running.get(key) ?? new Set();
      const now = scene().agenda.now();
      const isRunning = [...others].some(
        ({ machine, frozenFor }) => machine.alive && machine.awakeAt <= now && frozenFor === 0,
      );
      // A process whose clocks stopped too can't know that it is late.
      if (isRunning && frozenFor === 0) blame('overlaps', `${name} sends ${key} while another attempt is running`);
      running.set(key, others.add(server));
    },
    ended: (server, sent, attempt) => {
      running.get(sent.key)?.delete(server);
      if (server.machine.alive) rules.received(server, sent, attempt);
    },
    arrived: (account, key) => {
      const name = `${account} ${key}`;
      const first = firstArrivals.get(name);
      if (first !== undefined && scene().agenda.now() - first < DAY_MS) return false;
      // If only the lost part of the journal recorded the first request, nobody can know of it.
      if (first !== undefined && first >= (darkSince(key, scene().agenda.now()) ?? 0))
        blame('late', `${key} arrived 24 h after its first request`);
      firstArrivals.set(name, scene().agenda.now());
      return true;
    },
    executed: (execution) => {
      scene().count('executions');
      executions.push(execution);
      executedAt.set(execution, scene().agenda.now());
      const { key, account } = execution;
      if (scene().database.records.get(key)?.batch !== undefined) scene().count('keyLinesExecuted');
      const intended = intentOf(scene(), key)?.account.at.id;
      if (intended !== undefined && intended !== account) blame('astray', `${key} was executed for another account`);
    },
    wasExecuted,
    wasSent: (key) => sentAt.has(key),
    recordedAt: (key) => insertedAt.get(key) ?? 0,
    answerOfAnother: (account, key, body) => {
      const other = executions.find((execution) => {
        const record = scene().database.records.get(execution.key);
        const isHeld = record?.state === 'succeeded' && record.result?.id === execution.id;
        return isHeld && execution.account === account.at.id && execution.key !== key && isAlike(execution.body, body);
      });
      return other && !scene().setsBack ? answerBy(other.served, serviceSeconds(scene()), 40) : null;
    },
    shows: (operation, where, at = scene().agenda.now()) => {
      const { key, state, revision } = operation;
      if (state === 'succeeded' && isNew(key, `accepted, revision ${revision}`)) rules.accepted(operation, where);
      showsState(key, state, where, at);
    },
    showsState,
    saysNotSent: (key, where, at = scene().agenda.now()) => {
      if (!inTheDark(at) && isNew(key, 'nothing sent')) saidNotSent.set(key, where);
    },
    journalSetBack: (foundBefore) => {
      saidNotExecuted.clear();
      saidNotSent.clear();
      batches.journalSetBack();
      // Every noted set-back gave the journal a new id; marks with any of these ids are lost.
      lostHistories += 1 + setBacksFound - foundBefore;
      dark.push({ from: scene().agenda.now(), to: Number.POSITIVE_INFINITY, isNoted: false });
    },
    witnessed: (by) => {
      const span = dark.at(-1);
      if (span === undefined || span.to <= scene().agenda.now()) return;
      span.to = scene().agenda.now();
      if (!span.isNoted) blame('unnoticed', `a server was told that the journal was set back (${by})`);
      scene().count(by);
      scene().tell?.(`a server is told that the journal was set back (${by})`);
    },
    foundSetBack: () => {
      setBacksFound += 1;
      const span = dark.at(-1);
      if (span !== undefined) span.isNoted = true;
      scene().tell?.('the set-back is noted');
      if (setBacksFound > lostHistories)
        blame('falseSetBacks', 'a set-back is noted of a journal that did not go back');
    },
    setBacksFound: () => setBacksFound,
    close: async () => {
      for (const [key, what] of saidNotExecuted) {
        if (!wasExecuted(key)) continue;
        if (split.has(key)) splitCopies.falseNotSent += 1;
        else blame('falseNotSent', `${what}, but it was executed`);
      }
      for (const [key, where] of saidNotSent) {
        if (sentAt.has(key)) blame('falseNotSent', `${where} says that nothing was sent under ${key}, but it was`);
      }
      for (const intent of scene().intents) {
        const all = executions.filter(({ key }) => isKeyOf(intent, key));
        const inDark = all.filter((execution) => isPaidInTheDark(execution, intent));
        for (const { key } of inDark) scene().tell?.(`${key} was paid again while nobody could know`);
        const isSplit = all.some(({ key }) => splitAndRefused.has(key));
        for (let extra = 1; extra < all.length - inDark.length; extra += 1) {
          if (isSplit) splitCopies.doubles += 1;
          else blame('doubles', `${intent.name} was executed ${all.length} times`);
        }
      }
      rules.close();
      batches.close();
      await audit(scene());
    },
  };
}

/** Whether two bodies of withdrawals send the same amount of an asset to the same address. */
function isAlike(one: string, other: string): boolean {
  const [a, b] = [parseJson(one), parseJson(other)];
  if (!isObject(a) || !isObject(b)) return false;
  return (
    ['asset', 'chain', 'address'].every((field) => normalized(a[field]) === normalized(b[field])) &&
    Number(a['amount']) === Number(b['amount'])
  );
}

/** Ignores case: the addresses with letters used here are case-insensitive. */
export function normalized(value: unknown): string {
  return String(value).toLowerCase();
}
