import { expect, test } from 'vitest';
import { type Understood, understand } from './understand.ts';

const NOW = Date.UTC(2026, 10, 22, 6) / 1000;
const ADDRESS = 'TXLAQ63Xg1NAzckPwKHvzw7CSEmLMEqcdj';
const HASH = '0xd022f00a7a2dcecc95ac4510dedcff06713eba01839d581c19ecae40f8d7a5de';

function read(text: string, assets = ['ETH', 'USDT', 'BTC', 'USDC']): Record<string, unknown> {
  const found = understand(text, { assets, zone: 'utc', now: NOW });
  return Object.fromEntries(
    Object.entries(found).map(([term, of]: [string, Understood[keyof Understood] & {}]) => [
      term,
      'value' in of ? of.value : of,
    ]),
  );
}

const span = (from: string, to: string) => ({ from, to });
const day = (date: string, period?: string) => ({ from: date, to: date, ...(period && { period }) });

test.each([
  ['0.5 ETH', { amount: { amount: '0.5', asset: 'ETH' } }],
  ['0.5 eth yesterday', { amount: { amount: '0.5', asset: 'ETH' }, days: day('2026-11-21', 'yesterday') }],
  ['99 USDT on Tron', { amount: { amount: '99', asset: 'USDT' }, chain: 'tron' }],
  [
    '99 usdt trc20 yesterday',
    { amount: { amount: '99', asset: 'USDT' }, chain: 'tron', days: day('2026-11-21', 'yesterday') },
  ],
  ['completed deposits via BNB Smart Chain', { status: 'completed', list: 'deposit', chain: 'bsc' }],
  ['0.5 ETH on base', { amount: { amount: '0.5', asset: 'ETH' }, chain: 'base' }],
  ['0.1 bitcoin', { words: 'bitcoin', amount: { amount: '0.1', asset: null } }],
  ['failed ETH', { status: 'failed', asset: 'ETH' }],
  ['21 Nov', { days: day('2026-11-21') }],
  ['nov 21st', { days: day('2026-11-21') }],
  ['24 december', { days: day('2025-12-24') }],
  ['2026-11-03', { days: day('2026-11-03') }],
  ['failed withdrawals', { status: 'failed', list: 'withdrawal' }],
  [
    'completed usdt last month',
    { status: 'completed', asset: 'USDT', days: { from: '2026-10-01', to: '2026-10-31', period: 'last-month' } },
  ],
  ['withdrawals', { list: 'withdrawal' }],
  ['Acme Hosting', { words: 'Acme Hosting' }],
  ['acme 1,250 usdt', { words: 'acme', amount: { amount: '1250', asset: 'USDT' } }],
  ['1 250 000.50 USDT', { amount: { amount: '1250000.50', asset: 'USDT' } }],
  ['−1\u202F250.5\u00A0USDT', { amount: { amount: '1250.5', asset: 'USDT' } }],
  ['88214', { amount: { amount: '88214', asset: null } }],
  ['Order 88214', { words: 'Order 88214' }],
  ['dep_9fK2mQ8LxV0tR7aB', { exact: ['dep_9fK2mQ8LxV0tR7aB'] }],
  [HASH, { exact: [HASH] }],
  [
    `I paid 0.5 ETH yesterday, hash ${HASH}`,
    { exact: [HASH], amount: { amount: '0.5', asset: 'ETH' }, days: day('2026-11-21', 'yesterday') },
  ],
  ['31 Feb', { words: '31 Feb' }],
  [
    '777.77 USDT between 20 and 23 Oct',
    { amount: { amount: '777.77', asset: 'USDT' }, days: span('2026-10-20', '2026-10-23') },
  ],
  [
    'I paid 777.77 USDT, either 21 or 22 Nov',
    { words: 'either', amount: { amount: '777.77', asset: 'USDT' }, days: span('2026-11-21', '2026-11-22') },
  ],
  ['22 Nov or 21 Nov', { days: span('2026-11-21', '2026-11-22') }],
  ['20–22 Nov', { days: span('2026-11-20', '2026-11-22') }],
  ['nov 20 to 22', { days: span('2026-11-20', '2026-11-22') }],
  ['28th of Oct - 3rd Nov', { days: span('2026-10-28', '2026-11-03') }],
  ['2026-11-01 to 2026-11-03', { days: span('2026-11-01', '2026-11-03') }],
  ['20 to 23 Nov 2025', { days: span('2025-11-20', '2025-11-23') }],
  ['20 Nov - 23 Nov 2025', { days: span('2025-11-20', '2025-11-23') }],
  ['28 Dec - 3 Jan 2026', { days: span('2025-12-28', '2026-01-03') }],
  ['30 Dec 2024 - 2 Jan', { days: span('2024-12-30', '2025-01-02') }],
  ['Dec 28–31', { days: span('2025-12-28', '2025-12-31') }],
  ['20 to 31 Sep', { words: '20 31 Sep' }],
  ['30 Dec 2025 - 2 Jan 2026', { days: span('2025-12-30', '2026-01-02') }],
  ['0.5 - 21 Nov', { words: '-', amount: { amount: '0.5', asset: null }, days: day('2026-11-21') }],
  ['20 Nov and 5 ETH', { amount: { amount: '5', asset: 'ETH' }, days: day('2026-11-20') }],
  [
    'I sent 10 USDT and then 777.77 USDT',
    {
      words: 'then 777.77 USDT',
      amount: { amount: '10', asset: 'USDT' },
      further: { amount: '777.77', asset: 'USDT' },
    },
  ],
  ['2 to 3 ETH', { words: '2', amount: { amount: '3', asset: 'ETH' } }],
  ['invoice 12 - 21 Nov', { words: 'invoice 12 -', days: day('2026-11-21') }],
  ['monday.com', { words: 'monday.com' }],
  ['failed deposits last week', { status: 'failed', list: 'deposit', days: span('2026-11-09', '2026-11-15') }],
  ['deposits this week', { list: 'deposit', days: span('2026-11-16', '2026-11-22') }],
  ['0.5 ETH 3 days ago', { amount: { amount: '0.5', asset: 'ETH' }, days: day('2026-11-19') }],
  ['0.5 ETH a week ago', { amount: { amount: '0.5', asset: 'ETH' }, days: span('2026-11-09', '2026-11-15') }],
  ['0.5 ETH two weeks ago', { amount: { amount: '0.5', asset: 'ETH' }, days: span('2026-11-02', '2026-11-08') }],
  ['0.5 ETH, week of 16 Nov', { amount: { amount: '0.5', asset: 'ETH' }, days: span('2026-11-16', '2026-11-22') }],
  ['in the week of Nov 4th', { days: span('2026-11-02', '2026-11-08') }],
  ['week of 16 to 18 Nov', { words: 'week', days: span('2026-11-16', '2026-11-18') }],
  ['0.5 ETH Friday', { amount: { amount: '0.5', asset: 'ETH' }, days: day('2026-11-20') }],
  ['Sunday', { days: day('2026-11-22') }],
  ['failed deposits monday', { status: 'failed', list: 'deposit', days: day('2026-11-16') }],
  [
    'Thursday evening I paid 0.5 ETH',
    { words: 'evening', amount: { amount: '0.5', asset: 'ETH' }, days: day('2026-11-19') },
  ],
  ['Acme Sunday', { words: 'Acme Sunday' }],
  ['0.5 ETH last weekend', { amount: { amount: '0.5', asset: 'ETH' }, days: span('2026-11-14', '2026-11-15') }],
  ['deposits over the weekend', { list: 'deposit', days: span('2026-11-21', '2026-11-22') }],
  ['0.5 ETH in the last 3 days', { amount: { amount: '0.5', asset: 'ETH' }, days: span('2026-11-20', '2026-11-22') }],
  ['failed in the past two weeks', { status: 'failed', days: span('2026-11-09', '2026-11-22') }],
  [
    'failed deposits in the last 7 days',
    { status: 'failed', list: 'deposit', days: { ...span('2026-11-16', '2026-11-22'), period: 'last-7-days' } },
  ],
  ['0.5 ETH since Thursday', { amount: { amount: '0.5', asset: 'ETH' }, days: span('2026-11-19', '2026-11-22') }],
  ['failed since 3 Nov', { status: 'failed', days: span('2026-11-03', '2026-11-22') }],
  ['deposits since yesterday', { list: 'deposit', days: span('2026-11-21', '2026-11-22') }],
  ['0.5 ETH two days ago', { amount: { amount: '0.5', asset: 'ETH' }, days: day('2026-11-20') }],
  ['0.5 ETH on Friday', { amount: { amount: '0.5', asset: 'ETH' }, days: day('2026-11-20') }],
  ['0.5 ETH last sunday', { amount: { amount: '0.5', asset: 'ETH' }, days: day('2026-11-15') }],
  ['0.5 ETH on sunday', { amount: { amount: '0.5', asset: 'ETH' }, days: day('2026-11-22') }],
  ['Friday Fund', { words: 'Friday Fund' }],
  ['4fCehOsg', { words: '4fCehOsg' }],
  ['12ab34cd', { words: '12ab34cd' }],
  ['895.596404 Tether', { words: 'Tether', amount: { amount: '895.596404', asset: null } }],
  ['Tether 895.596404', { words: 'Tether', amount: { amount: '895.596404', asset: null } }],
  ['1250 Tether', { words: 'Tether', amount: { amount: '1250', asset: null } }],
  ['-1250 Tether', { words: 'Tether', amount: { amount: '1250', asset: null } }],
  ['4 doge', { words: 'doge', amount: { amount: '4', asset: null } }],
  ['4DOGE', { amount: { amount: '4', asset: null } }],
  ['4usdt', { amount: { amount: '4', asset: 'USDT' } }],
  ['0.5doge', { amount: { amount: '0.5', asset: null } }],
  ['1,204.988843213967750123', { amount: { amount: '1204.988843213967750123', asset: null } }],
  ['0,488832006876371807', { amount: { amount: '0.488832006876371807', asset: null } }],
  ['0,48883200687637180712345678', { amount: { amount: '0.48883200687637180712345678', asset: null } }],
  ['4.160541456678914334ETH', { amount: { amount: '4.160541456678914334', asset: 'ETH' } }],
  ['12345678901234567890', { exact: ['12345678901234567890'] }],
  ['-2.5 ETH', { amount: { amount: '2.5', asset: 'ETH' } }],
  ['I sent ETH -2.5', { amount: { amount: '2.5', asset: 'ETH' } }],
  ['I sent -1 250.5 USDT', { amount: { amount: '1250.5', asset: 'USDT' } }],
  ['dep_W7L…RXrv', { exact: ['dep_W7L…RXrv'] }],
  ['TYVsuaN...gt9C', { exact: ['TYVsuaN...gt9C'] }],
  ['I sent 3500 usdt', { amount: { amount: '3500', asset: 'USDT' } }],
  ['sent 3500 usdt', { amount: { amount: '3500', asset: 'USDT' } }],
  ['I paid 0.54 ETH but it is still pending', { words: 'it still', amount: { amount: '0.54', asset: 'ETH' } }],
  [
    'I have not received my payout of 22155.52 USDT',
    { words: 'payout', amount: { amount: '22155.52', asset: 'USDT' } },
  ],
  ['I have not received my payout to Acme Hosting', { words: 'payout Acme Hosting' }],
  [`${HASH} 0.5 ETH failed`, { exact: [HASH], amount: { amount: '0.5', asset: 'ETH' } }],
  ['0.5 eth failed', { amount: { amount: '0.5', asset: 'ETH' }, status: 'failed' }],
  ['0.5 eth withdrawals', { amount: { amount: '0.5', asset: 'ETH' }, list: 'withdrawal' }],
  ['pending deposits of yesterday', { status: 'pending', list: 'deposit', days: day('2026-11-21', 'yesterday') }],
  ['acme failed', { words: 'acme', status: 'failed' }],
  ['is confirmed', { status: 'confirmed' }],
  ['sent', { list: 'withdrawal' }],
  ['I paid 69.42 USDT, where is it?', { words: 'where it', amount: { amount: '69.42', asset: 'USDT' } }],
  ['(0.5 ETH)!', { amount: { amount: '0.5', asset: 'ETH' } }],
  [`hash:${HASH}, 0.5 ETH.`, { exact: [HASH], amount: { amount: '0.5', asset: 'ETH' } }],
  [`${'Dear support, '.repeat(60)} tx=${HASH}`, { exact: [HASH] }],
  ['dep_A,dep_B', { exact: ['dep_A', 'dep_B'] }],
  [`Transaction: ${HASH}\nPayment ID: wd_1`, { exact: [HASH, 'wd_1'] }],
  [
    `I paid 50 USDT to ${ADDRESS} on 20 Nov, hash ${HASH}`,
    { exact: [ADDRESS, HASH], amount: { amount: '50', asset: 'USDT' }, days: day('2026-11-20') },
  ],
  [
    'dep_1 dep_2 wd_3 dep_4 dep_5 dep_6 dep_7',
    { exact: ['dep_1', 'dep_2', 'wd_3', 'dep_4', 'dep_5', 'dep_6', 'dep_7'] },
  ],
  ['order 1234 0.54 ETH', { words: 'order 1234', amount: { amount: '0.54', asset: 'ETH' } }],
  ['1234567890 0.54 ETH', { words: '1234567890', amount: { amount: '0.54', asset: 'ETH' } }],
  ['order 123 480 USDT', { words: 'order 123', amount: { amount: '480', asset: 'USDT' } }],
  ['ticket #4711, 480 USDT', { words: 'ticket #4711', amount: { amount: '480', asset: 'USDT' } }],
  ['invoice 0.54', { words: 'invoice 0.54' }],
  ['#480', { words: '#480' }],
  ['1 560,623167 USDT', { amount: { amount: '1560.623167', asset: 'USDT' } }],
  ['I paid 1 250 USDT.', { amount: { amount: '1250', asset: 'USDT' } }],
  [
    'I paid 1 250 000.5 usdt today',
    { amount: { amount: '1250000.5', asset: 'USDT' }, days: day('2026-11-22', 'today') },
  ],
  ['1 2500 USDT', { words: '1', amount: { amount: '2500', asset: 'USDT' } }],
  ['Nov 21, 480 USDT', { amount: { amount: '480', asset: 'USDT' }, days: day('2026-11-21') }],
  ['I paid USDT 69.42, thanks', { words: 'thanks', amount: { amount: '69.42', asset: 'USDT' } }],
  ['$480', { amount: { amount: '480', asset: null } }],
  ['I paid €1,480 yesterday', { amount: { amount: '1480', asset: null }, days: day('2026-11-21', 'yesterday') }],
  ['paid 480 €', { amount: { amount: '480', asset: null } }],
  ['~0.54 ETH', { amount: { amount: '0.54', asset: 'ETH' } }],
  ['I paid 480 USDC.e', { amount: { amount: '480', asset: 'USDC' } }],
  ['20.11.2026', { days: day('2026-11-20') }],
  ['I paid 0.5 ETH on 20/11/2026', { amount: { amount: '0.5', asset: 'ETH' }, days: day('2026-11-20') }],
  ['I paid 480 USDT on 1.9.2026', { amount: { amount: '480', asset: 'USDT' }, days: day('2026-09-01') }],
  ['20th of November', { days: day('2026-11-20') }],
  ['on the 3rd of november 2025', { days: day('2025-11-03') }],
  ['Nov 21 2025', { days: day('2025-11-21') }],
  ['23 Nov 1250 USDT', { amount: { amount: '1250', asset: 'USDT' }, days: day('2025-11-23') }],
  ['I paid on Nov 21, 1250 USDT', { amount: { amount: '1250', asset: 'USDT' }, days: day('2026-11-21') }],
  [
    'On Nov 21 2000 USDT were sent',
    { words: 'were', amount: { amount: '2000', asset: 'USDT' }, days: day('2026-11-21') },
  ],
  ['on 21 Nov 2000 usdt', { amount: { amount: '2000', asset: 'USDT' }, days: day('2026-11-21') }],
  ['21 Nov 2000.50 USDT', { amount: { amount: '2000.50', asset: 'USDT' }, days: day('2026-11-21') }],
  ['21 Nov 2050 XAUT', { words: 'XAUT', amount: { amount: '2050', asset: null }, days: day('2026-11-21') }],
  ['on 21 Nov 5000 USDT', { amount: { amount: '5000', asset: 'USDT' }, days: day('2026-11-21') }],
  ['21 Nov 2025 1250 USDT', { amount: { amount: '1250', asset: 'USDT' }, days: day('2025-11-21') }],
  ['Nov 21, 2025 Acme', { words: 'Acme', days: day('2025-11-21') }],
  ['21 Nov 2025 UTC', { words: 'UTC', days: day('2025-11-21') }],
  ['20.11. 1250 USDT', { amount: { amount: '1250', asset: 'USDT' }, days: day('2026-11-20') }],
  ['paid 23.11. 1250 USDT', { words: '23.11', amount: { amount: '1250', asset: 'USDT' } }],
  ['at 14.30 I paid 1250 USDT', { words: '14.30', amount: { amount: '1250', asset: 'USDT' } }],
  ['24.12. paid 5 ETH', { amount: { amount: '5', asset: 'ETH' }, days: day('2025-12-24') }],
  ['paid 5 ETH on 1.9. with fees', { words: 'fees', amount: { amount: '5', asset: 'ETH' }, days: day('2026-09-01') }],
  ['I paid 12.10. Thanks', { words: 'Thanks', amount: { amount: '12.10', asset: null } }],
  ['20.11', { amount: { amount: '20.11', asset: null } }],
  ['Nov 20 5 ETH', { amount: { amount: '5', asset: 'ETH' }, days: day('2026-11-20') }],
  ['Nov 20 0.5 ETH', { amount: { amount: '0.5', asset: 'ETH' }, days: day('2026-11-20') }],
  ['Nov 20th 0.5 ETH', { amount: { amount: '0.5', asset: 'ETH' }, days: day('2026-11-20') }],
  ['Mar 5 2 BTC', { amount: { amount: '2', asset: 'BTC' }, days: day('2026-03-05') }],
  ['Nov 21 2000USDT', { amount: { amount: '2000', asset: 'USDT' }, days: day('2026-11-21') }],
  ['Nov 480 USDT', { words: 'Nov', amount: { amount: '480', asset: 'USDT' } }],
  ['Nov 5.5 ETH', { words: 'Nov', amount: { amount: '5.5', asset: 'ETH' } }],
  ['He pagado 1.250,50 USDT', { words: 'pagado', amount: { amount: '1250.50', asset: 'USDT' } }],
  ['ich habe 1.250 usdt', { words: 'ich habe', amount: { amount: '1.250', asset: 'USDT' } }],
  ['31.02.2026', { words: '31.02.2026' }],
  ['   ', {}],
])('%s', (text, terms) => {
  expect(read(text)).toEqual(terms);
});

