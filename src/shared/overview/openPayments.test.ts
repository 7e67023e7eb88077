import { beforeEach, expect, test } from 'vitest';
import { pageEnd } from '#src/shared/paging/nextStep.ts';
import { withParams } from '#src/shared/searchParams.ts';
import { eachPaymentOnce, openPaymentsOf, readStatus, withStatusless } from './openPayments.ts';
import { paymentOf } from './payment.ts';

const NOW = 1_790_000_000;
const HOUR = 3600;
const row = (id: string, status: string, age: number) => ({ id, status, asset: 'ETH', created_at: NOW - age });

class Refused extends Error {
  readonly status = 400;
}

let requests: string[] = [];
const pages = new Map<string, { status?: number; data?: { id: string }[]; next?: string }>();
beforeEach(() => {
  requests = [];
  pages.clear();
});

async function load(...statuses: string[]) {
  const reader = {
    page: async (filters: object, cursor: string | null) => {
      const query = withParams(new URLSearchParams('limit=100'), { ...filters, starting_after: cursor ?? undefined });
      const path = `/v1/deposits?${query.toString()}`;
      requests.push(path);
      const { status = 200, data = [], next = null } = pages.get(path) ?? {};
      if (status !== 200) throw new Refused();
      const end = pageEnd({ has_more: next !== null, next_cursor: next });
      return { data: data.map((row) => paymentOf('deposit', row)), ...end, requestId: null, date: NOW, readAt: NOW };
    },
    isRefusal: (error: unknown) => error instanceof Refused,
  };
  const reads = await Promise.all(statuses.map((status) => readStatus('deposit', status, reader)));
  return openPaymentsOf(reads, NOW);
}

const PENDING = '/v1/deposits?limit=100&status=pending&order=asc';

test('pending payments are read oldest first, until they are too new to be stuck', async () => {
  pages.set(PENDING, { data: [row('dep_1', 'pending', 3 * HOUR)], next: 'a' });
  pages.set(`${PENDING}&starting_after=a`, { data: [row('dep_2', 'pending', HOUR / 2)], next: 'b' });
  const { open, partly } = await load('pending');
  expect(open.map(({ id }) => id)).toEqual(['dep_1', 'dep_2']);
  // The rest is newer: the status is complete without reading to the end of the list.
  expect(partly).toEqual([]);
  expect(requests).toHaveLength(2);
});

test('a status with more old rows than are read, or with broken paging, is reported as partly read', async () => {
  for (let at = 0; at < 6; at += 1)
    pages.set(PENDING + (at === 0 ? '' : `&starting_after=c${at}`), {
      data: [row(`dep_${at}`, 'pending', 9 * HOUR)],
      next: `c${at + 1}`,
    });
  const many = await load('pending');
  expect(many.partly).toEqual([{ status: 'pending', reason: null }]);
  pages.set(`${PENDING}&starting_after=c1`, { next: 'c1' });
  const broken = await load('pending');
  expect(broken.partly[0]?.reason).toMatch(/same cursor twice/);
});

test('a payment that comes twice, or changes its status between two reads, counts once', async () => {
  pages.set(PENDING, { data: [row('dep_1', 'pending', 3 * HOUR), row('dep_2', 'pending', 3 * HOUR)], next: 'a' });
  pages.set(`${PENDING}&starting_after=a`, { data: [row('dep_2', 'pending', 3 * HOUR)] });
  pages.set('/v1/deposits?limit=100&status=failed', { data: [row('dep_1', 'failed', 3 * HOUR)] });
  const { open, failed } = await load('pending', 'failed');
  expect(open.map(({ id }) => id)).toEqual(['dep_2']);
  expect(failed.map(({ id }) => id)).toEqual(['dep_1']);
});

test('of a payment in two reads, the later one counts', () => {
  const readAt = (at: number, status: string) => ({
    status,
    rows: [paymentOf('deposit', row('dep_1', status, HOUR))],
    meta: { requestId: null, date: at, readAt: at },
    partly: null,
    readTo: null,
    refusal: null,
  });
  const payments = eachPaymentOnce([readAt(NOW + 1, 'completed'), readAt(NOW, 'pending')]);
  expect(payments.map(({ status }) => status)).toEqual(['completed']);
});

test('a status that the service does not know has no payments; rows of another status are left out', async () => {
  pages.set('/v1/deposits?limit=100&status=processing&order=asc', { status: 400 });
  pages.set('/v1/deposits?limit=100&status=failed', {
    data: [row('dep_1', 'failed', HOUR), row('dep_2', 'completed', HOUR)],
  });
  const { open, failed } = await load('processing', 'failed');
  expect(open).toEqual([]);
  expect(failed.map(({ id }) => id)).toEqual(['dep_1']);
});

test('a payment without a status is open; if none has a status, the list is reported as partly read', async () => {
  const read = await load('pending');
  const [odd, other] = [{ id: 'dep_1', created_at: NOW - HOUR }, row('dep_2', 'completed', HOUR)].map((each) =>
    paymentOf('deposit', each),
  );
  if (!odd || !other) throw new Error('No rows.');
  expect(withStatusless(read, [other, odd])).toMatchObject({ open: [{ id: 'dep_1' }], partly: [] });
  expect(withStatusless(read, [odd])).toMatchObject({ open: [], partly: [{ status: '', reason: null }] });
  expect(withStatusless(read, [other])).toBe(read);
});

test('if all statuses are refused the request fails; a refused status that rows have is reported as partly read', async () => {
  for (const path of [PENDING, '/v1/deposits?limit=100&status=failed']) pages.set(path, { status: 400 });
  await expect(load('pending', 'failed')).rejects.toMatchObject({ status: 400 });
  pages.set('/v1/deposits?limit=100&status=on_hold&order=asc', { status: 400 });
  expect(await load('on_hold')).toMatchObject({ open: [], partly: [{ status: 'on_hold' }] });
});

test('failed payments are read back over weeks, as they may have failed today; only the last days must be complete', async () => {
  const [failed, day] = ['/v1/deposits?limit=100&status=failed', 24 * HOUR];
  for (let at = 0; at < 6; at += 1)
    pages.set(failed + (at === 0 ? '' : `&starting_after=c${at}`), {
      data: [row(`dep_${at}`, 'failed', (3 + at) * day)],
      next: `c${at + 1}`,
    });
  expect(await load('failed')).toMatchObject({ failed: { length: 5 }, partly: [{ status: 'failed' }] });
  pages.set(`${failed}&starting_after=c4`, { data: [row('dep_4', 'failed', 8 * day)], next: 'c5' });
  expect(await load('failed')).toMatchObject({ failed: { length: 5 }, partly: [] });
  pages.set(`${failed}&starting_after=c1`, { data: [row('dep_1', 'failed', 31 * day)], next: 'c2' });
  expect(await load('failed')).toMatchObject({ failed: { length: 2 }, partly: [] });
});

test('a refusal of a later page is an error, not a refused status', async () => {
  pages.set(PENDING, { data: [row('dep_1', 'pending', 3 * HOUR)], next: 'a' });
  pages.set(`${PENDING}&starting_after=a`, { status: 400 });
  await expect(load('pending')).rejects.toMatchObject({ status: 400 });
});
