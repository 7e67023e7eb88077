import { describe, expect, test } from 'vitest';
import type { EarlierBatch, ReviewedLine } from '#src/shared/contract/batchContract.ts';
import { checkAddress } from '#src/shared/chains/chains.ts';
import { knownAddresses, type AddressUse } from '#src/shared/operations/knownAddresses.ts';
import type { BatchPayment } from './batchPayments.ts';
import { testReviewedLine } from './testReviewedLine.ts';
import {
  needsAttention,
  needsTick,
  repeatedPayments,
  reviewPayments,
  confirmationKey,
  tickOfRepeated,
  type UnusualContext,
} from './unusual.ts';

const ACME = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const BERTA = '0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB';

function payment(line: number, change: Partial<BatchPayment['fields']> = {}): BatchPayment {
  return {
    line,
    fields: { asset: 'USDT', chain: 'ethereum', amount: '100', address: ACME, ...change },
    recipient: 'Acme',
    reference: null,
    savedElsewhere: [],
    savedAs: null,
  };
}

const use = (change: Partial<AddressUse> = {}): AddressUse => ({
  source: 'service',
  id: 'wd_1',
  chain: 'ethereum',
  address: ACME,
  asset: 'USDT',
  amount: '100',
  at: 1_795_000_000,
  status: 'completed',
  ...change,
});

function contextOf(change: Partial<UnusualContext> = {}, uses: readonly AddressUse[] = [use()]): UnusualContext {
  return {
    known: knownAddresses([], uses),
    areKnown: true,
    ownDeposit: () => null,
    held: ['USDT'],
    fits: () => true,
    checkAddress,
    reviewed: { lines: [] },
    dateWords: () => '25 Nov',
    amountsHidden: false,
    ...change,
  };
}

const reviewedLine = (change: Partial<ReviewedLine>): { reviewed: { lines: ReviewedLine[] } } => ({
  reviewed: { lines: [testReviewedLine(2, change)] },
});

function unusualOf(payments: readonly BatchPayment[], context: UnusualContext) {
  return reviewPayments(payments, context).map(({ unusual }) => unusual.map(({ kind, words }) => `${kind}: ${words}`));
}

test('a payment like the ones before is not unusual', () => {
  expect(
    unusualOf(
      [payment(2), payment(3, { address: BERTA })],
      contextOf({}, [use(), use({ address: BERTA, id: 'wd_2' })]),
    ),
  ).toEqual([[], []]);
});

