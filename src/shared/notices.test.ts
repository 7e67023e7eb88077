import { expect, test } from 'vitest';
import { NOTICE_EVENT_NAMES } from './noticeEvents.ts';
import { noticePage, noticeRule, noticeText, plainName } from './notices.ts';

test.each(NOTICE_EVENT_NAMES)('%s says in a sentence what happened, once and several times', (event) => {
  const of = { event, subject: 'x' };
  const names = { recipient: 'Acme', person: 'Ada' };
  for (const words of [
    noticeText({ ...of, count: 1 }),
    noticeText({ ...of, count: 1 }, names),
    noticeText({ ...of, count: 5_000 }),
  ])
    expect(words).toMatch(/^[A-Z\d].*\.$/);
  expect(noticeRule(event).page('')).toMatch(/^\//);
});

test('a payment is named by its kind and its recipient', () => {
  const failed = { event: 'payment.failed' as const, count: 1 };
  expect(noticeText({ ...failed, subject: 'deposit dep_1' })).toBe('A deposit failed.');
  expect(noticeText({ ...failed, subject: 'withdrawal wd_1' }, { recipient: 'Acme' })).toBe(
    'A withdrawal to Acme failed.',
  );
});

test('a payment’s notice links to the payment, and a digest to a page with all of them', () => {
  const { page } = noticeRule('payment.failed');
  expect(page('withdrawal wd_1')).toBe('/withdrawals/wd_1');
  expect(page('deposit ../x')).toBe('/deposits/..%2Fx');
  expect(page('')).toBe('/');
  expect(noticeRule('operation.unconfirmed').page('key 1')).toBe('/operations/key%201');
  expect(noticeRule('operation.unconfirmed').page('')).toBe('/operations');
  expect(noticeRule('batch.paused').page('batch_0001')).toBe('/batches/batch_0001');
  expect(noticeRule('batch.done').page('')).toBe('/batches');
});

test('a notice of one recipient links to them and names them, and one of several links to the list', () => {
  const of = { event: 'recipient.changed' as const, subject: 'bitcoin:bc1' };
  expect(noticePage({ ...of, count: 1 })).toBe('/recipients/bitcoin%3Abc1');
  expect(noticePage({ ...of, count: 2 })).toBe('/recipients');
  expect(noticeText({ ...of, count: 1 }, { recipient: 'Acme' })).toBe(
    'Somebody confirmed or blocked the recipient Acme.',
  );
  expect(noticeText({ ...of, count: 2 }, { recipient: 'Acme' })).toBe('2 recipients were confirmed or blocked.');
});

test.each([
  ['<!channel>', '!channel'],
  ['<https://evil.example|Open>', 'https evil.example Open'],
  ['[Open](http://evil.example)', 'Open http evil.example'],
  ['@all *now*', 'all now'],
  ['Acme\u202e\n Hosting', 'Acme Hosting'],
])('the name %j reaches a chat as plain text', (name, plain) => {
  expect(plainName(name)).toBe(plain);
});
