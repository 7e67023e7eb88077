import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ITEMS_MAX } from '#src/api/teamContract.ts';
import { knownAddresses } from '#src/lib/operations/knownAddresses.ts';
import { readImport, toCsv, planImport } from './importPlan.ts';

const ETH = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const FALSE_ETH = `0x5aae${'0'.repeat(32)}eaed`;
const ACME = { name: 'Acme', chain: 'ethereum', address: ETH };
const BTC = ['1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa', '3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy'] as const;

function linesIn(text: string) {
  const file = readImport(text);
  return 'lines' in file ? file.lines : [];
}

async function verdicts(text: string, entries: readonly (typeof ACME)[] = []) {
  const plan = await planImport(linesIn(text), { entries, known: knownAddresses(entries, []) });
  return plan.map(({ line, verdict, reason }) => `${line} ${verdict}${reason && `: ${reason}`}`);
}

const csv = (...lines: string[]) => ['name,chain,address', ...lines].join('\n');

describe('what a file would add', () => {
  test('new entries, and those whose name is taken only when somebody chooses them', async () => {
    const text = csv(`Beta,bitcoin,${BTC[0]}`, `acme,Ethereum,0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359`);
    expect(await verdicts(text, [ACME])).toEqual([
      '2 add',
      '3 same-name: Another address has this name on this chain.',
    ]);
  });

  test('a taken name is noticed however it is encoded or cased', async () => {
    const entries = [{ ...ACME, name: 'İzmir Zürich' }];
    const other = '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359';
    for (const name of ['izmir zürich', 'IZMIR Zu\u0308rich'])
      expect(await verdicts(csv(`${name},ethereum,${other}`), entries)).toEqual([
        '2 same-name: Another address has this name on this chain.',
      ]);
  });

  test('what the server would not take is refused here, since it would keep the lines beside it out', async () => {
    const long = Object.entries({ asset: 101, reference: 201, note: 2001 }).map(([field, length]) => {
      const entry = { ...ACME, [field]: 'x'.repeat(length) };
      return JSON.stringify([entry]);
    });
    const strange = JSON.stringify([{ name: 'A', chain: 'strange', address: 'x'.repeat(256) }]);
    for (const file of [...long, strange]) {
      expect(await verdicts(file)).toEqual([
        expect.stringMatching(/^1 refused: The \w+ is too long, or has characters/),
      ]);
    }
  });

  test('lines are refused with the reason, each by itself', async () => {
    const text = csv(
      ',bitcoin,x',
      'A,,x',
      'A,bitcoin,',
      'A,bitcoin,nonsense',
      `A,ethereum,${BTC[0]}`,
      `A,bitcoin,bitcoin:${BTC[0]}`,
      `\u202EA,bitcoin,${BTC[0]}`,
      `\uFFFD,bitcoin,${BTC[0]}`,
      `${'A'.repeat(1_000)},bitcoin,${BTC[0]}`,
      `A, B,bitcoin,${BTC[0]}`,
      `<script>,bitcoin,${BTC[1]}`,
    );
    const found = await verdicts(text);
    expect(found.slice(0, -1).every((verdict) => verdict.includes(' refused: '))).toBe(true);
    expect(found.map((verdict) => verdict.split(': ')[1])).toEqual([
      'The name is missing.',
      'The chain is missing.',
      'The address is missing.',
      expect.stringContaining('not a Bitcoin address'),
      expect.stringContaining('Bitcoin'),
      expect.stringContaining('payment link'),
      expect.stringContaining('invisible'),
      expect.stringContaining('UTF-8'),
      expect.stringContaining('100 characters'),
      expect.stringContaining('more cells'),
      undefined,
    ]);
  });

  test('what is there already, in the book or in the file', async () => {
    const text = csv(`Other name,eth,${ETH.toLowerCase()}`, `B,bitcoin,${BTC[0]}`, `C,btc,${BTC[0]}`);
    expect(await verdicts(text, [ACME])).toEqual([
      '2 there: Already saved as “Acme”.',
      '3 add',
      '4 there: The same address stands in line 3.',
    ]);
  });

  test('look-alikes are never added by a file, nor two of one file', async () => {
    expect(await verdicts(csv(`B,polygon,${FALSE_ETH}`), [ACME])).toEqual([
      '2 look-alike: It begins and ends like “Acme”, and is another one.',
    ]);
    const both = await verdicts(csv(`Acme,ethereum,${ETH}`, `B,ethereum,${FALSE_ETH}`));
    expect(both.every((verdict) => verdict.includes('look-alike'))).toBe(true);
  });

  test('no more than there is room for', async () => {
    const entries = Array.from({ length: ITEMS_MAX - 1 }, (_, at) => ({
      ...ACME,
      chain: 'new',
      address: `address ${at}`,
    }));
    const found = await verdicts(csv(`A,bitcoin,${BTC[0]}`, `B,bitcoin,${BTC[1]}`), entries);
    expect(found).toEqual(['2 add', '3 refused: There is room for 10,000 recipients.']);
  });
});