describe('unusual is', () => {
  test('the first payment to an address, and one after a failed one', () => {
    expect(unusualOf([payment(2)], contextOf({}, []))).toEqual([['first: First payment to this address.']]);
    expect(unusualOf([payment(2)], contextOf({ areKnown: false }, []))).toEqual([
      ['first: First payment to this address, as far as we know.'],
    ]);
    expect(unusualOf([payment(2)], contextOf({}, [use({ chain: 'polygon' })]))).toEqual([
      ['first: First payment to this address. It is known on Polygon, not on Ethereum.'],
    ]);
    expect(unusualOf([payment(2)], contextOf({}, [use({ status: 'failed' })]))).toEqual([
      ['first: The last payment to this address failed.'],
    ]);
  });

  test('more than twice the last payment of the asset, not twice', () => {
    const context = contextOf();
    expect(unusualOf([payment(2, { amount: '200.00' })], context)).toEqual([[]]);
    expect(unusualOf([payment(2, { amount: '200.000001' })], context)).toEqual([
      ['much: More than twice the last payment (100 USDT).'],
    ]);
    expect(unusualOf([payment(2, { amount: '201' })], { ...context, amountsHidden: true })).toEqual([
      ['much: More than twice the last payment (••••• USDT).'],
    ]);
  });

  test('an unknown last amount gives a note, and nothing to confirm', () => {
    for (const before of [use({ asset: 'ETH' }), use({ amount: null })]) {
      const [reviewed] = reviewPayments([payment(2, { amount: '201' })], contextOf({}, [before]));
      expect(reviewed?.unusual).toEqual([]);
      expect(reviewed?.remarks).toEqual(['The last amount in USDT isn’t known, so this one wasn’t compared.']);
    }
  });

  test('the same address twice in the file, in each of its lines', () => {
    const [first, second, third] = reviewPayments([payment(2), payment(3), payment(4)], contextOf());
    expect(first?.unusual.map(({ words }) => words)).toEqual(['Lines 3 and 4 pay the same address.']);
    expect([first, second, third].map((each) => each?.earlierLines)).toEqual([0, 1, 2]);
    expect(third?.secondSendOf).toEqual([]);
  });

  test('many lines to one address, of which only some are named', () => {
    const payments = Array.from({ length: 9 }, (_, at) => payment(at + 2));
    expect(reviewPayments(payments, contextOf())[0]?.unusual.map(({ words }) => words)).toEqual([
      'Lines 3, 4, 5, 6, 7 and 3 others pay the same address.',
    ]);
  });

  test('an address that looks like another one of the file', () => {
    const alike = `0x5aae${'1234567890abcdef'.repeat(2)}eaed`;
    const both = unusualOf(
      [payment(2), payment(3, { address: alike })],
      contextOf({}, [use(), use({ id: 'wd_2', address: alike })]),
    );
    expect(both).toEqual([
      ['imitation: It begins and ends like the address of line 3, and is another one.'],
      ['imitation: It begins and ends like the address of line 2, and is another one.'],
    ]);
  });

  test('another address than the saved one, and another name', () => {
    const changed = { ...payment(2), savedElsewhere: [{ chain: 'ethereum', address: BERTA }], savedAs: 'Berta' };
    expect(unusualOf([changed], contextOf())).toEqual([
      [
        'changed: Another address than the saved one (0xdbF03…C6FB on Ethereum). Ask the recipient.',
        'saved-as: This address is saved as “Berta”.',
      ],
    ]);
  });

  test('an asset, chain or address that a form would warn of', () => {
    const context = contextOf({ fits: () => false, ownDeposit: () => ({}) });
    expect(unusualOf([payment(2, { asset: 'usdt' })], context)).toEqual([
      [
        'own-address: This is your own deposit address: it costs a fee and comes back as a deposit.',
        'asset: You hold “USDT”. Codes are case-sensitive.',
        'chain: usdt isn’t known on Ethereum. Ask the recipient.',
      ],
    ]);
  });
});

