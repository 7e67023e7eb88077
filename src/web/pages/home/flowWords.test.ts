import { expect, test } from 'vitest';
import { type AmountChange, changeOf, changeWords } from '#src/shared/money.ts';
import { periodOf } from '#src/shared/overview/flows.ts';
import { missingWords } from '#src/web/list/missingWords.ts';
import { comparedWords, flowOfAsset, searchFor } from './flowWords.ts';

/** 22 Nov 2026, 12:00 UTC. */
const NOW = Date.UTC(2026, 10, 22, 12) / 1000;
const DAY = 86_400;

test('a link filters the list by the same days; there is none if a value can’t be a filter', () => {
  const period = periodOf(NOW, 'utc', 1);
  const start = Date.UTC(2026, 10, 22) / 1000;
  expect(searchFor({ status: 'failed', asset: 'ETH' }, period, 'utc')).toBe(
    `status=failed&asset=ETH&created_after=${start - 1}&created_before=${start + DAY}`,
  );
  expect(searchFor({ status: null }, period, 'utc')).toBeNull();
});

test('by default the asset with most payments is shown, even if some payments have no asset', () => {
  const flows = [
    { asset: 'BTC', count: 1 },
    { asset: 'USDT', count: 3 },
    { asset: null, count: 2 },
  ];
  expect(flowOfAsset(flows, null)?.asset).toBe('USDT');
  expect(flowOfAsset(flows, 'BTC')?.asset).toBe('BTC');
  expect(flowOfAsset(flows, '')?.asset).toBeNull();
  expect(flowOfAsset(flows, 'XYZ')?.asset).toBe('USDT');
});

test('payments missing from a sum are named', () => {
  expect(missingWords({ unreadable: 0, untimed: 0 })).toBe('');
  expect(missingWords({ unreadable: 1, untimed: 3 })).toBe(
    '1 of them without a readable amount, 3 more without a readable time',
  );
});

test.each([
  ['110', '100', '10 % more'],
  ['82', '100', '18 % less'],
  ['100.0', '100', 'no change'],
  ['100.1', '100', 'under 1 % more'],
  ['0.001', '100', 'over 99 % less'],
  ['5', '0', 'none before'],
  ['5000', '1', 'over 10 times as much'],
])('%s after %s: %s', (now, before, words) => expect(changeWords(changeOf(now, before))).toBe(words));

test.each<[AmountChange, number, string]>([
  [{ kind: 'more', percent: '10 %' }, 30, 'amount up 10 % on the previous 30 days'],
  [{ kind: 'less', percent: 'under 1 %' }, 7, 'amount down under 1 % on the previous 7 days'],
  [{ kind: 'less', percent: '18 %' }, 1, 'amount down 18 % on yesterday until this time'],
  [{ kind: 'none' }, 7, 'same amount as the previous 7 days'],
  [{ kind: 'none-before' }, 7, 'none in the previous 7 days'],
  [{ kind: 'none-before' }, 1, 'none yesterday until this time'],
  [{ kind: 'many-times' }, 30, 'amount over 10 times as much as the previous 30 days'],
])('%o in %i days: %s', (change, days, words) => expect(comparedWords(change, days)).toBe(words));
