import { QueryClient } from '@tanstack/react-query';
import { afterEach, expect, test } from 'vitest';
import { allDepositAddresses } from './depositAddresses.ts';
import { setTransport } from './http.ts';

afterEach(() => setTransport(null));

const made = { id: 'k', asset: 'BTC', chain: 'bitcoin', address: 'bc1q', along: [], who: null, at: 1 };
const label = { label: '', revision: 0, labelled_by: null, labelled_at: null };

function readFrom(more: object) {
  const body = JSON.stringify({ object: 'list', data: [{ ...made, ...label }], next_cursor: null, ...more });
  setTransport(() => Promise.resolve(new Response(body, { headers: { 'Content-Type': 'application/json' } })));
  return new QueryClient().fetchQuery(allDepositAddresses('a'));
}

test('the list of addresses made here is complete only if the server says so', async () => {
  expect(await readFrom({ has_more: false })).toMatchObject({ all: [made], complete: true });
  for (const more of [{}, { has_more: null }, { has_more: true }])
    expect(await readFrom(more)).toMatchObject({ all: [made], complete: false });
});
