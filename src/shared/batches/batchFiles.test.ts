import { expect, test } from 'vitest';
import type { BatchLineView } from '#src/shared/contract/batchContract.ts';
import { readCsv } from '#src/shared/files/csv.ts';
import { batchDifference } from './batchDifference.ts';
import { readBatchFile } from './batchFile.ts';
import { batchTotals } from './batchTotals.ts';
import { failedLinesFile, usedReferences } from './failedLines.ts';
import { resultFile } from './resultFile.ts';

const fields = { asset: 'USDT', chain: 'tron', amount: '12.50', address: 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8' };

const line = (change: Partial<BatchLineView> = {}): BatchLineView => ({
  line: 2,
  key: 'b.2',
  kind: 'withdrawal',
  body: JSON.stringify(fields),
  recipient: 'Acme, Inc',
  reference: 'INV-1',
  state: 'succeeded',
  reason: null,
  withdrawal: 'wd_1',
  status: 'pending',
  error_code: null,
  approved_by: [],
  ...change,
});

test('the result file has each line as the provider lists it now, or else as it is recorded here', () => {
  const text = resultFile(
    [
      line(),
      line({ line: 3, withdrawal: 'wd_2' }),
      line({
        line: 4,
        state: 'refused',
        withdrawal: null,
        status: null,
        error_code: 'bad_address',
        reference: '=1+2',
        recipient: null,
      }),
      line({ line: 5, state: 'awaiting', withdrawal: null, status: null, reference: '0042' }),
    ],
    [{ id: 'wd_1', status: 'completed', fee: '0.5', tx_hash: '0xabc' }],
    null,
  ).join('');
  expect(text.startsWith('\uFEFF')).toBe(true);
  expect(readCsv(text)?.map(({ cells }) => cells)).toEqual([
    [
      'line',
      'reference',
      'recipient',
      'address',
      'chain',
      'asset',
      'amount',
      'fee',
      'status',
      'withdrawal_id',
      'tx_hash',
    ],
    ['2', 'INV-1', 'Acme, Inc', fields.address, 'tron', 'USDT', '12.50', '0.5', 'completed', 'wd_1', '0xabc'],
    ['3', 'INV-1', 'Acme, Inc', fields.address, 'tron', 'USDT', '12.50', '', 'pending', 'wd_2', ''],
    // Spreadsheets neither run these as a formula nor turn them into a number.
    ['4', "'=1+2", '', fields.address, 'tron', 'USDT', '12.50', '', 'refused: bad_address', '', ''],
    ['5', "'0042", 'Acme, Inc', fields.address, 'tron', 'USDT', '12.50', '', 'awaiting', '', ''],
  ]);
});

test('where people sign, the result file ends with who prepared and who approved each line', () => {
  const lines = [
    line({ approved_by: ['Bo', 'Cy'] }),
    line({ line: 3, approved_by: ['Cy'] }),
    line({ line: 4, state: 'not-sent', withdrawal: null, approved_by: ['Bo'] }),
  ];
  const text = resultFile(lines, [], 'Ada').join('');
  const cells = readCsv(text)?.map((row) => row.cells.slice(-3));
  expect(cells).toEqual([
    ['tx_hash', 'prepared_by', 'approved_by'],
    ['', 'Ada', 'Bo, Cy'],
    ['', 'Ada', 'Cy'],
    ['', 'Ada', ''],
  ]);
});

test('a new batch takes the payments that certainly paid nothing, and no others', () => {
  const states = [
    line({ state: 'refused', status: null, withdrawal: null, recipient: '@Acme' }),
    // It was accepted, so its reference counts as used.
    line({ state: 'succeeded', status: 'failed', reference: 'INV-2' }),
    line({ state: 'succeeded', status: 'failed', reference: null }),
    // There is a withdrawal, whatever the response said.
    line({ state: 'refused', status: 'failed', withdrawal: 'wd_1' }),
    ...['succeeded', 'unconfirmed', 'sending', 'awaiting', 'closed', 'not-sent', 'of-later'].map((state) =>
      line({ state }),
    ),
    line({ state: 'succeeded', status: null }),
  ];
  const file = readBatchFile(failedLinesFile(states), null);
  expect(file).toEqual({
    kind: 'table',
    rows: [
      { ...fields, line: 2, recipient: '@Acme', reference: 'INV-1' },
      { ...fields, line: 3, recipient: 'Acme, Inc', reference: '' },
      { ...fields, line: 4, recipient: 'Acme, Inc', reference: '' },
    ],
    faults: [],
  });
  expect(usedReferences(states)).toBe(1);
});

test('totals are exact, by asset, against what is available', () => {
  const payments = [fields, { ...fields, amount: '0.000000000000000001' }, { ...fields, asset: 'ETH', amount: '2' }];
  const balances = [{ asset: 'USDT', available: '12.5' }];
  expect(batchTotals(payments, { balances, complete: true })).toEqual([
    { asset: 'USDT', payments: 2, amount: '12.500000000000000001', available: '12.5', after: null, isShort: true },
    { asset: 'ETH', payments: 1, amount: '2', available: '0', after: null, isShort: true },
  ]);
  expect(batchTotals(payments.slice(0, 1), { balances, complete: true })[0]).toMatchObject({
    after: '0',
    isShort: false,
  });
  expect(batchTotals(payments.slice(2), { balances, complete: false })[0]).toMatchObject({
    available: null,
    isShort: false,
  });
});

test('the difference to another batch names new, missing and changed recipients', () => {
  const of = (recipient: string | null, change: Partial<typeof fields> = {}) => ({
    recipient,
    fields: { ...fields, ...change },
  });
  const before = [of('Acme'), of('Gone'), of('Berta'), of('Carla'), of(null)];
  const now = [
    of('ACME ', { amount: '12.5' }),
    of('Berta', { amount: '13' }),
    of('Carla', { address: 'TXYZ' }),
    of('New'),
    of(null),
  ];
  expect(batchDifference(now, before)).toEqual([
    { who: 'Gone', asset: 'USDT', before: '12.5', now: null, isOtherAddress: false },
    { who: 'Berta', asset: 'USDT', before: '12.5', now: '13', isOtherAddress: false },
    { who: 'Carla', asset: 'USDT', before: '12.5', now: '12.5', isOtherAddress: true },
    { who: 'New', asset: 'USDT', before: null, now: '12.5', isOtherAddress: false },
  ]);
  expect(batchDifference(before, before)).toEqual([]);
});
