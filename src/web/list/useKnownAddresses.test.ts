import { QueryClient } from '@tanstack/react-query';
import { afterEach, expect, test } from 'vitest';
import { setTransport } from '#src/web/api/http.ts';
import { earlierWithdrawals } from './useKnownAddresses.ts';

afterEach(() => setTransport(null));

test.each([400, 404])(
  'whom the first withdrawals paid is known although the next page is refused with %i',
  async (status) => {
    const refusal = { error: { type: 't', code: 'not_found', message: 'gone', request_id: 'req_1' } };
    const data = [{ id: 'wd_1', asset: 'ETH', chain: 'ethereum', address: '0xabc', created_at: 1_790_000_000 }];
    const list = { object: 'list', data, has_more: true, next_cursor: 'wd_1' };
    setTransport((path) => {
      const isFirst = !path.includes('starting_after');
      return Promise.resolve(isFirst ? Response.json(list) : Response.json(refusal, { status }));
    });
    const read = await new QueryClient().fetchQuery(earlierWithdrawals('acct'));
    expect(read).toMatchObject({ uses: [{ address: '0xabc' }], count: 1, complete: false });
    setTransport(() => Promise.resolve(Response.json(refusal, { status })));
    const none = new QueryClient({ defaultOptions: { queries: { retry: false } } });
    await expect(none.fetchQuery(earlierWithdrawals('acct'))).rejects.toMatchObject({ status });
  },
);
