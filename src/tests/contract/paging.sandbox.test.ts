import { describe, expect, test } from 'vitest';
import { accountWith, addDeposit, advance, BTC, ETH, newAccount } from './controls.ts';
import { expectError } from './examples.ts';
import type { Item } from './http.ts';
import { all, distinctIds } from './walk.ts';

describe('paging while deposits arrive', () => {
  test('every deposit that was there is met once, none twice, and the newest are at the top afterwards', async () => {
    const account = await newAccount({ deposits: 60, assets: 3 });
    const before = distinctIds(await all(account, '/v1/deposits'));
    const seen: Item[] = [];
    for (let cursor = ''; ;) {
      const after: string = cursor === '' ? '' : `&starting_after=${encodeURIComponent(cursor)}`;
      const page = await account.page(`/v1/deposits?limit=10${after}`);
      seen.push(...page.data);
      await addDeposit(account, { ...BTC, status: 'pending' });
      if (page.next_cursor === null) break;
      cursor = page.next_cursor;
    }
    expect(distinctIds(seen)).toEqual(before);
    const after = distinctIds(await all(account, '/v1/deposits'));
    expect(after.slice(6)).toEqual(before);
  });

  test('a reconciliation worker meets each new deposit exactly once (4.5 rule 5)', async () => {
    const account = await newAccount({ deposits: 20 });
    const processed: Item[] = [];
    const run = async (): Promise<number> => {
      let count = 0;
      for (;;) {
        const last = processed.at(-1)?.id;
        const after = last === undefined ? '' : `&starting_after=${last}`;
        const page = await account.page(`/v1/deposits?order=asc&limit=7${after}`);
        processed.push(...page.data);
        count += page.data.length;
        if (!page.has_more) return count;
      }
    };
    expect(await run()).toBe(20);
    expect(await run()).toBe(0);
    for (let index = 0; index < 9; index += 1) await addDeposit(account, { ...ETH, status: 'pending' });
    await advance(account, 60);
    expect(await run()).toBe(9);
    expect(distinctIds(processed)).toEqual(distinctIds(await all(account, '/v1/deposits', { order: 'asc' })));
  });
});

describe('a fresh account', () => {
  test('holds nothing, and says so', async () => {
    const account = await accountWith();
    for (const list of ['deposits', 'withdrawals', 'balances', 'ledger-entries']) {
      expect(await account.page(`/v1/${list}`)).toEqual({
        object: 'list',
        data: [],
        has_more: false,
        next_cursor: null,
      });
    }
    expectError(await account.get('/v1/balances/BTC'), 404, 'not_found');
  });

  test('with 300 deposits on 7 assets has that many', async () => {
    const account = await newAccount({ deposits: 300, assets: 7 });
    const deposits = await all(account, '/v1/deposits');
    expect(distinctIds(deposits)).toHaveLength(300);
    expect(new Set(deposits.map((deposit) => deposit.asset)).size).toBe(7);
    expect(await all(account, '/v1/balances')).toHaveLength(7);
  });
});
