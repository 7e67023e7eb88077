import { Plus } from 'lucide-react';
import { expect, test } from 'vitest';
import type { PaymentKind } from '#src/shared/operations/paymentHistory.ts';
import type { DepositAddress } from '#src/shared/contract/teamContract.ts';
import { addressKey } from '#src/shared/chains/lookAlike.ts';
import type { Operation } from '#src/shared/operations/record.ts';
import { testOperation } from '#src/shared/operations/testRecords.ts';
import { withdrawalBody } from '#src/shared/operations/withdrawal.ts';
import { type FoundPayment, isComparable, labelsOf, type PaymentNames, paymentIn, within1Percent } from './match.ts';
import { type PageLink, termsInWords } from './options.ts';
import { groupsOf } from './Results.tsx';
import { understand } from './understand.ts';

const NOW = Date.UTC(2026, 10, 22, 6) / 1000;
const YESTERDAY = Date.UTC(2026, 10, 21, 18, 4, 11) / 1000;
const ADDRESS = 'TXLAQ63Xg1NAzckPwKHvzw7CSEmLMEqcdj';
const NAMES: PaymentNames = {
  recipients: new Map([[addressKey({ chain: 'tron', address: ADDRESS }), 'Acme Hosting']]),
  labels: labelsOf([{ chain: 'tron', address: '0xours', label: 'Order 88214' }]),
  notes: new Map([
    [
      'deposit:dep_2',
      {
        kind: 'deposit',
        id: 'dep_2',
        reference: 'INV-7',
        note: 'paid late',
        ticket: '48213',
        customer: 'Where is my order?',
      },
    ],
  ]),
};

function find(text: string, kind: PaymentKind, row: Record<string, unknown> & { id: string }) {
  const wanted = understand(text, { assets: ['ETH', 'USDT'], zone: 'utc', now: NOW });
  return paymentIn(kind, row, wanted, NAMES, 'utc');
}

const eth = {
  id: 'dep_1',
  asset: 'ETH',
  status: 'completed',
  received_amount: '0.500000000000000000',
  created_at: YESTERDAY,
};
const usdt = {
  id: 'wd_1',
  asset: 'USDT',
  status: 'failed',
  amount: '99',
  chain: 'tron',
  address: ADDRESS,
  created_at: NOW,
};

test.each([
  ['99 USDT on Tron', 'exact', undefined],
  ['99 USDT on Polygon', 'elsewhere', undefined],
  ['99 USDT on Polygon today', 'elsewhere', undefined],
  ['98.5 USDT on Polygon', undefined, undefined],
  ['99.5 USDT', 'near', '-0.5'],
  ['1.250 USDT today', 'other', '97.75'],
  ['100.5 USDT today', 'other', '-1.5'],
  ['40 USDT today', 'other', '59'],
  ['40 today', 'other', undefined],
  ['40', undefined, undefined],
  ['in USDT: 40.5 today', 'other', '58.5'],
  ['in USDT: 99.5', 'near', '-0.5'],
  ['40 USDT', undefined, undefined],
  ['40 USDT yesterday', undefined, undefined],
  ['40 USDT on Polygon today', undefined, undefined],
])('%s: 99 USDT on Tron, sent today, fits as %s', (text, fit, difference) => {
  const found = find(text, 'withdrawal', usdt);
  expect([found?.fit, found?.difference]).toEqual([fit, difference]);
});

test.each([
  ['0.5 ETH', 'exact'],
  ['0.5', 'exact'],
  ['0.5 eth yesterday', 'exact'],
  ['0.5 eth today', null],
  ['0.504 eth', 'near'],
  ['0.506 eth', null],
  ['0.504', null],
  ['0.5 usdt', null],
  ['0.5 eth failed', null],
  ['0.5 eth sent', 'exact'],
  ['0.5 eth withdrawals', null],
  ['I sent 0.5 eth, it is pending', 'exact'],
])('a search for %s matches yesterday’s deposit of 0.5 ETH: %s', (text, fit) => {
  expect(find(text, 'deposit', eth)?.fit ?? null).toBe(fit);
});

