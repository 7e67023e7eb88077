import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { EarlierSend } from '#src/shared/contract/gatewayContract.ts';
import { testReviewedLine } from '#src/shared/batches/testReviewedLine.ts';
import { isStorable } from '#src/shared/text.ts';
import type { ReceivedBatchReview } from '#src/web/api/batches.ts';
import { ApiError } from '#src/web/api/errors.ts';
import { batchRequest, mayBeRecorded, withoutOwn, withRefusal } from './batchRequest.ts';

const ID = 'batch-of-this-page';

const earlier = (id: string, source: EarlierSend['source'] = 'journal'): EarlierSend => ({
  source,
  id,
  count: null,
  amount: '1',
  createdAt: null,
  status: null,
});

const review = (change: Partial<ReceivedBatchReview> = {}): ReceivedBatchReview => ({
  same: null,
  lines: [],
  now: 0,
  listed: 'listed',
  policy_changed: false,
  barred: [],
  approval: null,
  receivedMs: 0,
  at: 0,
  ...change,
});

test('a refusal adds to the review, and keeps its listed payments, earlier batches, rejections and changed recipients', () => {
  const batches = [{ id: 'other', at: 1, who: null, person: null }];
  const refused_before = [{ key: 'key-7', by: 'reject' as const, words: 'No', who: null, person: null, at: 1 }];
  const before = review({
    lines: [
      testReviewedLine(2, {
        batches,
        refused_before,
        recipient_changed: true,
        of: [earlier('wd_1', 'service'), earlier('key-1')],
      }),
      testReviewedLine(3),
    ],
  });
  const refused = testReviewedLine(2, {
    existing: 'key-9',
    of: [earlier('key-1'), earlier('key-2'), earlier(`${ID}.4`)],
  });
  const { lines } = withRefusal(before, { lines: [refused, testReviewedLine(5, { reference: 'key-3' })] }, ID);
  const of2 = lines.find(({ line: number }) => number === 2);
  expect(of2?.existing).toBe('key-9');
  expect(of2?.batches).toEqual(batches);
  expect(of2?.refused_before).toEqual(refused_before);
  expect(of2?.recipient_changed).toBe(true);
  // The file's own lines don't count as earlier payments.
  expect(of2?.of.map(({ id }) => id)).toEqual(['key-1', 'key-2', 'wd_1']);
  expect(lines.map(({ line: number }) => number)).toEqual([3, 2, 5]);
});

test('a refusal’s batch with the same payments replaces the review’s, which otherwise stays', () => {
  const same = { id: 'other', at: 1, who: null, person: null };
  expect(withRefusal(review(), { same }, ID).same).toEqual(same);
  expect(withRefusal(review({ same }), {}, ID).same).toEqual(same);
});

test('a batch that this page may have recorded itself is not an earlier one', () => {
  const own = { id: ID, at: 1, who: null, person: null };
  const other = { id: 'other', at: 1, who: null, person: null };
  const found = testReviewedLine(2, {
    existing: `${ID}.2`,
    of: [earlier(`${ID}.2`), earlier('other.2')],
    batches: [own, other],
    reference: `${ID}.3`,
  });
  expect(withoutOwn(review({ same: own, lines: [found] }), ID)).toMatchObject({
    same: null,
    lines: [{ existing: null, of: [{ id: 'other.2' }], batches: [other], reference: null }],
  });
  const others = testReviewedLine(2, {
    existing: 'other.2',
    of: [earlier(`${ID}0.2`)],
    batches: [other],
    reference: 'key-1',
  });
  const unchanged = review({ same: other, lines: [others] });
  expect(withoutOwn(unchanged, ID)).toEqual(unchanged);
});

test('any file name can be stored', () => {
  const nameOf = (name: string | null) => batchRequest({ name, text: '' }, [], null).file.name;
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 210 }), fc.nat(210), (text, cut) => {
      // Cutting the name may split a surrogate pair.
      const name = nameOf(text.slice(cut)) ?? '';
      expect(name.length).toBeLessThanOrEqual(200);
      expect(isStorable(name)).toBe(true);
    }),
  );
  expect(nameOf(`${'a'.repeat(199)}😀.csv`)).toBe('a'.repeat(199));
  expect(nameOf('pay\uD83D.csv')).toBe('pay.csv');
  expect(nameOf('suppliers 😀.csv')).toBe('suppliers 😀.csv');
  expect(nameOf(null)).toBeNull();
});

describe('after a request to record failed', () => {
  const refusal = (status: number, code: string | null = null) => new ApiError('', { kind: 'http', status, code });
  const lost = [
    new ApiError('', { kind: 'timeout' }),
    new ApiError('', { kind: 'network' }),
    new ApiError('', { kind: 'web-page', status: 200 }),
    refusal(503, 'not_ready'),
  ];
  const atTheDoor = [
    new ApiError('', { kind: 'offline' }),
    refusal(429, 'too_many'),
    refusal(403, 'not_permitted'),
    refusal(401),
    refusal(404),
  ];
  const answers = ['batch_faults', 'batch_again', 'look_alike', 'key_reused', 'too_late'].map((code) =>
    refusal(code === 'batch_faults' || code === 'too_late' ? 422 : 409, code),
  );

  test('a refused first request proves that nothing was recorded, a lost response doesn’t', () => {
    for (const error of lost) expect(mayBeRecorded(error, false)).toBe(true);
    for (const error of [...atTheDoor, ...answers]) expect(mayBeRecorded(error, false)).toBe(false);
  });

  test('once the outcome is unknown, only a response about this id settles it', () => {
    for (const error of [...lost, ...atTheDoor, new Error('of this page')])
      expect(mayBeRecorded(error, true), error.message).toBe(true);
    for (const error of answers) expect(mayBeRecorded(error, true), error.code ?? '').toBe(false);
  });
});
