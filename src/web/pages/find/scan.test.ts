import { afterEach, expect, test } from 'vitest';
import { setTransport } from '#src/web/api/http.ts';
import { newScan, type Scan, scanOn } from './scan.ts';

afterEach(() => setTransport(null));

/** The result of searching both lists if requests that match `refused` get this response. */
async function scanWhere(refused: RegExp, answer: () => Response): Promise<Scan | 'failed'> {
  setTransport((path) => {
    if (refused.test(path)) return Promise.resolve(answer());
    const isFirst = !path.includes('starting_after');
    const data = [{ id: isFirst ? 'a' : 'b', asset: 'ETH' }];
    return Promise.resolve(
      Response.json({ object: 'list', data, has_more: isFirst, next_cursor: isFirst ? 'a' : null }),
    );
  });
  let scan = newScan(['deposit', 'withdrawal']);
  const of = { account: 'acct', filters: {}, match: () => null, isComparable: () => true };
  const scanning = scanOn(scan, of, new AbortController().signal, (next) => {
    scan = next;
  });
  return scanning.then(
    () => scan,
    () => 'failed',
  );
}

const notFound = () =>
  Response.json({ error: { type: 'invalid_request_error', code: 'not_found', message: 'no' } }, { status: 404 });
const portal = () => new Response('<html>', { status: 404, headers: { 'Content-Type': 'text/html' } });

test('a list is not offered only if the service itself says so for the first page', async () => {
  const ends = async (refused: RegExp, answer: () => Response) => {
    const scan = await scanWhere(refused, answer);
    return scan === 'failed' ? scan : scan.covered.map(({ end }) => end);
  };
  expect(await ends(/withdrawals/, notFound)).toEqual(['all', 'not-offered']);
  expect(await ends(/withdrawals/, portal)).toEqual(['all', 'not-offered']);
  expect(await ends(/withdrawals.*starting_after/, notFound)).toBe('failed');
  expect(await ends(/deposits/, portal)).toBe('failed');
  expect(await ends(/deposits.*starting_after/, notFound)).toBe('failed');
});

test('rows that can’t be compared are counted, on every page', async () => {
  setTransport((path) => {
    const isFirst = !path.includes('starting_after');
    const data = isFirst ? [{ id: 7, asset: 'ETH' }, { id: 'a' }] : [{ id: 'b', received_amount: '1' }];
    return Promise.resolve(
      Response.json({ object: 'list', data, has_more: isFirst, next_cursor: isFirst ? 'a' : null }),
    );
  });
  let scan = newScan(['deposit']);
  const of = {
    account: 'acct',
    filters: {},
    match: () => null,
    isComparable: (row: object) => 'received_amount' in row && row.received_amount !== undefined,
  };
  await scanOn(scan, of, new AbortController().signal, (next) => {
    scan = next;
  });
  expect(scan.covered).toMatchObject([{ rows: 3, unsearchable: 2, end: 'all' }]);
});