describe('findings of the server', () => {
  const send = {
    source: 'journal',
    id: 'key-1',
    count: null,
    amount: '100',
    createdAt: 1_795_000_000,
    status: 'succeeded',
  } as const;

  test('a repeat and an unresolved payment are unusual, another amount is a note', () => {
    const repeat = unusualOf([payment(2)], contextOf(reviewedLine({ of: [send], existing: 'key-0' })));
    expect(repeat).toEqual([
      [
        'unresolved: A payment to this recipient isn’t resolved yet. This one waits until it is.',
        'repeat: Paid before: 100 USDT on 25 Nov (succeeded).',
      ],
    ]);
    const [both] = reviewPayments([payment(2)], contextOf(reviewedLine({ of: [send], existing: 'key-0' })));
    expect(both?.secondSendOf).toEqual(['key-0', 'key-1']);
    const [other] = reviewPayments([payment(2)], contextOf(reviewedLine({ of: [{ ...send, amount: '5' }] })));
    expect(other).toMatchObject({
      unusual: [],
      remarks: ['Paid another amount once in the last 24 hours.'],
      secondSendOf: ['key-1'],
    });
    const closed = { ...send, amount: '5', status: 'closed' };
    const [unknown] = reviewPayments([payment(2)], contextOf(reviewedLine({ of: [closed] })));
    expect(unknown).toMatchObject({
      unusual: [],
      remarks: ['Another amount was sent on 25 Nov and closed manually. Whether it was paid isn’t known.'],
      secondSendOf: ['key-1'],
    });
  });

  test('earlier batches are unusual, a used reference refuses the line', () => {
    const batches = [{ id: 'b-1', at: 0, who: null, person: null }];
    const [line] = reviewPayments([payment(2)], contextOf(reviewedLine({ batches, reference: 'key-9' })));
    expect(line?.unusual).toMatchObject([
      {
        kind: 'earlier-batch',
        words: 'The same amount to this recipient is also in the batch of 25 Nov.',
        batch: 'b-1',
      },
    ]);
    expect(line?.usedReference).toBe('key-9');
  });

  test('payments of earlier batches are confirmed together, unless something else is unusual about one', () => {
    const older: EarlierBatch = { id: 'b-1', at: 1, who: null, person: null };
    const newer: EarlierBatch = { id: 'b-2', at: 2, who: 'Ada', person: null };
    const reviewed = (batches: EarlierBatch[], uses?: AddressUse[]) =>
      reviewPayments([payment(2)], contextOf(reviewedLine({ batches }), uses));
    const [line] = reviewed([older, newer]);
    expect(line && [needsTick(line), needsAttention(line)]).toEqual([false, false]);
    expect(repeatedPayments(reviewed([older, newer]))).toEqual({ payments: [line], batches: [newer, older] });
    expect(repeatedPayments(reviewed([]))).toBeNull();
    const [first] = reviewed([older], []);
    expect(first && [needsTick(first), needsAttention(first)]).toEqual([true, true]);
    // A confirmation is gone once another batch has the payment as well.
    const ticks = [[older], [older, newer]].map((batches) => {
      const repeated = repeatedPayments(reviewed(batches));
      return repeated && tickOfRepeated(repeated);
    });
    expect(new Set(ticks).size).toBe(2);
  });

  test('a payment that waits for approval is reported as waiting, whatever its amount', () => {
    const waiting = { ...send, status: 'awaiting', amount: '5' };
    const [line] = reviewPayments([payment(2)], contextOf(reviewedLine({ of: [waiting] })));
    expect(line?.unusual.map(({ words }) => words)).toEqual([
      'Another payment to this recipient waits for approval: 5 USDT.',
    ]);
    expect(line?.remarks).toEqual([]);
  });

  test('a payment that was rejected before shows the reason, and needs no tick by itself', () => {
    const rejected = { key: 'key-5', by: 'reject', words: 'Wrong amount', who: 'Cy', person: null, at: 0 } as const;
    const refused_before = [rejected, { ...rejected, key: 'key-6', by: 'discard', words: '' } as const];
    const [line] = reviewPayments([payment(2)], contextOf(reviewedLine({ refused_before })));
    expect(line?.unusual).toMatchObject([
      { kind: 'rejected-before', words: 'The same payment was withdrawn before (25 Nov).', operation: 'key-6' },
      { words: 'The same payment was rejected before (25 Nov): “Wrong amount”.', operation: 'key-5' },
    ]);
    expect(line && needsTick(line)).toBe(false);
    const [first] = reviewPayments([payment(2)], contextOf(reviewedLine({ refused_before }), []));
    expect(first && needsTick(first)).toBe(true);
  });

  test('a recipient that got another name or address needs a tick', () => {
    const context = contextOf(reviewedLine({ recipient_changed: true }));
    const [line] = reviewPayments([payment(2)], context);
    expect(line?.unusual.map(({ words }) => words)).toEqual([
      'This recipient was confirmed with another name or address before.',
    ]);
    expect(line && needsTick(line)).toBe(true);
    const savedElsewhere = [{ chain: 'tron', address: BERTA }];
    const [other] = reviewPayments([{ ...payment(2), savedElsewhere }], context);
    expect(other?.unusual.map(({ kind }) => kind)).toEqual(['changed']);
  });

  test('a tick is void once it would confirm something else', () => {
    const tick = (of: (typeof send)[]): string => {
      const [line] = reviewPayments([payment(2)], contextOf(reviewedLine({ of })));
      return line ? confirmationKey(line) : '';
    };
    expect(tick([send])).toBe(tick([{ ...send }]));
    expect(tick([send])).not.toBe(tick([send, { ...send, id: 'key-2' as 'key-1' }]));
    expect(tick([send])).not.toBe(tick([]));
  });
});