test.each([
  ['1250', 'exact'],
  ['1.25', 'exact'],
  ['1240', 'near'],
  ['1.24', 'near'],
  ['125', null],
])('“1.250 USDT” matches both possible amounts: %s %s', (amount, fit) => {
  expect(find('1.250 USDT', 'withdrawal', { ...usdt, amount })?.fit ?? null).toBe(fit);
});

test('an ambiguous amount is searched both ways and offers no withdrawal', () => {
  const creates = [{ to: '/withdrawals/new', label: 'New withdrawal', Icon: Plus, keys: '' }];
  expect(offered('1.250 USDT', [], { creates }).has('Create')).toBe(false);
  expect(offered('1.250,5 USDT', [], { creates }).get('Create')).toMatchObject([
    { label: 'New withdrawal of 1,250.5 USDT' },
  ]);
  const wanted = understand('1.250 USDT', { assets: ['USDT'], zone: 'utc', now: NOW });
  expect(termsInWords(wanted, 'utc')).toMatchObject([{ value: '1.250 or 1,250 USDT' }]);
  const searchIndex = {
    names: NAMES,
    recipients: [],
    addresses: [],
    allAddresses: true,
    operations: [],
    assets: [],
    rows: [],
  };
  const asked = { wanted, searchIndex: { ...searchIndex, requests: [] }, pages: [], creates, zone: 'utc' as const };
  expect(groupsOf(asked, [payment(1), payment(2, 'near')], undefined).map(({ note }) => note)).toEqual([
    '1.250 or 1,250 USDT exactly',
    '1.2375 to 1.2625 or 1,237.5 to 1,262.5 USDT',
  ]);
});

test('an asset without an amount leads to its lists and its balance', () => {
  const pages = [{ to: '/deposits', label: 'Deposits', Icon: Plus, keys: '' }];
  const places = offered('eth', [], { pages }).get('Go to') ?? [];
  expect(places.map(({ to }) => to)).toEqual(['/deposits?asset=ETH', '/balances/ETH']);
});

test.each([
  ['0.5 ETH', '25 of 26 · add a day to narrow down'],
  ['0.5', '25 of 26 · add an asset or a day to narrow down'],
  ['0.5 ETH yesterday', '25 of 26'],
])('more payments than are listed for %s: %s', (text, note) => {
  const wanted = understand(text, { assets: ['ETH'], zone: 'utc', now: NOW });
  const found = Array.from({ length: 26 }, (_, at) => payment(at));
  const searchIndex = { names: NAMES, recipients: [], addresses: [], allAddresses: true, operations: [], assets: [] };
  const input = { wanted, searchIndex: { ...searchIndex, rows: [], requests: [] }, pages: [], creates: [] };
  expect(groupsOf({ ...input, zone: 'utc' }, found, undefined)).toContainEqual(
    expect.objectContaining({ note, isCut: true }),
  );
});

test('two asset codes that differ only in case are both shown everywhere', () => {
  const assets = ['VUSDC', 'vUSDC'];
  const pages = ['/deposits', '/withdrawals'].map((to) => ({ to, label: to.slice(1), Icon: Plus, keys: '' }));
  const creates = [{ to: '/withdrawals/new', label: 'New withdrawal', Icon: Plus, keys: '' }];
  const groups = offered('5 vUSDC', [], { assets, creates, pages });
  expect(groups.get('Go to')?.map(({ to }) => to)).toEqual([
    '/deposits?asset=vUSDC',
    '/withdrawals?asset=vUSDC',
    '/balances/vUSDC',
    '/deposits?asset=VUSDC',
    '/withdrawals?asset=VUSDC',
    '/balances/VUSDC',
  ]);
  expect(groups.get('Create')).toMatchObject([
    { label: 'New withdrawal of 5 vUSDC', state: { prefill: { asset: 'vUSDC', amount: '5' } } },
    { label: 'New withdrawal of 5 VUSDC', state: { prefill: { asset: 'VUSDC', amount: '5' } } },
  ]);
  const wanted = understand('5 vusdc', { assets, zone: 'utc', now: NOW });
  expect(termsInWords(wanted, 'utc')).toMatchObject([{ value: '5 VUSDC or vUSDC' }]);
  const fitOf = (asset: string, text: string) =>
    paymentIn(
      'withdrawal',
      { ...usdt, asset, amount: '5' },
      understand(text, { assets, zone: 'utc', now: NOW }),
      NAMES,
      'utc',
    )?.fit;
  for (const text of ['5 vusdc', 'vusdc', 'VUSDC failed'])
    expect(['vUSDC', 'VUSDC', 'USDC'].map((asset) => fitOf(asset, text))).toEqual(['exact', 'exact', undefined]);
});

