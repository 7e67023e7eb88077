import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { knownAddresses } from '#src/shared/operations/knownAddresses.ts';
import { REVIEW_PATH } from '#src/shared/serverPaths.ts';
import { setTransport } from '#src/web/api/http.ts';
import { approvalNeedQuery, TYPING_PAUSE_MS } from './useApprovalNeed.ts';

const ADA = { account: 'acct', person: { id: 'per_ada', name: 'Ada' } };
const TYPED = { asset: 'ETH', chain: 'ethereum', amount: '2', address: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed' };
const KNOWN = { settled: () => Promise.resolve(knownAddresses([], [])) };
const NEED = { needs: 1, why: ['first payment to this address'] };
const REVIEWED = { existing: null, of: [], now: 1, listed: 'listed', approval: NEED };

let asked: string[] = [];
let answer: () => Response;
beforeEach(() => {
  vi.useFakeTimers();
  asked = [];
  answer = () => Response.json(REVIEWED);
  setTransport((path, init) => {
    asked.push(`${path} ${typeof init.body === 'string' ? init.body : ''}`);
    return Promise.resolve(answer());
  });
});
afterEach(() => setTransport(null));

/** The text shown after these were typed one after the other, followed by a pause. */
async function afterTyping(...typed: (typeof TYPED)[]) {
  return afterTypingAs(ADA, ...typed);
}

async function afterTypingAs(session: Parameters<typeof approvalNeedQuery>[0], ...typed: (typeof TYPED)[]) {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const [first = TYPED, ...others] = typed;
  const observer = new QueryObserver(client, approvalNeedQuery(session, first, KNOWN));
  const stop = observer.subscribe(() => undefined);
  for (const next of others) {
    await vi.advanceTimersByTimeAsync(TYPING_PAUSE_MS - 1);
    observer.setOptions(approvalNeedQuery(session, next, KNOWN));
  }
  await vi.advanceTimersByTimeAsync(TYPING_PAUSE_MS);
  vi.useRealTimers();
  // The rules of an address are loaded when they are first needed.
  await vi.waitFor(() => expect(observer.getCurrentResult().fetchStatus).toBe('idle'), 10_000);
  const { data, status } = observer.getCurrentResult();
  stop();
  return { data, status };
}

test('the server is asked once the person has stopped typing, with exactly the request of the later review', async () => {
  const { data } = await afterTyping({ ...TYPED, amount: '1' }, { ...TYPED, amount: '12' }, TYPED);
  expect(data).toEqual(NEED);
  const payment = JSON.stringify({ kind: 'withdrawal', path: '/v1/withdrawals', body: JSON.stringify(TYPED) });
  expect(asked).toEqual([`${REVIEW_PATH} ${payment}`]);
});

test.each([
  ['an empty amount', { amount: ' ' }],
  ['an invalid amount', { amount: '1e5' }],
  ['an address of another chain', { address: 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4' }],
])('%s asks the server nothing', async (_, fields) => {
  expect((await afterTyping({ ...TYPED, ...fields })).data ?? null).toBeNull();
  expect(asked).toEqual([]);
});

test('with SIGN_IN=key the server isn’t asked, because no payment needs approval', async () => {
  await afterTypingAs({ account: 'acct', person: null }, TYPED);
  expect(asked).toEqual([]);
});

test('nothing is shown without a response', async () => {
  answer = () => Response.json({}, { status: 503 });
  expect(await afterTyping(TYPED)).toEqual({ data: undefined, status: 'error' });
});
