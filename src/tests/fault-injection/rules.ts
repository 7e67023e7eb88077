import type { OperationEvent } from '#src/server/operations/events.ts';
import type { AttemptResult } from '#src/shared/answers.ts';
import {
  type AttemptNote,
  type Clocks,
  type OperationRecord,
  SEND_WINDOW_SECONDS,
} from '#src/shared/operations/record.ts';
import { isUnresolved } from '#src/shared/operations/states.ts';
import { type Scene, type SimulatedServer, type Verdicts, isBatchOver } from './scene.ts';
import {
  MOST_RETRIES,
  RUN_MS,
  expectedReading,
  retriesAfter,
  runTo,
  expectedSecondsAsked,
  statedEqual,
  statedOtherwise,
} from './table.ts';

/** Automatic retries may start for two more minutes. */
const RETRY_GRACE_SECONDS = 180;
const SLACK_SECONDS = 60;
const ABSENCE_SECONDS = 26 * 3_600;
const CHECK_ONLY = new Set<string>(['stored-failure', 'key-conflict', 'mismatch']);

interface ReceivedAttempt {
  server: SimulatedServer;
  key: string;
  attempt: AttemptResult;
  /** By the true clock. */
  at: number;
}

export type Rules = ReturnType<typeof createRules>;

/** Checks every change of a record against the rules of src/server/operations/README.md, including rules whose violation executes nothing. */
export function createRules(scene: () => Scene, blame: (what: keyof Verdicts, why: string) => void) {
  const receivedAttempts = new Map<string, ReceivedAttempt>();
  const written = new Set<string>();

  /** Checks an attempt that a person or a timer starts. */
  function begins(next: OperationRecord, before: OperationRecord): void {
    const { key } = next;
    const index = next.attempts.length - 1;
    const note = next.attempts[index];
    if (note === undefined) return;
    const isAutomatic = note.by === 'automatic';
    const limit = SEND_WINDOW_SECONDS + (isAutomatic ? RETRY_GRACE_SECONDS : 0);
    for (const [clock, passed] of elapsed(next.firstSent, next.lastSent)) {
      if (passed < -SLACK_SECONDS || passed >= limit) blame('late', `${key} is sent ${passed} s on by the ${clock}`);
    }
    if (before.reason !== undefined && CHECK_ONLY.has(before.reason)) {
      blame('unasked', `${key} is sent after ${before.reason}`);
    }
    if (!isAutomatic && isAsleep(before, note.start)) blame('overlaps', `${key} is sent while Resend is paused`);
    if (!isAutomatic) return;
    const run = runTo(next, index);
    const first = run[0];
    if (run.length > MOST_RETRIES + 1) blame('unasked', `${key} is sent by itself for the ${run.length}th time`);
    if (first === undefined || note.start < first.start || note.start - first.start > RUN_MS) {
      blame('unasked', `${key} is sent by itself long after its first attempt`);
    }
    waited(next, index);
  }

  /** Checks that it waited as long as the service asked. */
  function waited({ key, attempts }: OperationRecord, index: number): void {
    const last = attempts[index - 1];
    const answer = last && receivedAttempts.get(last.id);
    if (answer?.attempt.kind !== 'answer') return;
    const asked = expectedSecondsAsked(answer.attempt, last?.end ?? 0);
    const passed = scene().agenda.now() - answer.at;
    if (asked !== null && passed < asked * 1_000 - 1_000) blame('unasked', `${key} is sent sooner than it was asked`);
  }

  /** Checks that only an operation old by every clock is concluded absent. */
  function absent({ key, lastSent, ended }: OperationRecord): void {
    for (const [clock, passed] of ended === undefined ? [] : elapsed(lastSent, ended)) {
      if (passed < ABSENCE_SECONDS) blame('falseNotSent', `${key} is taken for absent ${passed} s on by the ${clock}`);
    }
  }

  function ends(next: OperationRecord, before: OperationRecord, index: number): void {
    const note = next.attempts[index];
    const { key } = next;
    if (note === undefined || note.end === null) return;
    const isCurrent = before.state === 'sending' && index === before.attempts.length - 1;
    if (note.outcome === 'not-made') {
      if (written.has(note.id)) return blame('misread', `${key}: the bytes of ${note.id} had left`);
      if (isCurrent && next.state !== note.from.state && !endsWithBatch(next, note))
        blame('misread', `${key} does not go back to ${note.from.state}`);
      return;
    }
    const attempt = receivedAttempts.get(note.id)?.attempt;
    if (attempt === undefined) return blame('misread', `${key}: nobody answered ${note.id}`);
    const { records } = scene().database;
    const isTaken = (id: string): boolean => {
      const others = [...records.values()].filter((other) => other.key !== key && other.kind === 'withdrawal');
      return others.some(({ result }) => result?.id === id);
    };
    const reading = expectedReading(attempt, { record: before, index, isTaken });
    const prefix = `${key}: ${attempt.kind === 'answer' ? attempt.status : attempt.reason} is read as`;
    if (!isCurrent) {
      const isNews = reading.state === 'succeeded' && before.state !== 'succeeded';
      const isOpen = isUnresolved(before.state);
      if (next.state !== (isNews && isOpen ? 'succeeded' : before.state)) {
        blame('misread', `${prefix} ${next.state}, late`);
      } else if (isNews && next.result === undefined) blame('misread', `${prefix} nothing, late`);
      return;
    }
    if (next.state !== reading.state || next.reason !== reading.reason) {
      return blame('misread', `${prefix} ${next.state}, ${next.reason ?? 'no reason'}, not ${reading.state}`);
    }
    if ((next.asleepUntil !== undefined) !== (reading.pausesResend === true))
      blame('misread', `${prefix} one with Resend paused, or not`);
    const may =
      reading.retries === true && attempt.kind === 'answer' ? retriesAfter(before, index, note.end, attempt) : false;
    if (may !== null && (next.retryAt !== undefined) !== may)
      blame('misread', `${prefix} one to be sent again, or not`);
  }

  /** True for a line whose attempt was not made, if it ends with its batch and doesn't wait again. */
  function endsWithBatch({ batch, state }: OperationRecord, { from }: AttemptNote): boolean {
    const batchState = scene().database.batches.get(batch?.id ?? '')?.state;
    return from.state === 'awaiting' && state === 'not-sent' && isBatchOver(batchState);
  }

  /** Checks an "Accepted" and its details. */
  function accepted(shown: Accepted, where: string): void {
    const { key, kind, body, result, attempts, contradiction } = shown;
    if (kind !== 'withdrawal') return;
    const ids = new Set(attempts.flatMap(({ resultId }) => resultId ?? []));
    if (ids.size > 1 && contradiction === undefined) blame('falseSent', `${where} hides that ${key} has two ids`);
    const otherwise = statedOtherwise(body, result?.text ?? '');
    if (otherwise.length > 0) blame('falseSent', `${where} shows ${key} as accepted with another ${otherwise[0]}`);
    if (result?.by === 'answer' && result.confirmed.length > statedEqual(body, result.text).length) {
      blame('falseSent', `${where} shows of ${key} as confirmed what the answer does not state`);
    }
  }

  return {
    /** The attempt's bytes were sent. */
    left: (attemptId: string) => void written.add(attemptId),
    received: (
      server: SimulatedServer,
      { key, attempt: id }: { key: string; attempt: string },
      attempt: AttemptResult,
    ) => void receivedAttempts.set(id, { server, key, attempt, at: scene().agenda.now() }),
    changed: (next: OperationRecord, before: OperationRecord): void => {
      const { key, attempts } = next;
      const last = next.attempts.at(-1);
      // Back to awaiting, and then ended with its batch, in one transaction.
      const isUnmade = before.state === 'sending' && last?.outcome === 'not-made' && endsWithBatch(next, last);
      if (next.revision !== before.revision + (isUnmade ? 2 : 1)) blame('unrecorded', `${key} skips a revision`);
      const isKept = before.attempts.every(({ id, end }, at) => {
        const now: AttemptNote | undefined = attempts[at];
        return now?.id === id && (end === null || now.end === end);
      });
      if (!isKept) blame('unrecorded', `${key} forgets what it tried`);
      if (next.ending?.by === 'absence' && before.state !== next.state) absent(next);
      if (next.state === 'sending' && before.state !== 'sending') return begins(next, before);
      for (const [index, { end }] of before.attempts.entries()) {
        if (end === null && attempts[index]?.end != null) ends(next, before, index);
      }
      const isTakenBack = before.state === 'unconfirmed' && isContradicted(before) && next.state === 'succeeded';
      if (isTakenBack && statedEqual(next.body, next.result?.text ?? '').length < 4) {
        blame('falseSent', `${key} is accepted again by less than every field`);
      }
    },
    accepted,
    /** Checks that everything a process received was recorded by it or the next one on its host, unless it was killed. */
    close: (): void => {
      const { database, setsBack, hosts } = scene();
      for (const record of database.records.values()) {
        if (record.state === 'succeeded') accepted(record, 'the journal');
      }
      if (setsBack) return;
      const left = new Set(hosts.flatMap((host) => host.unwrittenAnswers.map(({ event }) => attemptOf(event))));
      for (const [id, { server, key }] of receivedAttempts) {
        const note = database.records.get(key)?.attempts.find((one) => one.id === id);
        if (note?.end !== null || server.killed || database.unreadable.has(key) || left.has(id)) continue;
        blame('unresolved', `the answer to ${key}, ${id}, is not in the journal`);
      }
    },
  };
}

type Accepted = Pick<OperationRecord, 'key' | 'kind' | 'body' | 'result' | 'attempts' | 'contradiction'>;

function elapsed(since: Clocks, until: Clocks): [clock: string, seconds: number][] {
  return [
    ["service's clock", until.service - since.service],
    ["server's clock", (until.server - since.server) / 1_000],
    ["database's clock", (until.database - since.database) / 1_000],
  ];
}

function attemptOf(event: OperationEvent): string | null {
  return 'attemptId' in event ? event.attemptId : null;
}

function isAsleep({ retryAt, asleepUntil }: OperationRecord, start: number): boolean {
  const [retry, rest] = [(retryAt ?? 0) - start, (asleepUntil ?? 0) - start];
  return (retry > 0 && retry <= 60_000) || (rest > 0 && rest <= 15_000);
}

function isContradicted({ reason, contradiction }: OperationRecord): boolean {
  return reason === 'mismatch' || contradiction !== undefined;
}
