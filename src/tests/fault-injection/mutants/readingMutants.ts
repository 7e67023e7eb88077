import { type AttemptResult, type ServiceAnswer, isObject, parseJson } from '#src/shared/answers.ts';
import type * as answers from '#src/shared/answers.ts';
import type * as comparing from '#src/shared/operations/compare.ts';
import { COMPARED } from '#src/shared/operations/kind.ts';
import type * as records from '#src/shared/operations/record.ts';
import type * as classifying from '#src/server/operations/classify.ts';
import type * as timing from '#src/server/operations/clocks.ts';
import type * as reducing from '#src/server/operations/reduceAnswer.ts';
import { type Mutant, answered, mistaking } from './mutant.ts';

// Mutants of the reading of answers (classify.ts) and of the automatic retry: one row of the table removed or reversed each.

/** Changes some responses before they are interpreted. */
const readAs =
  (change: (answer: ServiceAnswer) => Partial<ServiceAnswer>) =>
  (original: typeof classifying): Partial<typeof classifying> => ({
    classify: (record, answer, now) => {
      const { attempt } = answer;
      const read: AttemptResult = attempt.kind === 'answer' ? { ...attempt, ...change(attempt) } : attempt;
      return original.classify(record, { ...answer, attempt: read }, now);
    },
  });

function withoutError(text: string): string {
  const value = parseJson(text);
  if (!isObject(value)) return text;
  const { error: _, ...rest } = value;
  return JSON.stringify(rest);
}

const REFUSED = { kind: 'refused' } as const;
const refuses = (which: (answer: ServiceAnswer) => boolean): NonNullable<Mutant['modules']> => ({
  'server/operations/classify.ts': mistaking(answered(which), REFUSED),
});

const knowsNoId = (original: typeof classifying): Partial<typeof classifying> => ({
  classify: (record, answer, now) => {
    const { result: _, contradiction: __, ...rest } = record;
    const attempts = record.attempts.map((note) => ({ ...note, resultId: null }));
    return original.classify({ ...rest, attempts }, answer, now);
  },
});

const resendsEachRefusal = (original: typeof classifying): Partial<typeof classifying> => ({
  classify: (record, answer, now) => {
    const verdict = original.classify(record, answer, now);
    const isGivenUp = verdict.kind === 'unconfirmed' && verdict.reason === 'no-answer' && !verdict.pausesResend;
    return isGivenUp ? { kind: 'retry', because: 'unreplayed-refusal', waitSeconds: null } : verdict;
  },
});

const neverRests = (original: typeof classifying): Partial<typeof classifying> => ({
  classify: (record, answer, now) => {
    const verdict = original.classify(record, answer, now);
    return verdict.kind === 'unconfirmed' ? { ...verdict, pausesResend: false } : verdict;
  },
});

const lateSuccessIsOnlyLogged = (original: typeof reducing): Partial<typeof reducing> => ({
  reduceAnswer: (record, event, at) => {
    const next = original.reduceAnswer(record, event, at);
    if (record.state === 'sending' || next.record === null) return next;
    return { effects: [], record: { ...record, revision: next.record.revision, attempts: next.record.attempts } };
  },
});

const comparedAs =
  (change: Partial<ReturnType<typeof comparing.compareWithSent>>) =>
  (original: typeof comparing): Partial<typeof comparing> => ({
    compareWithSent: (sent, came) => ({ ...original.compareWithSent(sent, came), ...change }),
  });

/** Treats each attempt as the first of its run. */
const countsNoRetries = (original: typeof timing): Partial<typeof timing> => ({
  nextRetry: (record, asked) => original.nextRetry({ ...record, attempts: record.attempts.slice(-1) }, asked),
  mayRetry: (record, due) => original.mayRetry({ ...record, attempts: record.attempts.slice(-1) }, due),
});

const waitsForHours = (original: typeof timing): Partial<typeof timing> => ({
  nextRetry: (record, asked) => {
    const { waitSeconds } = asked;
    return original.nextRetry(record, {
      ...asked,
      waitSeconds: waitSeconds === null ? null : Math.min(waitSeconds, 60),
    });
  },
});

const asksAs =
  (change: Partial<ServiceAnswer>) =>
  (original: typeof answers): Partial<typeof answers> => ({
    secondsAsked: (answer, now) => original.secondsAsked({ ...answer, ...change }, now),
  });

const mayAlwaysResend = (): Partial<typeof records> => ({ mayResend: ({ state }) => state === 'unconfirmed' });

