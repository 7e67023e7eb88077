import { expect, test } from 'vitest';
import { BATCH_REASONS, BATCH_STATES } from '#src/shared/contract/batchContract.ts';
import { batchProgress, batchStatus, isPastStart, progressWords } from './batchWords.ts';

const batch = {
  state: 'paused',
  why: 'person',
  why_line: 7,
  lines: 500,
  startable_hours: 72,
  counts: { succeeded: 212, awaiting: 285, unconfirmed: 3 },
};

test('progress counts by the states of the payments', () => {
  const progress = batchProgress(batch);
  expect(progressWords(progress)).toBe('212 of 500 accepted, 3 need you');
  expect(progressWords(progress, 842)).toBe('212 of 500 accepted, 3 need you, about 4 min left');
  expect(progressWords({ ...progress, needYou: 1, left: 10, refused: 2, notSent: 1 }, 1_000)).toBe(
    '212 of 500 accepted, 1 needs you, 2 refused, 1 not sent, less than a minute left',
  );
  expect(progressWords({ ...progress, left: 0 }, 1_000)).toBe('212 of 500 accepted, 3 need you');
});

test('every state says what it means for the money', () => {
  const words = BATCH_STATES.map((state) => {
    const { tone, fact, meaning } = batchStatus({ ...batch, state });
    return `${tone}: ${fact} ${meaning}`;
  });
  expect(words).toEqual([
    'open: 500 payments are recorded. 3 payments are unconfirmed: don’t pay them again. Open each to resolve it. It can be started within 72 hours of its recording.',
    'motion: Payments are being sent, one after another. You can leave this page; the server goes on while you are signed in.',
    'open: It was stopped by a person. 285 payments aren’t sent yet. Continue to send the rest, or withdraw it.',
    'open: It was withdrawn. 3 payments are unconfirmed: don’t pay them again. Open each to resolve it.',
    'open: Nothing is left to send. 3 payments are unconfirmed: don’t pay them again. Open each to resolve it.',
  ]);
});

test('nothing has been sent only if every line waits or is excluded', () => {
  const waiting = (counts: Record<string, number>) =>
    batchStatus({ ...batch, state: 'waiting', lines: 3, counts }).fact;
  expect(waiting({ awaiting: 2, 'not-sent': 1 })).toBe('3 payments are recorded. Nothing has been sent.');
  expect(waiting({ unconfirmed: 3 })).toBe(
    '3 payments are recorded. 3 payments are unconfirmed: don’t pay them again. Open each to resolve it.',
  );
  for (const state of ['succeeded', 'refused', 'sending', 'closed', 'unreadable'])
    expect(waiting({ awaiting: 2, [state]: 1 }), state).not.toContain('Nothing has been sent');
  // A line that can't be read may be counted nowhere.
  expect(waiting({ awaiting: 2 })).not.toContain('Nothing has been sent');
});

test('every reason has a sentence and what to do next, and names its line', () => {
  for (const why of BATCH_REASONS) {
    const { fact, meaning } = batchStatus({ ...batch, why, counts: { succeeded: 215, awaiting: 285 } });
    expect(fact, why).toMatch(/^[A-Z].*\.$/);
    const left = why === 'set-back' ? 'are recorded as not sent' : 'aren’t sent yet';
    expect(meaning, why).toMatch(new RegExp(`^285 payments ${left}\\. \\S.*\\.$`));
  }
  const factOf = (why: string, line: number | null = 7) => batchStatus({ ...batch, why, why_line: line }).fact;
  for (const why of ['unconfirmed', 'refusals', 'skipped', 'paid-meanwhile', 'unreadable'])
    expect(factOf(why), why).toMatch(/line 7/i);
  expect(factOf('skipped', null)).toBe(
    'Lines left wait for another payment to the same recipient that isn’t resolved yet.',
  );
});

test('after a database restore, recorded states are not reported as facts', () => {
  const { fact, meaning } = batchStatus({
    ...batch,
    why: 'set-back',
    why_line: null,
    lines: 3,
    counts: { unconfirmed: 3 },
  });
  expect(`${fact} ${meaning}`).toBe(
    'The database was restored from an older copy, so newer records may be missing. 3 payments are unconfirmed: don’t pay them again. Open each to resolve it. Nothing is left to send.',
  );
});

test.each([72, 168])(
  'from %i hours after its recording, a batch with payments left says that it can’t be started',
  (n) => {
    const waiting = { ...batch, startable_hours: n };
    const hours = 3_600_000;
    expect(isPastStart({ ...waiting, at: 5 }, 5 + n * hours - 1)).toBe(false);
    expect(isPastStart({ ...waiting, at: 5 }, 5 + n * hours)).toBe(true);
    expect(batchStatus({ ...waiting, state: 'waiting', counts: { awaiting: 500 } }).meaning).toBe(
      `It can be started within ${n} hours of its recording.`,
    );
    const late = `More than ${n} hours have passed since it was recorded, so it can’t be started. Withdraw the rest and make a new batch.`;
    expect(batchStatus({ ...waiting, state: 'waiting' }, { isPastStart: true }).meaning).toBe(late);
    for (const why of [...BATCH_REASONS, 'of-later', null]) {
      const { meaning } = batchStatus({ ...waiting, why }, { isPastStart: true });
      expect(meaning, `${why}`).toContain(late);
      expect(meaning, `${why}`).not.toMatch(/continue/i);
    }
    expect(batchStatus({ ...waiting, counts: { succeeded: 500 } }, { isPastStart: true }).meaning).toBe(
      'Nothing is left to send.',
    );
  },
);

