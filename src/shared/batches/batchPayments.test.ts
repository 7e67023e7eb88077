import { expect, test } from 'vitest';
import { knownAddresses } from '#src/shared/operations/knownAddresses.ts';
import { readBatch } from './batchPayments.ts';

const ACME = { chain: 'ethereum', address: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed' };
const OTHER = { chain: 'ethereum', address: '0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB' };
/** Begins and ends like Acme's. */
const FALSE_ACME = `0x5aae${'1234567890abcdef'.repeat(2)}eaed`;

const recipients = [
  { name: 'Acme', ...ACME },
  { name: 'Twice', ...OTHER },
  { name: 'Twice', chain: 'ethereum', address: '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359' },
];

function read(...rows: string[]) {
  const text = `recipient;address;asset;chain;amount;reference\n${rows.join('\n')}`;
  const known = knownAddresses(recipients, []);
  return readBatch(text, null, { recipients, known, spell: (_asset, chain) => chain.toLowerCase() });
}

async function paymentsOf(...rows: string[]) {
  const result = await read(...rows);
  if (result.kind !== 'payments') throw new Error(JSON.stringify(result));
  return result.payments;
}

async function faultsOf(...rows: string[]) {
  const result = await read(...rows);
  if (result.kind !== 'faults') throw new Error(JSON.stringify(result));
  return result.faults.map(({ line, column, message }) => `${line} ${column}: ${message}`);
}

test('a saved recipient is paid at the saved address, whatever the spelling of the name', async () => {
  const [payment] = await paymentsOf('ACME;;USDT;Ethereum;5;INV-1');
  expect(payment).toEqual({
    line: 2,
    fields: { asset: 'USDT', chain: 'ethereum', amount: '5', address: ACME.address },
    recipient: 'ACME',
    reference: 'INV-1',
    savedElsewhere: [],
    savedAs: null,
  });
});

test('an address alone takes the name of the saved recipient, if there is one', async () => {
  const payments = await paymentsOf(
    `;${ACME.address};USDT;ethereum;5;`,
    `New;0x27b1fdb04752bbc536007a920d24acb045561c26;USDT;ethereum;5;`,
  );
  expect(payments.map(({ recipient, reference }) => [recipient, reference])).toEqual([
    ['Acme', null],
    ['New', null],
  ]);
});

test('a known name with another address, and a known address under another name, are reported', async () => {
  const [changed, renamed] = await paymentsOf(
    `Acme;${OTHER.address};USDT;ethereum;5;`,
    `Berta;${ACME.address.toLowerCase()};USDT;ethereum;5;`,
  );
  expect(changed).toMatchObject({ savedElsewhere: [ACME], savedAs: 'Twice' });
  expect(renamed).toMatchObject({ savedElsewhere: [], savedAs: 'Acme' });
});

test('all faults of all lines are listed, in their order', async () => {
  expect(
    await faultsOf(
      'Nobody;;USDT;ethereum;5;',
      'Acme;;USDT;tron;5;',
      'Twice;;USDT;ethereum;5;',
      ';;USDT;ethereum;5;',
      'Acme;;;;1E+05;',
      `;${ACME.address.replace('5aAe', '5aae')};USDT;ethereum;5;`,
      `;${FALSE_ACME};USDT;ethereum;5;`,
      'Acme;;USDT;ethereum;5;INV-1',
      'Acme;;USDT;ethereum;6;INV-1',
    ),
  ).toEqual([
    '2 recipient: No saved recipient has this name. Save the recipient, or add the address to the file.',
    '3 recipient: This recipient has no saved address on Tron.',
    '4 recipient: This recipient has 2 addresses on Ethereum. Add the address to the file.',
    '5 null: It has neither a recipient nor an address.',
    '6 amount: Write the amount out, without an exponent.',
    '6 asset: Enter an asset.',
    '6 chain: Enter a chain.',
    '7 address: There’s a typo in this address (checksum doesn’t match).',
    '8 address: Blocked: this imitates the address of “Acme”. Take it from its source again. If it is right, save it as a recipient first.',
    '10 reference: Line 9 has the same reference.',
  ]);
});

test('one bad line refuses the file', async () => {
  expect(await read('Acme;;USDT;ethereum;5;', 'Nobody;;USDT;ethereum;5;')).toMatchObject({ kind: 'faults' });
});