test('a code with a slash leads to the same pages as one without', () => {
  const groups = offered('5 ibc/27AB', [], {
    assets: ['ibc/27AB'],
    creates: [{ to: '/withdrawals/new', label: 'New withdrawal', Icon: Plus, keys: '' }],
    pages: [{ to: '/deposits', label: 'Deposits', Icon: Plus, keys: '' }],
  });
  expect(groups.get('Go to')?.map(({ to }) => to)).toEqual(['/deposits?asset=ibc%2F27AB', '/balances/ibc%2F27AB']);
  expect(groups.get('Create')).toMatchObject([{ label: 'New withdrawal of 5 ibc/27AB' }]);
});

test('a payment is found by its recipient’s name, a reference, a note or the label of an address', () => {
  expect(find('acme', 'withdrawal', usdt)?.name).toBe('Acme Hosting');
  expect(find('acme failed', 'withdrawal', usdt)?.name).toBe('Acme Hosting');
  expect(find('inv-7', 'deposit', { ...eth, id: 'dep_2' })?.name).toBe('INV-7');
  expect(find('paid late', 'deposit', { ...eth, id: 'dep_2' })?.name).toBe('INV-7');
  expect(find('48213', 'deposit', { ...eth, id: 'dep_2' })?.name).toBe('INV-7');
  expect(find('7', 'deposit', { ...eth, id: 'dep_2' })?.name).toBe('INV-7');
  expect(find('482', 'deposit', { ...eth, id: 'dep_2' })).toBeNull();
  expect(find('my order', 'deposit', { ...eth, id: 'dep_2' })?.name).toBe('INV-7');
  expect(find('88214', 'deposit', eth)).toBeNull();
  expect(find('order 88214', 'deposit', { ...eth, to: '0xours' })?.name).toBe('Order 88214');
});

test.each([
  ['order #1234', true],
  ['#1234', true],
  ['1234', true],
  ['my ORDER 1234 is missing', true],
  ['invoice 1234-5 for Jana', false],
  ['order 12345', false],
  ['#123', false],
  ['order', true],
  ['shop 7', false],
  ['ticket TCK-4711', true],
  ['[#TCK-4711] Re: payment', true],
  ['tck 4711', true],
  ['4711', true],
  ['tck-47', true],
  ['payout to Bank of Jana', true],
  ['bank of j', true],
  ['payout to Jana', false],
  ['Where is it?', false],
])('“%s” names an “Order 1234” with ticket “TCK-4711” of “Bank of Jana”: %s', (text, isFound) => {
  const note = { kind: 'deposit' as const, id: 'dep_1', reference: 'Order 1234', note: '', ticket: 'TCK-4711' };
  const notes = new Map([['deposit:dep_1', { ...note, customer: 'Bank of Jana' }]]);
  const wanted = understand(text, { assets: ['ETH', 'USDT'], zone: 'utc', now: NOW });
  expect(paymentIn('deposit', eth, wanted, { ...NAMES, notes }, 'utc') !== null).toBe(isFound);
  // Also before a search starts.
  expect(
    offered(text, [], { notes })
      .get('Go to')
      ?.some(({ to }) => to === '/deposits/dep_1') === true,
  ).toBe(isFound);
});

test.each([
  ['Zürich Office', 'zurich office'],
  ['Zu\u0308rich Office', 'Zürich'],
  ['İzmir Lojistik', 'izmir lojistik'],
  ['ISPARTA', 'ısparta'],
  ['می\u200Cخواهم', 'می\u200Cخواهم'],
  ['می\u200Cخواهم', 'میخواهم'],
  ['José Ferreira', 'jose'],
])('Find finds “%s” by “%s”', (name, text) => {
  const addresses = [madeAddress(name)];
  expect(offered(text, [], { addresses }).get('Addresses')).toHaveLength(1);
  const notes = new Map([
    ['deposit:dep_1', { kind: 'deposit' as const, id: 'dep_1', reference: '', note: '', ticket: '', customer: name }],
  ]);
  const wanted = understand(text, { assets: ['ETH'], zone: 'utc', now: NOW });
  expect(paymentIn('deposit', eth, wanted, { ...NAMES, notes }, 'utc')).not.toBeNull();
});

