import { unzipSync, zipSync } from 'fflate';
import { expect, test, vi } from 'vitest';
import { checkNote } from '#src/web/api/operations/testViews.ts';
import { readCsv, unquoted } from '#src/shared/files/csv.ts';
import { attemptNote, testOperation } from '#src/shared/operations/testRecords.ts';
import { withdrawalRequest } from '#src/shared/operations/withdrawal.ts';
import { readRates, withoutRate } from './rates.ts';
import { closingVerdictsIn, addReportedRowsOfZip, readLateEntries } from './archive.ts';
import { noReportedRows } from './reportedRows.ts';
import { fileBytes, NO_BYTES, wholeBytes } from './lines.ts';
import { ListRefused, type MonthReads } from './monthReads.ts';
import { daysMoved, type RateFile } from './freezePeriod.ts';
import { isoUtc } from '#src/shared/time.ts';
import { createBooks, createService, MONTH_TIME } from './testService.ts';

const DAY = 86_400;
const FROM = MONTH_TIME - 30 * DAY;
const ADDRESS = 'TQn9Y2khEsLJW1ChVWFMSMeRDow5KcbLSE';

function filesIn(bytes: Uint8Array | undefined): Record<string, string> {
  const files = unzipSync(bytes ?? new Uint8Array());
  return Object.fromEntries(Object.entries(files).map(([name, text]) => [name, new TextDecoder().decode(text)]));
}

/** Rows of a CSV file by column name. */
function rowsOf(text: string | undefined): Record<string, string>[] {
  const [head, ...rows] = readCsv(text ?? '') ?? [];
  return rows.map(({ cells }) => Object.fromEntries((head?.cells ?? []).map((name, at) => [name, cells[at] ?? ''])));
}

/** A month with a deposit, a withdrawal sent from here with its fee, and one whose operation is unconfirmed. */
function monthOfAcme() {
  const { service, reads } = createService();
  service.deposit('dep_1', FROM + DAY, '1234567.123456789012345678');
  const sent = { asset: 'BTC', chain: 'tron', amount: '100', address: ADDRESS };
  const at = FROM + 2 * DAY;
  service.put('withdrawals', { id: 'wd_1', status: 'completed', ...sent, fee: '0.5', created_at: at });
  service.put('ledger', {
    id: 'le_wd_1',
    type: 'withdrawal',
    asset: 'BTC',
    amount: '-100.5',
    source: 'wd_1',
    created_at: at,
  });
  const record = { ...testOperation, ...withdrawalRequest(sent), who: 'Mira', attempts: [attemptNote] };
  const firstSent = { service: at, server: at * 1000, database: at * 1000 };
  const result = { id: 'wd_1', text: '{"id":"wd_1"}', requestId: 'req_1', by: 'answer' as const, confirmed: [] };
  const view = (more: object) => ({ operation: { ...record, firstSent, ...more }, checks: [checkNote], approved: [] });
  const records = {
    recipients: [{ name: '=Acme "Hosting"', chain: 'tron', address: ADDRESS, asset: '', reference: '', note: '' }],
    notes: [{ kind: 'withdrawal' as const, id: 'wd_1', reference: 'INV-7', note: 'two\nlines' }],
    operations: [view({ key: 'key-2', state: 'unconfirmed' }), view({ key: 'key-1', result })],
  };
  return { service, books: createBooks(reads, FROM), records };
}

test('the ZIP has a page, a README that names each file, journals, withdrawals and the evidence in a folder', async () => {
  const { books, records } = monthOfAcme();
  await books.close(MONTH_TIME, { records });
  const files = filesIn(books.closed[0]?.bytes);
  expect(Object.keys(files)).toEqual([
    'README.txt',
    'journal.csv',
    'exact.csv',
    'withdrawals.csv',
    ...['deposits', 'ledger', 'adjustments', 'before', 'summary'].map((name) => `evidence/${name}.csv`),
    'evidence/operations.jsonl',
    'statement.html',
    'evidence/control-totals.json',
  ]);
  for (const name of Object.keys(files).filter((name) => name !== 'README.txt'))
    expect(files['README.txt']).toMatch(new RegExp(`\r\n${name}\r\n  \\w`));
  expect(books.closed[0]?.period.zip.name).toMatch(/^account-a1b2c3d4_2026-\S+_statement-1\.zip$/);
  const page = files['statement.html'] ?? '';
  const listed = books.closed[0]?.period.files.filter(
    ({ name }) => name !== 'statement.html' && !name.endsWith('.json'),
  );
  for (const { name, sha256 } of listed ?? []) expect(page).toMatch(new RegExp(`>${name}<.*${sha256}`));
  expect(page).toContain('<dd>Ana</dd>');
  expect(JSON.parse(files['evidence/control-totals.json'] ?? '')).toMatchObject({
    to_exclusive: true,
    provider: 'sandbox',
  });
});