test('a payment that is still being sent is always mentioned', () => {
  for (const state of ['done', 'stopped', 'paused'])
    for (const others of [{}, { awaiting: 1 }, { unconfirmed: 1 }, { refused: 1 }, { 'not-sent': 1 }]) {
      const { chip, fact, meaning } = batchStatus({ ...batch, state, lines: 9, counts: { sending: 1, ...others } });
      expect(`${fact} ${meaning}`, state).toContain('1 payment is still being sent.');
      expect(`${fact} ${meaning}`, state).not.toContain('Nothing is left');
      expect(chip, state).not.toMatch(/Done|Withdrawn/);
    }
});

test('a reason or state of a later version is shown by its name, without any claim', () => {
  expect(batchStatus({ ...batch, why: 'moon\u202Ephase' }).fact).toBe(
    'It stopped for a reason of a newer version (“moon⟨U+202E⟩phase”).',
  );
  expect(batchStatus({ ...batch, state: 'queued' })).toMatchObject({ chip: 'queued', tone: 'open' });
});

test('a finished batch is shown as proof only if everything was accepted', () => {
  const done = (counts: Record<string, number>) => batchStatus({ ...batch, state: 'done', lines: 3, counts });
  expect(done({ succeeded: 3 })).toMatchObject({ tone: 'proof', meaning: 'The provider has accepted all 3 payments.' });
  expect(done({ succeeded: 2, unconfirmed: 1 }).tone).toBe('open');
  expect(done({ succeeded: 2, refused: 1 }).meaning).toBe('The provider refused 1 payment. Nothing was paid by it.');
  expect(done({ succeeded: 2, 'not-sent': 1 })).toMatchObject({ tone: 'plain', meaning: '1 payment was not sent.' });
  const closed = '1 payment was closed manually: whether it went through isn’t proven.';
  expect(done({ succeeded: 2, closed: 1 })).toMatchObject({ tone: 'plain', meaning: closed });
  expect(done({ succeeded: 1, 'not-sent': 1, closed: 1 }).meaning).toBe(`1 payment was not sent. ${closed}`);
  for (const other of ['unconfirmed', 'refused', 'sending'])
    expect(done({ succeeded: 1, [other]: 1, closed: 1 }).meaning, other).toContain(closed);
  expect(progressWords(batchProgress({ lines: 3, counts: { succeeded: 2, closed: 1 } }))).toBe(
    '2 of 3 accepted, 1 closed manually',
  );
  expect(batchStatus({ ...batch, state: 'stopped', counts: { succeeded: 498, 'not-sent': 2 } })).toMatchObject({
    tone: 'plain',
    fact: 'What was left was withdrawn. 2 payments weren’t sent, and never will be.',
    meaning: '',
  });
  const stopped = batchStatus({ ...batch, state: 'stopped', counts: { succeeded: 498, 'not-sent': 1, closed: 1 } });
  expect(stopped).toMatchObject({ chip: 'Withdrawn', meaning: closed });
});

test('a batch whose rest was rejected or withdrawn, or expired, says so', () => {
  const done = (why: string, counts: Record<string, number>) =>
    batchStatus({ ...batch, state: 'done', why, lines: 3, counts });
  expect(done('rejected', { 'not-sent': 3 })).toMatchObject({
    chip: 'Rejected',
    fact: 'It was rejected. Nothing was sent.',
  });
  expect(done('lapsed', { 'not-sent': 3 })).toMatchObject({
    chip: 'Expired',
    fact: 'It expired before it was approved and sent. Nothing was sent.',
  });
  expect(done('maker-not-permitted', { 'not-sent': 3 })).toMatchObject({
    chip: 'Withdrawn',
    fact: 'It was withdrawn, since whoever prepared it may not send any more. Nothing was sent.',
  });
  expect(done('rejected', { succeeded: 2, 'not-sent': 1 })).toMatchObject({
    chip: 'Done',
    fact: 'What was left was rejected. Nothing is left to send.',
    meaning: '1 payment was not sent.',
  });
});

test('a batch that waits for approval says so until it has its approvals or its time is over', () => {
  const waiting = { ...batch, state: 'waiting', counts: { awaiting: 3 } };
  expect(batchStatus(waiting, { missingApprovals: 2 })).toMatchObject({
    chip: 'Waiting for approval',
    fact: 'Nothing has been sent.',
    meaning: 'It needs 2 more approvals. An operator sends it then.',
  });
  expect(batchStatus(waiting).chip).toBe('Not started');
  expect(batchStatus(waiting, { missingApprovals: 2, isPastStart: true }).chip).toBe('Not started');
});