test('a number is found in an address label, in a recipient’s name, and next to an amount', () => {
  const addresses = [madeAddress('Customer 8812 (Jana)')];
  for (const text of ['8812', 'customer #8812', 'hello, 8812 here', 'Customer 8812 (Jana)'])
    expect(offered(text, [], { addresses }).get('Addresses')).toHaveLength(1);
  expect(offered('881', [], { addresses }).has('Addresses')).toBe(false);
  const note = { kind: 'deposit' as const, id: 'dep_1', reference: 'Order 1234', note: '' };
  const notes = new Map([['deposit:dep_1', note]]);
  expect(offered('I paid 480 USDT for order #1234', [], { notes }).get('Go to')).toMatchObject([
    { label: 'USDT balance' },
    { to: '/deposits/dep_1', detail: 'Order 1234' },
  ]);
});

test('a hash alone finds a payment, and an amount next to it finds payments without hashes', () => {
  const hash = `0x${'d0'.repeat(32)}`;
  expect(find(hash, 'deposit', eth)).toBeNull();
  expect(find(hash, 'withdrawal', { ...usdt, tx_hash: hash.toUpperCase().replace('0X', '0x') })?.fit).toBe('named');
  expect(find(`I paid 0.5 ETH yesterday, hash ${hash}`, 'deposit', eth)?.fit).toBe('exact');
});

test.each([
  ['wd_W7LcehOsg', true],
  ['4fCehOsg', true],
  ['wd_W7Lc…RXrv', true],
  ['wd_W7Lc…RXrx', false],
  ['TXLAQ63', true],
  ['SEmLMEqcdj', true],
  ['TXLAQ63…qcdj', true],
  ['TXLAQ63...qcdj', true],
  ['0xd022f00a', true],
  ['d022f0…a5de', true],
  ['123456', true],
  ['wd_W7Lce', false],
  ['qcdj', false],
  ['000000', false],
  ['completed', true],
  ['complet', false],
])('a payment is found by a part of its ID, hash or address: %s %s', (text, isFound) => {
  const row = {
    ...usdt,
    id: 'wd_W7LcehOsg1234564fCehOsgRXrv',
    amount: '1.000000000000000000',
    status: 'completed',
    tx_hash: '0xd022f00a7a2dcecc95ac4510dedcff06713eba01839d581c19ecae40f8d7a5de',
  };
  expect(find(text, 'withdrawal', row) !== null).toBe(isFound);
});

test('an invalid amount and an invalid row match nothing', () => {
  expect(find('0.5 eth', 'deposit', { ...eth, received_amount: 0.5 })).toBeNull();
});

test.each([
  ['0.5', '0.495', '0.505'],
  ['1250', '1237.5', '1262.5'],
  ['0.000000000000000001', '0.00000000000000000099', '0.00000000000000000101'],
])('1 %% around %s is %s to %s', (amount, least, most) => {
  expect(within1Percent(amount)).toEqual([least, most]);
});

const ACCEPTED: Operation = {
  ...testOperation,
  state: 'succeeded',
  result: { id: 'wd_1', text: '{"status":"failed"}', requestId: null, by: 'answer', confirmed: [] },
};

/** The titles of the offered options. */
function offered(
  text: string,
  found: FoundPayment[],
  {
    notes = NAMES.notes,
    addresses = [],
    held,
    creates = [],
    operations = [ACCEPTED],
    assets = ['ETH', 'USDT'],
    pages = [],
  }: {
    notes?: PaymentNames['notes'];
    addresses?: readonly DepositAddress[];
    held?: FoundPayment;
    creates?: readonly PageLink[];
    operations?: readonly Operation[];
    assets?: readonly string[];
    pages?: readonly PageLink[];
  },
) {
  const wanted = understand(text, { assets, zone: 'utc', now: NOW });
  const searchIndex = {
    names: { ...NAMES, notes },
    recipients: [],
    addresses,
    allAddresses: true,
    operations,
    assets,
    rows: [],
    requests: [],
  };
  const groups = groupsOf({ wanted, searchIndex, pages, creates, zone: 'utc' }, found, held);
  return new Map(groups.map(({ title, options }) => [title, options]));
}

