import { expect, test } from 'vitest';
import { amountQuery } from './classifyQuery.ts';

test.each([
  ['0.5', '0.5', null],
  ['.5', '0.5', null],
  ['0,5 eth', '0.5', 'eth'],
  ['0.5ETH', '0.5', 'ETH'],
  ['USDT 1,250.50', '1250.50', 'USDT'],
  ['1 250', '1250', null],
  ['1,250', '1250', null],
  ['0,500 BTC', '0.500', 'BTC'],
  ['+0.16 ETH', '0.16', 'ETH'],
  ['−70.6 SOL', '70.6', 'SOL'],
  ['-70.6 SOL', '70.6', 'SOL'],
  ['SOL -70.6', '70.6', 'SOL'],
  ['-5', '5', null],
  ['1’250.5', '1250.5', null],
  ['1 560,623167', '1560.623167', null],
  ['~$480', '480', null],
  ['480 €', '480', null],
  ['480 USDC.e', '480', 'USDC.e'],
  ['1.250,50 USDT', '1250.50', 'USDT'],
  ['USDT 12.345,67', '12345.67', 'USDT'],
  ['1.250.000 USDT', '1250000', 'USDT'],
  ['1.250.000,5 USDT', '1250000.5', 'USDT'],
  ['0.500 BTC', '0.500', 'BTC'],
  ['1250.500 BTC', '1250.500', 'BTC'],
])('%s is an amount', (text, amount, asset) => {
  expect(amountQuery(text)).toEqual({ amount, asset });
});

test.each([
  '',
  'ETH',
  '0x12',
  'dep_1',
  '1.2.3',
  '0.250.000',
  '1.250,500,0',
  '1INCH 2 x',
  '12 34 abcdefghijklmnop',
  '1234 0.54 ETH',
  '12 34',
  '1 2345',
])('%s is not an amount', (text) => {
  expect(amountQuery(text)).toBeNull();
});
