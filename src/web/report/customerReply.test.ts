import { expect, test } from 'vitest';
import { customerReply } from './customerReply.ts';

const replyFor = (status: string) =>
  customerReply({
    of: 'withdrawal',
    row: { id: 'wd_1', asset: 'USDT', status, amount: '99', fee: '1.5', created_at: 1_795_000_000 },
    readAt: 1_795_000_100,
  });

test.each(['completed', 'broadcasted', 'under_review'])('the fee of a withdrawal that is %s is replyFor', (status) => {
  expect(replyFor(status)).toContain('Fee: 1.5 USDT');
});

test.each(['failed', 'rejected', 'cancelled'])('no fee was taken for a withdrawal that %s', (status) => {
  expect(replyFor(status)).not.toContain('Fee');
});
