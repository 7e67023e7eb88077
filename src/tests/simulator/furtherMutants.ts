import type * as classifying from '#src/operations/classify.ts';
import type { Verdict } from '#src/operations/classify.ts';
import type * as engine from '#src/operations/engine.ts';
import type * as looks from '#src/operations/lookAlikes.ts';
import type { Answer, Attempt } from '#src/api/http.ts';
import type { Mutant } from './mutants.ts';

// Mistakes beyond those that operations.md names: a simulation that finds them too is sharp enough.

/** Takes some attempts for another verdict. */
const mistaking =
  (which: (attempt: Attempt) => boolean, verdict: Verdict) =>
  (original: typeof classifying): Partial<typeof classifying> => ({
    classify: (record, attemptId, attempt, now) =>
      which(attempt) ? verdict : original.classify(record, attemptId, attempt, now),
  });
const answered =
  (which: (answer: Answer) => boolean) =>
  (attempt: Attempt): boolean =>
    attempt.kind === 'answer' && which(attempt);

const ownAccountOnly = (original: typeof looks): Partial<typeof looks> => ({
  lookAlikes: ({ records, damaged }, candidate) => {
    const own = records.filter(({ account }) => account === candidate.account);
    return original.lookAlikes({ records: own, damaged }, candidate);
  },
});

const damagedDoNotBlock = (original: typeof looks): Partial<typeof looks> => ({
  lookAlikes: ({ records }, candidate) => original.lookAlikes({ records, damaged: [] }, candidate),
});

const demotesToReady = (original: typeof engine): Partial<typeof engine> => ({
  step: (record, event) => {
    const next = original.step(record, event);
    if (event.type !== 'demote' || next.record === null) return next;
    const { reason: _, ...rest } = next.record;
    return { ...next, record: { ...rest, state: 'ready' } };
  },
});

export const FURTHER: readonly Mutant[] = [
  { name: 'look-alikes of the own account only', breaks: 'doubles', modules: { 'lookAlikes.ts': ownAccountOnly } },
  { name: 'a damaged record blocks nothing', breaks: 'doubles', modules: { 'lookAlikes.ts': damagedDoNotBlock } },
  { name: 'what died while sending is ready again', breaks: 'doubles', modules: { 'engine.ts': demotesToReady } },
  {
    name: 'absence proves at once',
    breaks: 'falseNotSent',
    modules: { 'record.ts': () => ({ ABSENCE_PROVES_SECONDS: 0 }) },
  },
  {
    name: 'a timer that wakes late sends',
    breaks: 'late',
    modules: { 'retries.ts': () => ({ LATEST_WAKE_MS: Number.POSITIVE_INFINITY, mayRetry: () => true }) },
  },
  {
    name: 'a broken connection counts as not sent',
    breaks: 'doubles',
    modules: {
      'classify.ts': mistaking(({ kind }) => kind === 'no-answer', { kind: 'not-made' }),
    },
  },
  {
    name: 'a gateway that lost its answer counts as not forwarded',
    breaks: 'falseNotSent',
    modules: {
      'classify.ts': mistaking(
        answered(({ gatewayError }) => gatewayError === 'upstream'),
        { kind: 'not-forwarded' },
      ),
    },
  },
  {
    name: 'a stored failure counts as refused',
    breaks: 'falseNotSent',
    modules: {
      'classify.ts': mistaking(
        answered(({ status, replayed }) => status === 500 && replayed),
        { kind: 'refused' },
      ),
    },
  },
  {
    name: 'any 2xx counts as accepted',
    breaks: 'falseSent',
    modules: {
      'classify.ts': mistaking(
        answered(({ status }) => status < 300),
        { kind: 'success', id: null, confirmed: [] },
      ),
    },
  },
];
