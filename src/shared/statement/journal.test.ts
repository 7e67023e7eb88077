import { describe, expect, test } from 'vitest';
import { createStatementJournal, type JournalInput } from './journal.ts';
import { type Movement, sourceKey } from './movement.ts';

const AT = 1_793_000_000;
const move = (of: Partial<Movement>): Movement => {
  return { at: AT, asset: 'USDT', amount: '1', source: 'dep_1', kind: 'deposits', type: 'deposit', ...of };
};
const paid = (of: Partial<Movement>) => move({ source: 'wd_1', kind: 'withdrawals', type: 'withdrawal', ...of });

function rowsOf(movements: readonly Movement[], of: Partial<JournalInput> = {}, late: readonly Movement[] = []) {
  const nobody = { recipient: '', reference: '' };
  const facts = { of: () => nobody };
  const opening = new Map([['USDT', '100']]);
  const journal = createStatementJournal({ zone: 'utc', opening, fees: new Map(), facts, rates: null, ...of });
  const rows = late.flatMap((movement) => journal.add(movement, true));
  return [...rows, ...movements.flatMap((movement) => journal.add(movement)), ...journal.end()];
}

const inShort = (rows: ReturnType<typeof rowsOf>) =>
  rows.map((row) => [row.description, row.in, row.out, row.fee, row.balance_after].join('|'));

describe('the journal', () => {
  test('has one row per movement, and none for moves between two books', () => {
    const detected = move({ amount: '5' });
    const confirmed = [move({ at: AT + 60, amount: '-5' }), move({ at: AT + 60, amount: '5' })];
    const locked = [paid({ at: AT + 70, amount: '-30' }), paid({ at: AT + 70, amount: '30' })];
    const sent = paid({ at: AT + 80, amount: '-30' });
    const rows = rowsOf([detected, ...confirmed, ...locked, sent]);
    expect(inShort(rows)).toEqual(['Deposit|5|||105', 'Withdrawal||30||75']);
    expect(rows[0]).toMatchObject({ date: '2026-10-26', time: '07:33:20', asset: 'USDT', id: 'dep_1' });
  });

  test('has a row for each payment and asset, even within one second', () => {
    const swap = { source: 'sw_1', kind: 'swaps' as const };
    const movements = [
      move({ ...swap, amount: '-50' }),
      move({}),
      move({ ...swap, asset: 'BTC', amount: '0.5' }),
      move({ source: 'dep_2', amount: '2' }),
    ];
    const rows = rowsOf(movements);
    expect(rows.map(({ id, asset }) => `${id} ${asset}`)).toEqual([
      'sw_1 USDT',
      'dep_1 USDT',
      'sw_1 BTC',
      'dep_2 USDT',
    ]);
    expect(inShort(rows)).toEqual(['Swap||50||50', 'Deposit|1|||51', 'Swap|0.5|||0.5', 'Deposit|2|||53']);
  });

  test('lists a fee separately, whether the ledger states it or only the withdrawal', () => {
    const fee = paid({ kind: 'fees', amount: '-1.5' });
    expect(inShort(rowsOf([fee, paid({ amount: '-30' })]))).toEqual(['Withdrawal||30|1.5|68.5']);
    const fees = new Map([[sourceKey('USDT', 'wd_1'), '1.5']]);
    expect(inShort(rowsOf([paid({ amount: '-31.5' })], { fees }))).toEqual(['Withdrawal||30|1.5|68.5']);
    expect(inShort(rowsOf([paid({ amount: '-31.5' })]))).toEqual(['Withdrawal||31.5||68.5']);
    // The fee is included once, and is returned with the amount.
    const returned = [
      paid({ amount: '-31.5' }),
      paid({ at: AT + 1, amount: '31.5' }),
      paid({ at: AT + 2, amount: '-2' }),
    ];
    expect(inShort(rowsOf(returned, { fees }))).toEqual([
      'Withdrawal||30|1.5|68.5',
      'Withdrawal returned|31.5|||100',
      'Withdrawal||2||98',
    ]);
    expect(inShort(rowsOf([paid({ kind: 'fees', asset: 'TRX', amount: '-3' })]))).toEqual(['Fee|||3|-3']);
  });

  test('lists an included fee in the asset that was charged, if a withdrawal moves two', () => {
    const fees = new Map([[sourceKey('USDT', 'wd_1'), '1.5']]);
    const movements = [paid({ asset: 'TRX', amount: '-7' }), paid({ amount: '-31.5' })];
    expect(inShort(rowsOf(movements, { fees }))).toEqual(['Withdrawal||7||-7', 'Withdrawal||30|1.5|68.5']);
  });

  test('describes a movement of unknown kind by the ledger’s own type', () => {
    const rows = rowsOf([
      move({ kind: null, type: 'correction', source: 'x' }),
      move({ kind: 'other', type: '', source: 'y', amount: '-1' }),
      move({ amount: '-9' }),
    ]);
    expect(rows.map(({ description }) => description)).toEqual(['Correction', 'Other movement', 'Deposit reversed']);
  });

  test('begins with the adjustments of closed periods, under their own dates', () => {
    const rows = rowsOf([move({ source: 'dep_2' })], {}, [move({ at: AT - 40 * 86_400, amount: '7' })]);
    expect(inShort(rows)).toEqual(['Adjustment of a closed period: Deposit|7|||107', 'Deposit|1|||108']);
    expect(rows[0]?.date).toBe('2026-09-16');
  });

  test('has recipient, reference, and the value at the rate of its day, exact', () => {
    const facts = { of: (id: string) => ({ recipient: id === 'wd_1' ? 'Acme' : '', reference: `INV ${id}` }) };
    const rate = { currency: 'EUR', rate: '0.857142857142857143', source: 'ECB' };
    const rates = { currency: 'EUR', count: 1, byDay: new Map([['2026-10-26 USDT', rate]]) };
    const amount = '-0.000000000000000007';
    const rows = rowsOf([paid({ amount }), paid({ at: AT + 86_400, amount })], { facts, rates });
    expect(rows[0]).toMatchObject({ recipient: 'Acme', reference: 'INV wd_1', currency: 'EUR', rate_source: 'ECB' });
    expect(rows[0]?.value).toBe('-0.000000000000000006000000000000000001');
    expect(rows[1]).toMatchObject({ value: '', rate: '', currency: '' });
  });

  test('dates by the zone of the statement, and has no balances without a ledger', () => {
    const berlin = { name: 'Europe/Berlin' };
    const [row] = rowsOf([move({ at: Date.UTC(2026, 9, 31, 23, 30) / 1000 })], { zone: berlin, opening: null });
    expect(row).toMatchObject({ date: '2026-11-01', time: '00:30:00', balance_after: '' });
  });
});