const payment = (n: number, fit: FoundPayment['fit'] = 'exact'): FoundPayment => ({
  kind: 'deposit',
  id: `dep_W7LcehOsg${n}`,
  amount: '7.25',
  asset: 'USDT',
  status: 'completed',
  chain: null,
  address: null,
  fee: null,
  created_at: NOW - n,
  name: null,
  fit,
});

const madeAddress = (label: string): DepositAddress => ({
  id: 'op_1',
  address: ADDRESS,
  label,
  asset: 'USDT',
  chain: 'tron',
  along: [],
  who: null,
  person: null,
  at: NOW,
  revision: 1,
  labelled_by: null,
  labelled_by_person: null,
  labelled_at: null,
});

test('a row without a readable amount or time can’t be compared with a wanted one', () => {
  const compares = (text: string, row: Record<string, unknown>) =>
    isComparable(
      { id: 'dep_1', asset: 'ETH', ...row },
      understand(text, { assets: ['ETH', 'USDT'], zone: 'utc', now: NOW }),
    );
  expect(compares('0.5 ETH', { received_amount: '7' })).toBe(true);
  expect(compares('0.5 ETH', { received_amount: 0.5 })).toBe(false);
  expect(compares('0.5 ETH', { asset: 'USDT' })).toBe(true);
  expect(compares('0.5 ETH 21 Nov', { received_amount: '7', created_at: NOW * 1000 })).toBe(false);
  expect(compares('dep_2', {})).toBe(true);
});

test('the active payment stays in the list when more is found', () => {
  const many = Array.from({ length: 40 }, (_, n) => payment(n));
  const chosen = payment(77);
  const shown = (held?: FoundPayment) =>
    offered('7.25 USDT', many, { ...(held && { held }) })
      .get('Payments')
      ?.map((option) => option.payment?.id);
  expect(shown()).toHaveLength(25);
  expect(shown(chosen)).toEqual([...many.slice(0, 25), chosen].map(({ id }) => id));
  expect(shown(many[3])).toHaveLength(25);
  const named = offered('dep_W7LcehOsg5', [payment(5, 'named')], { held: chosen }).get('Payments');
  expect(named?.map((option) => option.payment?.id)).toEqual([payment(5).id, chosen.id]);
});

test('a page is offered only for a complete ID', () => {
  const labels = (text: string, found: FoundPayment[] = []) =>
    (offered(text, found, {}).get('Go to') ?? []).map((option) => (option.payment ? '' : option.label));
  expect(labels('dep_W7LcehOsg')).toEqual(['Deposit dep_W7LcehOsg']);
  expect(labels('dep_W7LcehOsg', [payment(5, 'named')])).toEqual([]);
  expect(labels('dep_W7LcehOsg5', [payment(5, 'named')])).toEqual(['Deposit dep_W7LcehOsg5']);
  expect(labels('dep_w7lcehosg5', [payment(5, 'named')])).toEqual([]);
  // IDs that were found appear only among the payments.
  expect(labels('dep_W7LcehOsg5 dep_other', [payment(5, 'named')])).toEqual(['Deposit dep_other']);
  expect(labels('dep_W7L…Osg5')).toEqual([]);
  expect(offered('4fCehOsg', [], {}).has('Create')).toBe(false);
});

test('several identifiers are each offered and searched, known addresses first', () => {
  const hash = `0x${'d0'.repeat(32)}`;
  expect(find(`Transaction: ${hash} Payment ID: wd_1`, 'withdrawal', usdt)?.fit).toBe('named');
  expect(find(`From ${ADDRESS} hash ${hash}`, 'withdrawal', { ...usdt, address: '', tx_hash: hash })?.fit).toBe(
    'named',
  );
  expect((offered('dep_A dep_B', [], {}).get('Go to') ?? []).map(({ to }) => to)).toEqual([
    '/deposits/dep_A',
    '/deposits/dep_B',
  ]);
  const addresses = [madeAddress('Jana')];
  const groups = offered(`I paid 50 USDT to ${ADDRESS} on 20 Nov, hash ${hash}`, [], { addresses });
  expect([...groups.keys()][0]).toBe('Addresses');
  expect(groups.get('Addresses')).toMatchObject([{ label: 'Yes, this is your deposit address. Jana' }]);
});

