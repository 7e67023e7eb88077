import { expect, test } from 'vitest';
import type { EarlierSend } from '#src/shared/contract/gatewayContract.ts';
import { groupEarlier, sentAgo } from './earlierSends.ts';

const T = 1_795_700_000;
const send = (id: string, createdAt: number, of: Partial<EarlierSend> = {}): EarlierSend => ({
  source: 'journal',
  id,
  count: null,
  amount: '12',
  createdAt,
  status: 'completed',
  ...of,
});

test('the newest payment that may be repeated leads; failed ones and those without details are listed separately', () => {
  const same = send('same', T - 60);
  const newer = send('newer', T - 4, { amount: '7' });
  const failed = send('failed', T - 1, { status: 'failed' });
  const elsewhere = send('others_1', T, { source: 'others', count: 2, amount: null, status: null });
  expect(groupEarlier([failed, same, elsewhere, newer], [same, failed])).toEqual({
    lead: same,
    others: [newer],
    failed: [failed],
    unlisted: [elsewhere],
  });
  expect(groupEarlier([same, newer], []).lead).toBe(newer);
});

test('a failed payment leads only if nothing else is listed', () => {
  const [first, second] = [send('a', T - 9, { status: 'failed' }), send('b', T - 5, { status: 'rejected' })];
  expect(groupEarlier([first, second], [first])).toMatchObject({ lead: second, failed: [first] });
  expect(groupEarlier([], []).lead).toBeNull();
});

test('the age is in seconds at first, then in minutes and hours', () => {
  expect(sentAgo(T, T + 4, T + 4)).toBe('4 seconds ago');
  expect(sentAgo(T, T + 4, T + 40)).toBe('4 seconds ago');
  expect(sentAgo(T, T + 0.5, T + 1)).toBe('just now');
  expect(sentAgo(T, T + 4, T + 65)).toBe('1 minute ago');
  expect(sentAgo(T, T + 9 * 3600, T + 9 * 3600)).toBe('9 hours ago');
});
