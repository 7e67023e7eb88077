import { expect, test } from 'vitest';
import { rateOn, readRates } from './rates.ts';

const HEAD = 'day,asset,currency,rate,source';
const faultsOf = (...lines: string[]) => {
  const answer = readRates([HEAD, ...lines].join('\r\n'));
  return 'faults' in answer ? answer.faults.map(({ line, text }) => `${line}: ${text}`) : [];
};

test('a good file has a rate for each day and asset', () => {
  const text = `\uFEFF${HEAD}\n2026-10-01,USDT,EUR,0.8531,ECB\n"2026-10-02","BTC","EUR","91234.5","our bank, 16:00"\n`;
  const answer = readRates(text);
  if ('faults' in answer) throw new Error('Refused.');
  expect(answer.rates).toMatchObject({ currency: 'EUR', count: 2 });
  expect(rateOn(answer.rates, '2026-10-02', 'BTC')).toMatchObject({ rate: '91234.5', source: 'our bank, 16:00' });
  expect(rateOn(answer.rates, '2026-10-02', 'USDT')).toBeNull();
  expect(rateOn(null, '2026-10-02', 'BTC')).toBeNull();
  expect(readRates(`${HEAD.replaceAll(',', ';')}\n2026-10-01;USDT;EUR;0.85;ECB`)).toHaveProperty('rates');
});

test('a file of more lines than any good one is refused as a whole', () => {
  expect(readRates(`${HEAD}\n${'a\n'.repeat(200_000)}`)).toEqual({
    faults: [{ line: null, text: 'The file has more than 200,000 lines.' }],
  });
});

test('every fault is named with its line', () => {
  expect(
    faultsOf(
      '2026-10-01,USDT,EUR,0.85,ECB',
      '2026-02-30,USDT,EUR,0.85,ECB',
      '2026-10-02,,eur,"0,85",',
      '',
      '2026-10-03,USDT,USD,0,ECB',
      '2026-10-01,USDT,EUR,0.86,ECB',
      '2026-10-04,USDT,EUR',
      '2026-10-05,USDT,EUR,1e3,ECB',
    ),
  ).toEqual([
    '3: “2026-02-30” isn’t a date like 2026-10-31.',
    '4: The asset is missing.',
    '4: “eur” isn’t a currency code like EUR.',
    '4: “0,85” isn’t a positive number with a decimal point.',
    '4: The source is missing.',
    '6: USD, but the first rate is in EUR.',
    '6: “0” isn’t a positive number with a decimal point.',
    '7: USDT on 2026-10-01 is already in line 2.',
    '8: 3 columns instead of 5.',
    '9: “1e3” isn’t a positive number with a decimal point.',
  ]);
});

test('a file with other columns, without rates or with an open quote is refused', () => {
  for (const text of ['', 'date,asset,rate\n', HEAD]) expect(readRates(text)).toHaveProperty('faults');
  const openQuote = { line: null, text: 'A quotation mark isn’t closed.' };
  expect(readRates(`${HEAD}\n"2026-10-01,USDT,EUR,1,x`)).toEqual({ faults: [openQuote] });
});