test('the journal has recipients and references, exact balances, and ends at the closing', async () => {
  const { books, records } = monthOfAcme();
  const { month } = await books.close(MONTH_TIME, { records });
  const files = filesIn(books.closed[0]?.bytes);
  const rows = rowsOf(files['journal.csv']);
  expect(rows).toMatchObject([
    { description: 'Deposit', in: '1234567.123456789012345678', out: '', fee: '', id: 'dep_1' },
    { description: 'Withdrawal', recipient: `'=Acme "Hosting"`, reference: 'INV-7', in: '', out: '100', fee: '0.5' },
  ]);
  expect(rows.at(-1)?.['balance_after']).toBe(month.sums?.[0]?.closing);
  expect(rowsOf(files['exact.csv']).map((row) => row['balance_after'])).toEqual([
    "'1234567.123456789012345678",
    "'1234466.623456789012345678",
  ]);
});

test('the journal is oldest first even if the ledger is not', async () => {
  const { service, reads } = createService();
  service.deposit('dep_1', FROM + DAY, '1');
  service.deposit('dep_2', FROM + 2 * DAY, '2');
  const newestFirst: MonthReads['ledger'] = async () => {
    return { data: service.rows.ledger.toReversed(), malformed: [], has_more: false, next_cursor: null };
  };
  const books = createBooks({ ...reads, ledger: newestFirst }, FROM);
  await books.close(MONTH_TIME);
  const rows = rowsOf(filesIn(books.closed[0]?.bytes)['journal.csv']);
  expect(rows.map((row) => [row['id'], row['balance_after']])).toEqual([
    ['dep_1', '1'],
    ['dep_2', '3'],
  ]);
});

test('withdrawals name recipient, reference, note and person; operations are listed whatever their outcome', async () => {
  const { books, records } = monthOfAcme();
  await books.close(MONTH_TIME, { records });
  const files = filesIn(books.closed[0]?.bytes);
  const [row] = rowsOf(files['withdrawals.csv']);
  expect(row).toMatchObject({ id: 'wd_1', status: 'completed', fee: '0.5', address: ADDRESS });
  expect(
    [row?.['recipient'], row?.['reference'], row?.['note'], row?.['person']].map((cell) => unquoted(cell ?? '')),
  ).toEqual(['=Acme "Hosting"', 'INV-7', 'two\nlines', 'Mira (not verified)']);
  const operations = (files['evidence/operations.jsonl'] ?? '').trim().split('\n');
  expect(operations.map((line) => (JSON.parse(line) as { operation: { key: string } }).operation.key)).toEqual([
    'key-1',
    'key-2',
  ]);
});

test('an operation whose resends were stopped says who did it and why', async () => {
  const { books, records } = monthOfAcme();
  const stopped = { name: 'Cy', at: 1_795_000_000, reason: 'The provider has it' };
  const operations = records.operations.map((one, at) => (at === 0 ? { ...one, stopped } : one));
  await books.close(MONTH_TIME, { records: { ...records, operations } });
  const lines = (filesIn(books.closed[0]?.bytes)['evidence/operations.jsonl'] ?? '').trim().split('\n');
  expect(lines.map((line) => JSON.parse(line).stopped)).toEqual([undefined, { ...stopped, at: isoUtc(stopped.at) }]);
});

test('where people sign, withdrawals name who prepared and who approved them', async () => {
  const { books, records } = monthOfAcme();
  const approved = [1, 2].map((number) => ({ person: `per_${number}`, name: `Approver ${number}`, at: 0 }));
  const operations = records.operations.map((one) => ({
    ...one,
    operation: { ...one.operation, person: 'per_3', signed: { maker: 'per_3', contentHash: 'x' } },
    approved,
  }));
  await books.close(MONTH_TIME, { records: { ...records, operations } });
  const [row] = rowsOf(filesIn(books.closed[0]?.bytes)['withdrawals.csv']);
  expect(row).toMatchObject({ id: 'wd_1', prepared_by: 'Mira', approved_by: 'Approver 1, Approver 2' });
  const key = monthOfAcme();
  await key.books.close(MONTH_TIME, { records: key.records });
  const [plain] = rowsOf(filesIn(key.books.closed[0]?.bytes)['withdrawals.csv']);
  expect(Object.keys(plain ?? {}).slice(-1)).toEqual(['person']);
});

