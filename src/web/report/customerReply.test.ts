import { describe, expect, test } from 'vitest';
import { customerReply } from './customerReply.ts';
import { type PaymentProgress, paymentProgressOf } from '#src/shared/overview/paymentStanding.ts';

/** 25 Nov 2026, 14:03 UTC. */
const T = 1_795_615_380;
const HOUR = 3600;
const judged = (status: string, now: number, usual: number | null = 60): PaymentProgress =>
  paymentProgressOf({ payment: { status, created_at: T }, now, usual, threshold: HOUR });

interface Case {
  status?: string;
  now?: number;
  usual?: number | null;
  standing?: PaymentProgress;
  row?: Record<string, unknown>;
  order?: string;
  ticket?: string;
  merchant?: string;
  chainWanted?: string;
  amountWanted?: { amount: string; asset: string | null };
}

const depositReply = ({ status = 'pending', now = T + 120, usual = 60, standing, row, ...names }: Case = {}) =>
  customerReply({
    kind: 'deposit',
    row: {
      id: 'dep_1',
      asset: 'USDT',
      chain: 'ethereum',
      status,
      received_amount: '77.70',
      created_at: T,
      ...row,
    },
    standing: standing ?? judged(status, now, usual),
    readAt: now,
    ...names,
  });

const withdrawalReply = ({ status = 'completed', now = T + 120, usual = 60, standing, row, ...names }: Case = {}) =>
  customerReply({
    kind: 'withdrawal',
    row: {
      id: 'wd_1',
      asset: 'USDT',
      chain: 'tron',
      address: 'TFy87Gz',
      status,
      amount: '1250.50',
      fee: '1.5',
      created_at: T,
      ...row,
    },
    standing: standing ?? judged(status, now, usual),
    readAt: now,
    ...names,
  });

describe('a reply about a deposit', () => {
  test('in time says how long it usually takes and what is credited', () => {
    expect(depositReply({ order: '4711' })).toBe(
      'Hello,\n\nYour payment of 77.70 USDT on Ethereum reached us at 14:03 UTC and is being confirmed. That usually takes about a minute. We’ll credit order 4711 as soon as it is.\n\nKind regards\n',
    );
    expect(depositReply({ usual: null })).toContain('is being confirmed. We’ll credit it as soon as it is.');
  });

  test('stuck for 26 hours says so, and never that there is nothing to do', () => {
    const reply = depositReply({ now: T + 26 * HOUR });
    expect(reply).toContain('reached us on 25 November at 14:03 UTC and is being confirmed.');
    expect(reply).toContain(
      'It is taking longer than it should (usually a minute, now 26 hours). We’ve asked our payments provider and will write to you again. You don’t need to pay again.',
    );
    expect(reply).not.toContain('nothing you need to do');
    expect(depositReply({ now: T + 26 * HOUR, usual: null })).toContain('than it should (now 26 hours).');
  });

  test('failed promises a trace, and returned says where it went', () => {
    expect(depositReply({ status: 'failed' })).toContain(
      'Your payment of 77.70 USDT on Ethereum didn’t complete, and nothing was credited. If the amount left your wallet, send us the transaction hash and we’ll trace it.',
    );
    expect(depositReply({ status: 'returned' })).toContain('went back to its sender, and nothing was credited.');
  });

  test('credited names the order, and on another chain than the customer named it says which', () => {
    expect(depositReply({ status: 'completed', order: 'invoice 2026-17' })).toContain(
      'reached us at 14:03 UTC and has been credited to invoice 2026-17.',
    );
    const row = { chain: 'polygon' };
    expect(depositReply({ status: 'completed', row, chainWanted: 'TRC20' })).toContain(
      'Your payment of 77.70 USDT reached us on Polygon, not on Tron. It has been credited.',
    );
    expect(depositReply({ status: 'completed', row, chainWanted: 'matic' })).not.toContain('not on');
  });

  test('says which other amount the customer named, and claims no order as paid', () => {
    const of = (amount: string, more: Case = {}) =>
      depositReply({ status: 'completed', order: '4711', amountWanted: { amount, asset: 'USDT' }, ...more });
    expect(of('80')).toContain('and has been credited. You mentioned 80 USDT; we received 77.70 USDT.');
    expect(of('80', { status: 'pending' })).toContain('We’ll credit it as soon as it is. You mentioned 80 USDT');
    expect(of('77.7')).toContain('has been credited to order 4711.');
    expect(of('80', { status: 'failed' })).not.toContain('You mentioned');
    expect(of('80', { amountWanted: { amount: '80', asset: 'ETH' } })).not.toContain('You mentioned');
    expect(of('80', { amountWanted: { amount: '80', asset: null } })).toContain('You mentioned 80 USDT');
  });

  test('never holds the provider’s own status word', () => {
    expect(depositReply({ status: 'under_review' })).toContain(
      'Our payments provider is reviewing it. We’ll write as soon as it’s credited.',
    );
    expect(depositReply({ status: 'under_review', now: T + 26 * HOUR })).toContain(
      'Our payments provider is reviewing it. It is taking longer than it should (usually a minute, now 26 hours).',
    );
    for (const status of ['under_review', 'zz_unknown', 'failed', 'pending'])
      expect(depositReply({ status })).not.toContain(status);
  });

  test('names ticket and merchant, or the payment’s ID if nothing else is known', () => {
    const reply = depositReply({ ticket: 'T-42', merchant: 'Acme Shop' });
    expect(reply).toMatch(/\nTicket: T-42\n\nKind regards\nAcme Shop\n$/);
    expect(reply).not.toContain('dep_1');
    expect(depositReply()).toContain('Payment ID: dep_1');
  });
});

describe('a reply about a withdrawal', () => {
  test('is written to the payee, not to a customer', () => {
    const hash = 'e6'.repeat(32);
    const reply = withdrawalReply({ row: { tx_hash: hash } });
    expect(reply).toContain(`We sent you 1,250.50 USDT on Tron on 25 November, transaction ${hash}.`);
    expect(reply).not.toMatch(/your payment/i);
  });

  test.each([
    [
      'pending',
      T + 60,
      'We’re sending you 1,250.50 USDT on Tron on 25 November. It hasn’t reached its blockchain yet.',
    ],
    ['broadcasted', T + 60, 'We sent you 1,250.50 USDT on Tron on 25 November. It is waiting to be confirmed'],
    ['pending', T + 26 * HOUR, 'It is taking longer than it should (usually a minute, now 26 hours).'],
    ['failed', T + 60, 'Our payment to you of 1,250.50 USDT on Tron on 25 November didn’t go through.'],
  ])('%s after a while', (status, now, words) => {
    expect(withdrawalReply({ status, now })).toContain(words);
  });

  test('unconfirmed never says that it was sent', () => {
    const reply = withdrawalReply({ standing: { kind: 'unconfirmed' } });
    expect(reply).toContain('We’re checking with our payments provider whether our payment to you of 1,250.50 USDT');
    expect(reply).not.toContain('We sent you');
  });

  test.each(['completed', 'broadcasted', 'under_review'])('names its fee if it is %s', (status) => {
    expect(withdrawalReply({ status })).toContain('Fee: 1.5 USDT');
  });

  test.each(['failed', 'rejected', 'cancelled'])('names no fee if it is %s, because none was charged', (status) => {
    expect(withdrawalReply({ status })).not.toContain('Fee');
  });
});