export const READING: readonly Mutant[] = [
  {
    name: 'an answer that ended early is believed',
    breaks: 'misread',
    modules: { 'server/operations/classify.ts': readAs(() => ({ complete: true })) },
  },
  {
    name: 'an id of any form is taken for a withdrawal',
    breaks: 'misread',
    modules: {
      'server/operations/classify.ts': readAs(({ text }) => ({ text: text.replace('"id":"pay_', '"id":"wd_') })),
    },
  },
  {
    name: 'an error in a success is not looked for',
    breaks: 'falseSent',
    modules: { 'server/operations/classify.ts': readAs(({ text }) => ({ text: withoutError(text) })) },
  },
  {
    name: 'a field that differs is accepted',
    breaks: 'falseSent',
    modules: { 'shared/operations/compare.ts': comparedAs({ differing: [] }) },
  },
  {
    name: 'a field that is absent counts as confirmed',
    breaks: 'falseSent',
    modules: { 'shared/operations/compare.ts': comparedAs({ equal: [...COMPARED] }) },
  },
  {
    name: 'a second id under one key is accepted',
    breaks: 'falseSent',
    modules: { 'server/operations/classify.ts': knowsNoId },
  },
  {
    name: 'a contradiction is taken back by less than every field',
    breaks: 'falseSent',
    modules: { 'shared/operations/record.ts': (): Partial<typeof records> => ({ isContradicted: () => false }) },
  },
  {
    name: 'an unreadable success counts as refused',
    breaks: 'falseNotSent',
    modules: refuses(
      ({ status, text }) => status >= 200 && status < 300 && status !== 204 && !isObject(parseJson(text)),
    ),
  },
  {
    name: 'a 204 of a replay counts as unreadable',
    breaks: 'misread',
    modules: { 'server/operations/classify.ts': readAs(({ status }) => (status === 204 ? { status: 200 } : {})) },
  },
  {
    name: 'a key conflict counts as refused',
    breaks: 'falseNotSent',
    modules: refuses(({ status, text }) => status === 409 && text.includes('idempotency_key_reused')),
  },
  {
    name: 'a replay needs no envelope to refuse',
    breaks: 'misread',
    modules: refuses(({ status, replayed }) => status >= 400 && status < 500 && replayed),
  },
  { name: 'a 401 counts as refused', breaks: 'falseNotSent', modules: refuses(({ status }) => status === 401) },
  { name: 'a 403 counts as refused', breaks: 'falseNotSent', modules: refuses(({ status }) => status === 403) },
  { name: 'a 408 counts as refused', breaks: 'falseNotSent', modules: refuses(({ status }) => status === 408) },
  { name: 'a 425 counts as refused', breaks: 'falseNotSent', modules: refuses(({ status }) => status === 425) },
  { name: 'a 429 counts as refused', breaks: 'falseNotSent', modules: refuses(({ status }) => status === 429) },
  { name: 'a 503 counts as refused', breaks: 'falseNotSent', modules: refuses(({ status }) => status === 503) },
  {
    name: 'any 409 counts as refused',
    breaks: 'falseNotSent',
    modules: refuses(({ status, text }) => status === 409 && text.includes('in_progress')),
  },
  {
    name: 'a page in place of an envelope counts as refused',
    breaks: 'falseNotSent',
    modules: refuses(({ status, contentType }) => status >= 400 && status < 500 && contentType === 'text/html'),
  },
  {
    name: 'a redirect counts as refused',
    breaks: 'falseNotSent',
    modules: {
      'server/operations/classify.ts': mistaking(
        (attempt) => attempt.kind === 'no-answer' && attempt.reason === 'redirect',
        REFUSED,
      ),
    },
  },
  {
    name: 'a refusal without a replay is answered by one resend after the other',
    breaks: 'misread',
    modules: { 'server/operations/classify.ts': resendsEachRefusal },
  },
  {
    name: 'a lost attempt gets no time to finish',
    breaks: 'misread',
    modules: { 'server/operations/classify.ts': neverRests },
  },
  {
    name: 'Resend and Close do not sleep',
    breaks: 'overlaps',
    modules: {
      'server/operations/clocks.ts': (): Partial<typeof timing> => ({
        cooldownUntil: () => null,
        isWaiting: () => false,
      }),
    },
  },
  {
    name: 'a late success is only logged',
    breaks: 'misread',
    modules: { 'server/operations/reduceAnswer.ts': lateSuccessIsOnlyLogged },
  },
  {
    name: 'what may only be checked is sent again',
    breaks: 'unasked',
    modules: { 'shared/operations/record.ts': mayAlwaysResend },
  },
  {
    name: 'automatic retries are not counted',
    breaks: 'unasked',
    modules: { 'server/operations/clocks.ts': countsNoRetries },
  },
  {
    name: 'Retry-After of hours is cut short',
    breaks: 'misread',
    modules: { 'server/operations/clocks.ts': waitsForHours },
  },
  {
    name: 'Retry-After is not heard',
    breaks: 'unasked',
    modules: { 'shared/answers.ts': asksAs({ retryAfter: null }) },
  },
  {
    name: 'Retry-After is told by another clock than wrote it',
    breaks: 'misread',
    modules: { 'shared/answers.ts': asksAs({ date: null }) },
  },
];