test.each([
  ['', 'empty'],
  ['{"entries":', 'whole JSON'],
  ['{"rows":[]}', 'entries'],
  ['[1', 'whole JSON'],
  ['who,where\nA,B', 'must name the columns'],
  ['name,chain,address\n"A,B,C', 'quote'],
])('%j is no file of recipients', (text, problem) => {
  expect(readImport(text)).toEqual({ problem: expect.stringContaining(problem) });
});

test('a reference is taken on one line, as every field shows it', () => {
  expect(linesIn(`name,chain,address,reference\nAcme,ethereum,${ETH},"Contract\r\n 7"`)).toMatchObject([
    { reference: 'Contract 7' },
  ]);
  expect(linesIn(JSON.stringify([{ ...ACME, reference: 'a\n\nb' }]))).toMatchObject([{ reference: 'a b' }]);
});

test('JSON that is not whole is refused entry by entry', async () => {
  const text = JSON.stringify([ACME, null, { name: 'A', chain: 7, address: ETH }]);
  const found = await verdicts(text);
  expect(found[0]).toBe('1 add');
  expect(found.slice(1).every((verdict) => verdict.includes('refused'))).toBe(true);
});

describe('what was exported comes back', () => {
  const name = fc.oneof(
    fc.string({ unit: fc.constantFrom(...Array.from('=+-@,;" aZ<>&é字')), minLength: 1, maxLength: 20 }),
    fc.string({ minLength: 1, maxLength: 20 }),
  );
  const book = fc.array(
    fc.record({ name, chain: fc.constantFrom('bitcoin', 'new chain'), asset: name, reference: name, note: name }),
    { maxLength: 8 },
  );

  test('as CSV, with nothing in it that a spreadsheet would run', () => {
    fc.assert(
      fc.property(book, (rows) => {
        // A quote in front of a formula is taken for the one that the export puts there.
        fc.pre(rows.every((row) => !Object.values(row).some((text) => text.startsWith("'"))));
        const entries = rows.map((row, at) => ({ ...row, address: `address-${at}` }));
        const lines = toCsv(entries);
        expect(lines.some((line) => /^"?[=+@]/.test(line))).toBe(false);
        expect(linesIn(lines.join('')).map(({ line: _line, fault: _fault, ...entry }) => entry)).toEqual(entries);
      }),
    );
  });
});

test('the JSON file of an earlier version, kept in one browser, can still be taken', async () => {
  const text = JSON.stringify({
    kind: 'countinghouse-address-book',
    version: 1,
    service: 'sandbox',
    entries: [{ ...ACME, created_at: 7 }],
  });
  expect(await verdicts(text)).toEqual(['1 add']);
  expect(linesIn(text)).toMatchObject([{ ...ACME, asset: '', reference: '', note: '' }]);
});