test('before the assets are loaded, any word after a number counts as an asset', () => {
  expect(read('895.596404 Tether', [])).toEqual({ amount: { amount: '895.596404', asset: 'Tether' } });
  expect(read('4DOGE', [])).toEqual({ amount: { amount: '4', asset: 'DOGE' } });
});

test('every term has the part of the text it came from', () => {
  const text = '0.5 eth yesterday';
  const found = understand(text, { assets: ['ETH'], zone: 'utc', now: NOW });
  expect(text.replace(found.days?.from ?? '-', '').trim()).toBe('0.5 eth');
});

const IBC = 'ibc/27394FB092D2ECCD56123C74F36E4C1F926001CEADA9CA97EA622B25F41E5EB2';
const HELD = ['VUSDC', 'vUSDC', 'USDT', 'USD₮', 'USDC.e', IBC, '1INCH', 'BTC.b', 'USDT-TRC20', 'ETH'];

test.each([
  ['5 vUSDC', { amount: { amount: '5', asset: 'vUSDC' }, otherCodes: ['VUSDC'] }],
  ['5 VUSDC', { amount: { amount: '5', asset: 'VUSDC' }, otherCodes: ['vUSDC'] }],
  [
    '5 vusdc yesterday',
    { amount: { amount: '5', asset: 'VUSDC' }, otherCodes: ['vUSDC'], days: day('2026-11-21', 'yesterday') },
  ],
  ['vusdc deposits', { asset: 'VUSDC', otherCodes: ['vUSDC'], list: 'deposit' }],
  ['99 USD₮', { amount: { amount: '99', asset: 'USD₮' }, otherCodes: ['USDT'] }],
  ['99.5USD₮', { amount: { amount: '99.5', asset: 'USD₮' }, otherCodes: ['USDT'] }],
  ['I paid 99 usdt', { amount: { amount: '99', asset: 'USDT' }, otherCodes: ['USD₮'] }],
  ['₮', { asset: 'USDT', otherCodes: ['USD₮'] }],
  ['480 USDC.e', { amount: { amount: '480', asset: 'USDC.e' } }],
  ['I paid 480 usdc.e, where is it?', { words: 'where it', amount: { amount: '480', asset: 'USDC.e' } }],
  ['BTC.b 2', { amount: { amount: '2', asset: 'BTC.b' } }],
  ['5 1inch', { amount: { amount: '5', asset: '1INCH' } }],
  ['5 USDT-TRC20', { amount: { amount: '5', asset: 'USDT-TRC20' } }],
  [`0.5 ${IBC}`, { amount: { amount: '0.5', asset: IBC } }],
  [`I sent 0.5 ${IBC.toLowerCase()} on 21 Nov`, { amount: { amount: '0.5', asset: IBC }, days: day('2026-11-21') }],
  [IBC, { asset: IBC }],
  [`${IBC} failed`, { asset: IBC, status: 'failed' }],
  [`0.5 ${IBC}, hash ${HASH}`, { exact: [HASH], amount: { amount: '0.5', asset: IBC } }],
  // Its hash alone may be anything.
  [IBC.slice(4), { exact: [IBC.slice(4)] }],
  ['0.5 ETH', { amount: { amount: '0.5', asset: 'ETH' } }],
])('among similar asset codes, the one spelled as typed comes first: %s', (text, terms) => {
  expect(read(text, HELD)).toEqual(terms);
});

test('a code in another spelling means the account’s asset', () => {
  expect(read('5 USD₮', ['USDT'])).toEqual({ amount: { amount: '5', asset: 'USDT' } });
  expect(read('5 usdt', ['USD₮'])).toEqual({ amount: { amount: '5', asset: 'USD₮' } });
  expect(read('0.5 ₿', ['BTC'])).toEqual({ amount: { amount: '0.5', asset: 'BTC' } });
});
