import { describe, expect, test } from 'vitest';
import { approvalNeed, isRefused, type PaymentToJudge, type Spent } from './approvalNeed.ts';
import { needWords } from './needWords.ts';
import { NO_RECIPIENT_RULES, type Policy } from './policy.ts';

const POLICY: Policy = {
  assets: [
    {
      asset: 'USDT',
      steps: [
        { approvals: 0, each: '1000', day: '5000', count: 20 },
        { approvals: 1, each: '25000', day: '100000', count: 100 },
      ],
      above: 2,
    },
    { asset: 'BTC', steps: [], above: 1 },
  ],
  other_assets: 3,
  recipients: NO_RECIPIENT_RULES,
  expires_hours: 72,
};
const FIRST_NEEDS_ONE: Policy = { ...POLICY, recipients: { ...NO_RECIPIENT_RULES, first_payment: 1 } };

interface Case {
  policy?: Policy | null;
  payment?: Partial<PaymentToJudge>;
  spent?: Spent[];
}

function need({ policy = POLICY, payment = {}, spent = [] }: Case) {
  const known = { isFirst: false, isUnlisted: false, isChanged: false };
  const { needs, why } = approvalNeed(policy, { asset: 'USDT', amount: '100', ...known, ...payment }, spent);
  return [needs, ...why.map(needWords)];
}

test('without a policy every payment needs one approval', () => {
  const payment = { amount: '0.01', isFirst: true };
  expect(need({ policy: null, payment })).toEqual([1, 'no approval rules are set yet']);
});

describe('by the amount of one payment', () => {
  test.each([
    ['1000', [0]],
    ['1000.000001', [1, 'more than 1,000 USDT']],
    ['25000', [1, 'more than 1,000 USDT', 'more than 5,000 USDT in 24 hours']],
    ['25000.01', [2, 'more than 25,000 USDT']],
  ])('%s', (amount, expected) => expect(need({ payment: { amount } })).toEqual(expected));
});

describe('by the payments of 24 hours', () => {
  test.each<[string, Spent, (number | string)[]]>([
    ['as much as the limit', { needs: 0, sum: '4900', count: 1 }, [0]],
    ['more', { needs: 0, sum: '4900.01', count: 1 }, [1, 'more than 5,000 USDT in 24 hours']],
    ['with more approvals: not counted', { needs: 1, sum: '9000', count: 1 }, [0]],
    ['with fewer approvals: counted', { needs: 0, sum: '99950', count: 1 }, [2, 'more than 100,000 USDT in 24 hours']],
    ['as many payments as the limit', { needs: 0, sum: '1', count: 19 }, [0]],
    ['one more', { needs: 0, sum: '1', count: 20 }, [1, 'more than 20 payments of USDT in 24 hours']],
    ['many payments with more approvals', { needs: 1, sum: '1', count: 99 }, [0]],
  ])('%s', (_, spent, expected) => expect(need({ spent: [spent] })).toEqual(expected));

  test('sums with fewer approvals count together', () => {
    const spent = [
      { needs: 0, sum: '90000', count: 1 },
      { needs: 1, sum: '9901', count: 1 },
      { needs: 2, sum: '500000', count: 1 },
    ];
    expect(need({ spent })).toEqual([2, 'more than 100,000 USDT in 24 hours']);
    expect(need({ spent: spent.slice(1) })).toEqual([0]);
  });

  test('sums are exact', () => {
    const spent = [{ needs: 0, sum: '4899.999999999999999999999999999999', count: 1 }];
    expect(need({ spent })).toEqual([0]);
    expect(need({ spent, payment: { amount: '100.000000000000000000000000000002' } })[0]).toBe(1);
  });
});

describe('by the asset', () => {
  test('upper and lower case are the same', () =>
    expect(need({ payment: { asset: 'usdt', amount: '1001' } })[0]).toBe(1));
  test('one without limits', () =>
    expect(need({ payment: { asset: 'BTC', amount: '0.0001' } })).toEqual([1, 'payments of BTC']));
  test('one that isn’t listed', () =>
    expect(need({ payment: { asset: 'EUR', amount: '0.0001' } })).toEqual([3, 'payments of EUR']));
});

describe('the first payment to an address', () => {
  test('needs at least what the policy says', () =>
    expect(need({ policy: FIRST_NEEDS_ONE, payment: { isFirst: true } })).toEqual([
      1,
      'first payment to this address',
    ]));
  test('also names the limit if it asks for as many approvals', () =>
    expect(need({ policy: FIRST_NEEDS_ONE, payment: { isFirst: true, amount: '1001' } })).toEqual([
      1,
      'first payment to this address',
      'more than 1,000 USDT',
    ]));
  test('needs as many approvals as the amount does if those are more', () =>
    expect(need({ policy: FIRST_NEEDS_ONE, payment: { isFirst: true, amount: '25001' } })).toEqual([
      2,
      'more than 25,000 USDT',
    ]));
  test('only the first', () => expect(need({ policy: FIRST_NEEDS_ONE })).toEqual([0]));
});

describe('recipients', () => {
  const policy: Policy = { ...POLICY, recipients: { unlisted: 2, first_payment: 1, changed: 2, wait_hours: 24 } };

  test('one that isn’t confirmed', () =>
    expect(need({ policy, payment: { isUnlisted: true } })).toEqual([2, 'not a confirmed recipient']));
  test('one that has changed', () =>
    expect(need({ policy, payment: { isChanged: true } })).toEqual([2, 'the recipient has changed']));
  test('all reasons for the highest number are named', () =>
    expect(need({ policy, payment: { isUnlisted: true, isFirst: true, isChanged: true, amount: '25001' } })).toEqual([
      2,
      'not a confirmed recipient',
      'the recipient has changed',
      'more than 25,000 USDT',
    ]));
  test('only those that aren’t confirmed are refused, and only if the policy says so', () => {
    const refusing: Policy = { ...policy, recipients: { ...policy.recipients, unlisted: 'refuse' } };
    expect(isRefused(refusing, { isUnlisted: true })).toBe(true);
    expect(isRefused(refusing, { isUnlisted: false })).toBe(false);
    expect(isRefused(policy, { isUnlisted: true })).toBe(false);
    expect(isRefused(null, { isUnlisted: true })).toBe(false);
    expect(need({ policy: refusing, payment: { isUnlisted: true } })).toEqual([0]);
  });
});
