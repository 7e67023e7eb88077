import { QueryObserver } from '@tanstack/react-query';
import { expect, test, vi } from 'vitest';
import { queryClient } from './queryClient.ts';

test('a request that failed before its page rendered is repeated only when the page is opened again', async () => {
  const queryFn = vi.fn<() => Promise<string>>().mockRejectedValue(new Error('500'));
  const options = { queryKey: ['balances'], queryFn };
  await queryClient.prefetchQuery(options);
  const observer = new QueryObserver(queryClient, options);
  const leave = observer.subscribe(() => undefined);
  expect(observer.getCurrentResult().status).toBe('error');
  expect(queryFn).toHaveBeenCalledTimes(1);
  leave();
  queryFn.mockResolvedValue('read');
  const back = new QueryObserver(queryClient, options);
  back.subscribe(() => undefined);
  await vi.waitFor(() => expect(back.getCurrentResult().data).toBe('read'));
});