test('an address is ours only if it is spelled correctly for its chain', () => {
  const isOurs = (text: string, made: Partial<DepositAddress> = {}) => {
    const addresses = [{ ...madeAddress('Jana'), ...made }];
    const [option] = offered(text, [], { addresses }).get('Addresses') ?? [];
    return option && !option.payment && option.label.startsWith('Yes,');
  };
  expect(isOurs(ADDRESS)).toBe(true);
  // In base58 a different case is a different or invalid address; look-alikes are listed anyway.
  expect(isOurs(ADDRESS.toLowerCase())).toBe(false);
  const hex = `0x${'aB'.repeat(20)}`;
  expect(isOurs(hex.toLowerCase(), { chain: 'ethereum', address: hex })).toBe(true);
});

const TON = [
  'UQCQZpelevHNsbw5IUtwSa4Cs8kqWww0KsYeDri9kwS18b12',
  'EQCQZpelevHNsbw5IUtwSa4Cs8kqWww0KsYeDri9kwS18eCz',
  '0:906697a57af1cdb1bc39214b7049ae02b3c92a5b0c342ac61e0eb8bd9304b5f1',
];

test.each(TON.flatMap((text) => TON.map((address) => [text, address])))(
  'an account is found by %s where it is written %s',
  (text, address) => {
    const toncoin = { ...usdt, asset: 'TON', chain: 'ton', address };
    expect(find(text, 'withdrawal', toncoin)?.fit).toBe('named');
    expect(find(`Sent 5 TON to ${text}, hash?`, 'deposit', { ...eth, chain: 'ton', to: address })?.fit).toBe('named');
    const made = { ...madeAddress('Jana'), chain: 'ton', address };
    expect(offered(text, [], { addresses: [made] }).get('Addresses')).toMatchObject([
      { label: 'Yes, this is your deposit address. Jana' },
    ]);
    const sent = { ...testOperation, body: withdrawalBody({ ...toncoin, amount: '5' }) };
    expect(offered(text, [], { operations: [sent] }).get('Go to')).toMatchObject([{ to: `/operations/${sent.key}` }]);
  },
);

test('an address label and a recipient’s name are found in any spelling', () => {
  const [one = '', other = ''] = TON;
  const ton = { chain: 'ton', address: one };
  const names = {
    ...NAMES,
    recipients: new Map([[addressKey(ton), 'Toni']]),
    labels: labelsOf([{ ...ton, label: 'Order 5' }]),
  };
  const wanted = understand(other, { assets: [], zone: 'utc', now: NOW });
  expect(paymentIn('withdrawal', { ...usdt, chain: 'ton', address: other }, wanted, names, 'utc')?.name).toBe('Toni');
  expect(paymentIn('deposit', { ...eth, chain: 'ton', to: other }, wanted, names, 'utc')?.name).toBe('Order 5');
});

test('every pasted address is identified', () => {
  const all = Array.from({ length: 9 }, (_, n) => `${ADDRESS.slice(0, -1)}${n + 1}`);
  const addresses = all.map((address, n) => ({ ...madeAddress(''), address, id: `op_${n}` }));
  expect(offered(all.join(' '), [], { addresses }).get('Addresses')).toHaveLength(9);
});

test('an operation shows the state of its request, and its note leads to it until its payment is known', () => {
  expect(offered('wd_1', [], {}).get('Go to')?.at(-1)).toMatchObject({ detail: 'Accepted by the provider' });
  const note = { kind: 'operation' as const, id: 'key-2', reference: 'PO-4711', note: '' };
  const notes = new Map([['operation:key-2', note]]);
  expect(offered('po-4711', [], { notes }).get('Go to')).toMatchObject([
    { to: '/operations/key-2', detail: 'PO-4711' },
  ]);
  const paid = new Map([['withdrawal:wd_2', note]]);
  expect(offered('po-4711', [], { notes: paid }).get('Go to')).toMatchObject([
    { to: '/withdrawals/wd_2', detail: 'PO-4711' },
  ]);
});
