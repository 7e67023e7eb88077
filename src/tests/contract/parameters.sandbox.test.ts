import { beforeAll, describe, test } from 'vitest';
import { newAccount, type Account } from './controls.ts';
import { expectError } from './examples.ts';

const BAD: [parameter: string, ...values: string[]][] = [
  ['limit', '0', '101', '-1', '1.5', 'abc', '', '%2025', '1e1', '0x10', '99999999999999999999'],
  ['starting_after', '', 'nonsense', 'dep_unknown', '%00', 'eyJpZCI6MX0', 'x'.repeat(4000)],
  ['ending_before', '', 'nonsense', 'dep_unknown', '%00'],
  ['created_after', 'abc', '', '1.5', '1e9', '99999999999999999999999999'],
  ['created_before', 'yesterday', '', '2026-11-21', '0x1', 'NaN'],
  ['order', 'sideways', '', 'ASC%00'],
];

describe('every parameter is checked, each fault a 400 that names it', () => {
  let account: Account;
  beforeAll(async () => {
    account = await newAccount({ deposits: 3 });
  });

  test.each(BAD)('%s', async (parameter, ...values) => {
    for (const path of ['/v1/deposits', '/v1/withdrawals', '/v1/ledger-entries']) {
      for (const value of values) {
        const answer = await account.get(`${path}?${parameter}=${value}`);
        expectError(answer, 400, 'invalid_request_error', parameter);
      }
    }
  });

  test('limit and cursors of the balances too', async () => {
    for (const [parameter, ...values] of BAD.slice(0, 3)) {
      for (const value of values) {
        expectError(await account.get(`/v1/balances?${parameter}=${value}`), 400, 'invalid_request_error', parameter);
      }
    }
  });

  test('a parameter given twice, or both cursors at once', async () => {
    const [first, second] = (await account.page('/v1/deposits')).data.map((deposit) => deposit.id);
    expectError(await account.get('/v1/deposits?limit=1&limit=2'), 400, 'invalid_request_error', 'limit');
    const both = `starting_after=${first}&ending_before=${second}`;
    expectError(await account.get(`/v1/deposits?${both}`), 400, 'invalid_request_error', 'ending_before');
  });

  test('a cursor of another account is refused, and reveals nothing of it', async () => {
    const other = await newAccount({ deposits: 3 });
    const { data, next_cursor } = await other.page('/v1/deposits?limit=1');
    for (const cursor of [data[0]?.id ?? '', next_cursor ?? '']) {
      const answer = await account.get(`/v1/deposits?starting_after=${encodeURIComponent(cursor)}`);
      expectError(answer, 400, 'invalid_request_error', 'starting_after');
    }
  });
});
