import { describe, expect, it } from 'vitest';
import { step } from './engine.ts';
import { fromRow, toRow } from './stored.ts';
import { T0, created, record } from './testWorld.ts';

/** As the first version of this app wrote it, checksums and all. */
const VERSION_1 = {
  schema: 1,
  id: 'op_1',
  kind: 'withdrawal',
  service: 'sandbox',
  account: 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa',
  key: 'key-1',
  path: '/v1/withdrawals',
  body: '{"asset":"BTC","chain":"bitcoin","amount":"0.75000000","address":"bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4"}',
  firstSentAt: 1_790_000_000,
  attempts: [
    {
      id: 'at_2',
      start: 1_790_000_000_000,
      end: 1_790_000_000_000,
      date: 1_790_000_000,
      by: 'person',
      because: null,
      from: { state: 'ready' },
      outcome: 'success',
      late: false,
      status: 201,
      requestId: 'req_1',
      replayed: false,
      lost: null,
      gatewayError: null,
      contentType: 'application/json',
      errorType: null,
      errorCode: null,
      errorMessage: null,
      resultId: 'wd_1',
    },
  ],
  state: 'succeeded',
  secondSendOf: [],
  revision: 2,
  result: { id: 'wd_1', text: '{"id":"wd_1"}', requestId: 'req_1', by: 'answer', confirmed: [] },
  endedAt: 1_790_000_000,
  checksum: '68a0d1c4489ef6426e431afcd8a592e886e5dee2dad6fdfd7f3353946c05551a',
  gist: {
    service: 'sandbox',
    account: 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa',
    firstSentAt: 1_790_000_000,
    destination: '["btc","bitcoin","bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4"]',
    checksum: '3e5efcb9bc51f2157d210d29f3e93d9a01c1730bf4abf91afdf6699674929754',
  },
};

describe('a row of version 1', () => {
  it('reads as a record of today, and is written as one', () => {
    const { checksum, gist, ...fields } = VERSION_1;
    const read = fromRow(VERSION_1);
    expect(read).toEqual({ record: { ...fields, schema: 2 } });
    if (!('record' in read)) return;
    const object = { id: 'wd_1', text: JSON.stringify(created()), requestId: null, date: T0 };
    const next = step(read.record, { type: 'checked', object }).record;
    expect(next).toMatchObject({ schema: 2, revision: 3, result: { confirmed: { length: 4 } } });
    const row = toRow(next ?? read.record);
    expect(fromRow(row)).toEqual({ record: next });
    expect(row).not.toHaveProperty('checksum', checksum);
    expect(row).toHaveProperty('gist', gist);
  });

  it('is damaged like any other', () => {
    expect(fromRow({ ...VERSION_1, key: 'key-2' })).toMatchObject({ damaged: { why: 'checksum' } });
    expect(fromRow({ ...VERSION_1, schema: 0 })).toMatchObject({ damaged: { why: 'schema' } });
    expect(fromRow({ ...VERSION_1, schema: 2 })).toMatchObject({ damaged: { why: 'checksum' } });
  });
});

describe('a row of a newer version', () => {
  it('is set aside, and blocks what it names', () => {
    const row = { ...toRow(record()), schema: 3, kind: 'swap', colour: 'red' };
    expect(fromRow(row)).toMatchObject({
      damaged: { why: 'newer-version', service: 'sandbox', firstSentAt: T0, blocks: { length: 1 } },
    });
  });
});

describe('the body', () => {
  it('may be written as an earlier build wrote it, and stays as it is', () => {
    const { asset, chain, amount, address } = JSON.parse(record().body) as Record<string, string>;
    const body = JSON.stringify({ address, amount, chain, asset, memo: '1' }, null, 1);
    const read = fromRow(toRow(record({ body })));
    expect(read).toEqual({ record: record({ body }) });
  });

  it.each(['garbage', '[]', '{"asset":"BTC"}', ''])('%j is none of a withdrawal', (body) => {
    expect(fromRow(toRow(record({ body })))).toMatchObject({ damaged: { why: 'schema' } });
  });

  it('is of its kind and path', () => {
    const kinds = [
      record({ kind: 'deposit-address', path: '/v1/deposits', body: '{"asset":"BTC","chain":"bitcoin"}' }),
      record({ kind: 'charge', path: '/v1/charges', body: '{"any":1}' }),
      record({ kind: 'webhook-replay', path: '/v1/webhook-deliveries/whd_1/replay', body: '{}' }),
    ];
    for (const each of kinds) {
      expect(fromRow(toRow(each))).toEqual({ record: each });
      expect(fromRow(toRow({ ...each, path: '/v1/withdrawals' }))).toMatchObject({ damaged: { why: 'schema' } });
    }
  });
});