function ratesOf(text: string): RateFile {
  const answer = readRates(text);
  if ('faults' in answer) throw new Error('Refused.');
  return { rates: answer.rates, bytes: fileBytes(text) };
}

test('rates add values to the journals, their file is kept unchanged, and days without a rate are listed before closing', async () => {
  const { books, records } = monthOfAcme();
  const day = new Date((FROM + 2 * DAY) * 1000).toISOString().slice(0, 10);
  const text = `day,asset,currency,rate,source\n${day},BTC,EUR,0.9,ECB\n`;
  const rates = ratesOf(text);
  const { month, checked } = await books.close(MONTH_TIME, { records, rates });
  const files = filesIn(books.closed[0]?.bytes);
  const value = { value: '-90.45', currency: 'EUR', rate: '0.9', rate_source: 'ECB' };
  expect(rowsOf(files['journal.csv'])).toMatchObject([{ value: '', rate: '' }, value]);
  expect(rowsOf(files['exact.csv'])[1]).toMatchObject({ value: "'-90.45" });
  expect(files['evidence/rates.csv']).toBe(text);
  expect(files['README.txt']).toContain('in EUR, not rounded');
  expect(withoutRate(rates.rates, await daysMoved({ month, checked, zone: 'utc' }))).toEqual([
    `BTC on ${new Date((FROM + DAY) * 1000).toISOString().slice(0, 10)}`,
  ]);
});

test('the same close gives the same bytes again', async () => {
  const { books, records } = monthOfAcme();
  const { again } = await books.close(MONTH_TIME, { records });
  const { zip } = await again();
  expect(Buffer.compare(await wholeBytes(zip), books.closed[0]?.bytes ?? new Uint8Array())).toBe(0);
});

test('every server gives the same bytes, whatever its time zone', async () => {
  const { books, records } = monthOfAcme();
  const { again } = await books.close(MONTH_TIME, { records });
  vi.stubEnv('TZ', 'America/Los_Angeles');
  const { period } = await again();
  vi.unstubAllEnvs();
  expect(period.zip).toEqual(books.closed[0]?.period.zip);
});

test('the journal names the recipient of a withdrawal created before the period, however its fee is charged', async () => {
  const { service, reads } = createService();
  const earlier = { status: 'completed', asset: 'BTC', chain: 'tron', address: ADDRESS, created_at: FROM - DAY };
  const entry = { asset: 'BTC', created_at: FROM + 60 };
  for (const id of ['wd_1', 'wd_2', 'wd_3']) service.put('withdrawals', { id, ...earlier, amount: '3', fee: '0.1' });
  service.put('ledger', { id: 'le_1', ...entry, type: 'withdrawal', amount: '-3', source: 'wd_1' });
  service.put('ledger', { id: 'le_2', ...entry, type: 'fee', amount: '-0.1', source: 'wd_1' });
  service.put('ledger', { id: 'le_3', ...entry, type: 'fee', amount: '-0.1', source: 'wd_2' });
  service.put('ledger', { id: 'le_4', ...entry, type: 'withdrawal', amount: '-3.1', source: 'wd_3' });
  const withdrawal: MonthReads['withdrawal'] = async (id) => ({
    id,
    ...earlier,
    amount: '3',
    fee: '0.1',
    tx_hash: null,
  });
  const books = createBooks({ ...reads, withdrawal }, FROM);
  await books.close(MONTH_TIME);
  expect(rowsOf(filesIn(books.closed[0]?.bytes)['journal.csv'])).toMatchObject([
    { id: 'wd_1', out: '3', fee: '0.1', recipient: ADDRESS },
    { id: 'wd_2', out: '', fee: '0.1', recipient: ADDRESS },
    { id: 'wd_3', out: '3', fee: '0.1', recipient: ADDRESS },
  ]);
});

