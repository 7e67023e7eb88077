import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { expect, test, vi } from 'vitest';
import { setTransport } from './http.ts';
import { signOutMutation } from './signOut.ts';

/** A sign-out while a query reads; `answer` is the server's to the sign-out. */
async function signOutWhileReading(answer: () => Response) {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const events: string[] = [];
  const observer = new QueryObserver(client, {
    queryKey: ['a'],
    queryFn: ({ signal }) => {
      events.push('read');
      signal.addEventListener('abort', () => events.push('cancelled'));
      return new Promise(() => undefined);
    },
  });
  const leave = observer.subscribe(() => undefined);
  setTransport(async () => {
    events.push('sign-out');
    return answer();
  });
  const mutation = client.getMutationCache().build(client, signOutMutation(client));
  const result = await mutation.execute(undefined).then(
    () => 'done',
    () => 'failed',
  );
  return { events, result, leave };
}

test('reads under way are cancelled before the session ends', async () => {
  const { events, result, leave } = await signOutWhileReading(() => new Response(null, { status: 204 }));
  expect(events).toEqual(['read', 'cancelled', 'sign-out']);
  expect(result).toBe('done');
  leave();
});

test('cancelled reads are repeated when the sign-out fails', async () => {
  const { events, result, leave } = await signOutWhileReading(() => new Response('no', { status: 500 }));
  expect(result).toBe('failed');
  await vi.waitFor(() => expect(events).toEqual(['read', 'cancelled', 'sign-out', 'read']));
  leave();
});
