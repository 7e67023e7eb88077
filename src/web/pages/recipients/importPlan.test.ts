import { describe, expect, test } from 'vitest';
import { ITEMS_MAX } from '#src/shared/contract/teamContract.ts';
import { knownAddresses } from '#src/shared/operations/knownAddresses.ts';
import { readImport } from './importFile.ts';
import { planImport } from './importPlan.ts';

const ETH = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const FALSE_ETH = `0x5aae${'0'.repeat(32)}eaed`;
const ACME = { name: 'Acme', chain: 'ethereum', address: ETH };
const BTC = ['1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa', '3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy'] as const;

function linesIn(text: string) {
  const file = readImport(new TextEncoder().encode(text));
  return 'lines' in file ? file.lines : [];
}

async function verdicts(text: string, entries: readonly (typeof ACME)[] = []) {
  const plan = await planImport(linesIn(text), { entries, known: knownAddresses(entries, []) });
  return plan.map(({ line, verdict, reason }) => `${line} ${verdict}${reason && `: ${reason}`}`);
}

const csv = (...lines: string[]) => ['name,chain,address', ...lines].join('\n');

describe('an import plan', () => {
  test('adds new entries, and those whose name is taken only if a person selects them', async () => {
    const text = csv(`Beta,bitcoin,${BTC[0]}`, `acme,Ethereum,0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359`);
    expect(await verdicts(text, [ACME])).toEqual([
      '2 add',
      '3 same-name: Another address has this name on this chain.',
    ]);
  });

  test('recognizes a taken name in any encoding and case', async () => {
    const entries = [{ ...ACME, name: 'İzmir Zürich' }];
    const other = '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359';
    for (const name of ['izmir zürich', 'IZMIR Zu\u0308rich'])
      expect(await verdicts(csv(`${name},ethereum,${other}`), entries)).toEqual([
        '2 same-name: Another address has this name on this chain.',
      ]);
  });

  test('refuses lines that the server would refuse, because that would fail the other lines, too', async () => {
    const long = Object.entries({ reference: 201, note: 2001 }).map(([field, length]) => {
      const entry = { ...ACME, [field]: 'x'.repeat(length) };
      return JSON.stringify([entry]);
    });
    const strange = JSON.stringify([{ name: 'A', chain: 'strange', address: 'x'.repeat(256) }]);
    for (const file of [...long, strange]) {
      expect(await verdicts(file)).toEqual([
        expect.stringMatching(/^1 refused: The \w+ is too long, or has characters/),
      ]);
    }
    for (const asset of ['x'.repeat(101), 'US\u200BDT'])
      expect(await verdicts(JSON.stringify([{ ...ACME, asset }]))).toEqual([expect.stringMatching(/^1 refused: /)]);
  });

  test('refuses each bad line with its own reason', async () => {
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

  test('accepts a prefix that belongs to an address, and explains a tag or a link of another chain', async () => {
    const text = csv(
      'Kaspa,kaspa,kaspa:qpauqsvk7yf9unexwmxsnmg547mhyga37csh0kj53q6xxgl24ydxjsgzthw5j',
      'Cash,bch,bitcoincash:qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a',
      'Ripple,xrp,rPEPPER7kfTD9w2To4CQk6UCfuHM9c6GDY?dt=23',
      `Ether,polygon,eth:${ETH}`,
    );
    expect(await verdicts(text)).toEqual([
      '2 add',
      '3 add',
      expect.stringContaining('4 refused: The recipient asks for the destination tag “23”'),
      '5 refused: This link is for Ethereum, and the chain here is Polygon.',
    ]);
  });

  test('recognizes lines that are already saved, or repeated in the file', async () => {
    const text = csv(`Other name,eth,${ETH.toLowerCase()}`, `B,bitcoin,${BTC[0]}`, `C,btc,${BTC[0]}`);
    expect(await verdicts(text, [ACME])).toEqual([
      '2 there: Already saved as “Acme”.',
      '3 add',
      '4 there: Same address as in line 3.',
    ]);
  });

  test('warns about a token’s own contract', async () => {
    const text = csv('A,ethereum,0xdAC17F958D2ee523a2206206994597C13D831ec7');
    expect(await verdicts(text)).toEqual([expect.stringContaining('2 add: This is the contract of the USDT token')]);
  });

  test('never adds look-alikes of saved addresses, or of each other', async () => {
    expect(await verdicts(csv(`B,polygon,${FALSE_ETH}`), [ACME])).toEqual([
      '2 look-alike: It begins and ends like “Acme”, and is another one.',
    ]);
    const both = await verdicts(csv(`Acme,ethereum,${ETH}`, `B,ethereum,${FALSE_ETH}`));
    expect(both.every((verdict) => verdict.includes('look-alike'))).toBe(true);
  });

  test('adds only as many as fit', async () => {
    const entries = Array.from({ length: ITEMS_MAX - 1 }, (_, at) => ({
      ...ACME,
      chain: 'new',
      address: `address ${at}`,
    }));
    const found = await verdicts(csv(`A,bitcoin,${BTC[0]}`, `B,bitcoin,${BTC[1]}`), entries);
    expect(found).toEqual(['2 add', '3 refused: There is room for 10,000 recipients.']);
  });
});

test('each invalid JSON entry is refused separately', async () => {
  const text = JSON.stringify([ACME, null, { name: 'A', chain: 7, address: ETH }]);
  const found = await verdicts(text);
  expect(found[0]).toBe('1 add');
  expect(found.slice(1).every((verdict) => verdict.includes('refused'))).toBe(true);
});

test('the JSON file that an earlier version kept in one browser can still be imported', async () => {
  const text = JSON.stringify({
    kind: 'countinghouse-address-book',
    version: 1,
    service: 'sandbox',
    entries: [{ ...ACME, created_at: 7 }],
  });
  expect(await verdicts(text)).toEqual(['1 add']);
  expect(linesIn(text)).toMatchObject([{ ...ACME, asset: '', reference: '', note: '' }]);
});