test('references that a spreadsheet would change begin with an apostrophe, and amounts are as they were', async () => {
  const { books, records } = monthOfAcme();
  const notes = [
    { kind: 'deposit' as const, id: 'dep_1', reference: '1-2', note: '' },
    { kind: 'withdrawal' as const, id: 'wd_1', reference: '0042', note: '1E5' },
  ];
  await books.close(MONTH_TIME, { records: { ...records, notes } });
  const files = filesIn(books.closed[0]?.bytes);
  expect(rowsOf(files['journal.csv'])).toMatchObject([
    { reference: "'1-2", in: '1234567.123456789012345678' },
    { reference: "'0042", out: '100', fee: '0.5' },
  ]);
  expect(rowsOf(files['exact.csv'])).toMatchObject([{ reference: "'1-2" }, { reference: "'0042", out: "'100" }]);
  expect(rowsOf(files['withdrawals.csv'])).toMatchObject([{ reference: "'0042", note: "'1E5", amount: '100' }]);
});

test('without a ledger, the journal lists completed payments by time, without balances', async () => {
  const { service, reads } = createService();
  const notOffered = () => Promise.reject(new ListRefused({ status: 404, isNotFound: true }, null));
  const books = createBooks({ ...reads, ledger: notOffered }, FROM);
  const paid = { status: 'completed', asset: 'BTC', chain: 'tron', address: ADDRESS };
  service.put('withdrawals', { id: 'wd_1', ...paid, amount: '3', fee: '0.1', created_at: FROM + 60 });
  service.put('withdrawals', { id: 'wd_2', ...paid, status: 'pending', amount: '3', created_at: FROM + 61 });
  service.deposit('dep_1', FROM + 30);
  service.deposit('dep_2', FROM + 90, '2');
  service.deposit('dep_3', FROM + 91, '4', 'failed');
  await books.close(MONTH_TIME);
  const rows = rowsOf(filesIn(books.closed[0]?.bytes)['journal.csv']);
  expect(rows).toMatchObject([
    { id: 'dep_1', in: '0.1', balance_after: '' },
    { id: 'wd_1', out: '3', fee: '0.1' },
    { id: 'dep_2', in: '2' },
  ]);

  // A payment that was completed or appeared after the close is an adjustment; one already stated as completed isn't.
  const pending = service.rows.withdrawals.find(({ id }) => id === 'wd_2');
  if (pending) pending['status'] = 'completed';
  service.deposit('dep_late', FROM + 40, '7');
  service.now += DAY;
  await books.close(MONTH_TIME + 60);
  const adjusted = rowsOf(filesIn(books.closed[1]?.bytes)['journal.csv']);
  expect(adjusted).toMatchObject([
    { id: 'dep_late', description: 'Adjustment of a closed period: Deposit', in: '7' },
    { id: 'wd_2', description: 'Adjustment of a closed period: Withdrawal', out: '3', recipient: ADDRESS },
  ]);

  // So is a payment that was stated as completed and has been reversed since.
  for (const row of [...service.rows.deposits, ...service.rows.withdrawals])
    if (['dep_2', 'wd_1'].includes(row.id)) row['status'] = 'failed';
  service.now += DAY;
  await books.close(MONTH_TIME + 120);
  expect(rowsOf(filesIn(books.closed[2]?.bytes)['journal.csv'])).toMatchObject([
    { id: 'wd_1', description: 'Adjustment of a closed period: Withdrawal returned', in: '3', out: '', fee: '-0.1' },
    { id: 'dep_2', description: 'Adjustment of a closed period: Deposit reversed', in: '', out: '2' },
  ]);
});

test('older statements, whose files are in no folder, can still be read', async () => {
  const { books, service } = monthOfAcme();
  await books.close(MONTH_TIME);
  service.now += DAY;
  service.deposit('dep_late', FROM + DAY, '7');
  await books.close(MONTH_TIME + 60);
  const [now, before] = await Promise.all(
    [(name: string) => name, (name: string) => name.replace('evidence/', '')].map(async (rename) => {
      const zips = books.closed.map(({ bytes }) => {
        const files = Object.entries(unzipSync(bytes)).map(([name, text]) => [rename(name), text] as const);
        return fileBytes(zipSync(Object.fromEntries(files)));
      });
      const reportedRows = noReportedRows();
      for (const zip of zips) await addReportedRowsOfZip(zip, reportedRows);
      const second = zips[1] ?? NO_BYTES;
      return { reportedRows, late: await readLateEntries(second), verdicts: await closingVerdictsIn(second) };
    }),
  );
  expect(before).toEqual(now);
  expect(before?.reportedRows.deposits.size).toBe(2);
  expect(before?.reportedRows.withdrawals.get('wd_1')).toBe('completed');
  expect(before?.late).toMatchObject([{ asset: 'BTC', amount: '7' }]);
  expect(before?.verdicts.get('BTC')).toBe('agrees');
});
