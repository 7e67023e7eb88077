// Test support: people on an account where payments need approval.
import { randomUUID } from 'node:crypto';
import * as v from 'valibot';
import { expect } from 'vitest';
import type { RaiseNotice } from '#src/server/activity/raiseNotice.ts';
import type { Database } from '#src/server/database/sql.ts';
import { withdrawalRequest } from '#src/shared/operations/withdrawal.ts';
import type { Policy } from '#src/shared/policy/policy.ts';
import type { TestReply, TestBrowser } from './testBrowser.ts';
import { NO_APPROVALS } from '#src/shared/policy/testPolicy.ts';
import { createPeopleWorld } from './testPeopleWorld.ts';

export const FIELDS = { asset: 'BTC', chain: 'bitcoin', amount: '0.5', address: 'bc1qrecipient' };
type Fields = Partial<typeof FIELDS>;

/** The body of a PUT that records a withdrawal. */
export const withdrawalPutBody = (fields: Fields = {}, more: object = {}) => ({
  ...withdrawalRequest({ ...FIELDS, ...fields }),
  second_send_of: [],
  not_after: Date.now() + 60_000,
  ...more,
});

export const needing = (approvals: number): Policy => ({ ...NO_APPROVALS, other_assets: approvals });

/** A policy under which BTC needs no approval within these limits, and one above. */
export const upTo = (limits: { each?: string; day?: string; count?: number }): Policy => ({
  ...needing(1),
  assets: [{ asset: 'btc', steps: [{ approvals: 0, each: '1', day: '1', count: 10, ...limits }], above: 1 }],
});

export type ApprovalWorld = Awaited<ReturnType<typeof createApprovalWorld>>;

/** An admin, an operator Bo, an approver Cy, and Di, who is both. `sent`: the keys of the payments that the provider received. */
export async function createApprovalWorld(
  database: Database,
  policy: Policy | null = needing(1),
  options?: { raise: RaiseNotice },
) {
  const world = await createPeopleWorld(database, options);
  const ada = await world.firstAdmin();
  const bo = await world.colleague('Bo', ['view', 'prepare']);
  const cy = await world.colleague('Cy', ['view', 'approve']);
  const di = await world.colleague('Di', ['view', 'prepare', 'approve']);
  if (policy === null) await world.policy(null);
  else await world.policy(policy, 2);
  const sent = () =>
    world.service.seen.filter(({ method }) => method === 'POST').map(({ headers }) => headers['idempotency-key']);
  /** Changes rows without the triggers that refuse invalid changes. */
  const withoutRules = async (sql: string, params: readonly (string | number)[]): Promise<void> => {
    await database.script('alter table operations.operations disable trigger user');
    await database.query(sql, [...params]);
    await database.script('alter table operations.operations enable trigger user');
  };
  return { ...world, ada, bo, cy, di, sent, withoutRules };
}

/** Records a payment that waits for approval; returns its key. */
export async function recordAwaitingPayment(
  browser: TestBrowser,
  fields: Fields = {},
  more: object = {},
): Promise<string> {
  const key = randomUUID();
  const reply = await browser.call('PUT', `/api/operations/${key}`, withdrawalPutBody(fields, more));
  expect(reply).toMatchObject({ status: 201, body: { operation: { state: 'awaiting' } } });
  return key;
}

/** Records a payment with its maker's signature. */
export async function recordSignedPayment(
  browser: TestBrowser,
  fields: Fields,
): Promise<{ key: string; state: string }> {
  const key = randomUUID();
  const request = withdrawalPutBody(fields);
  const proof = await browser.signatureOver([{ key, body: request.body, second_send_of: [] }]);
  const reply = await browser.call('PUT', `/api/operations/${key}`, { ...request, proof });
  expect(reply.status).toBe(201);
  return { key, state: operationIn(reply).state };
}

const operationSchema = v.object({ operation: v.object({ state: v.string(), revision: v.number() }) });
const operationIn = ({ body }: TestReply) => v.parse(operationSchema, body).operation;

export const readOperationState = async (browser: TestBrowser, key: string): Promise<string> =>
  operationIn(await browser.call('GET', `/api/operations/${key}`)).state;

export async function sendPayment(browser: TestBrowser, key: string): Promise<TestReply> {
  const { revision } = operationIn(await browser.call('GET', `/api/operations/${key}`));
  return browser.call('POST', `/api/operations/${key}/send`, { revision, not_after: Date.now() + 60_000 });
}

/** The outcome of a decision about one payment. */
export function outcomeIn({ body }: TestReply): unknown {
  return v.parse(v.object({ data: v.array(v.unknown()) }), body).data[0];
}

/** The body of a PUT that records a batch with one payment per amount. */
export const batchOf = (id: string, amounts: readonly string[], asset = FIELDS.asset) => ({
  lines: amounts.map((amount, at) => ({
    line: at + 2,
    body: withdrawalRequest({ ...FIELDS, asset, amount, address: `bc1q${id}${at}` }).body,
    recipient: null,
    reference: null,
    second_send_of: [],
  })),
  file: { name: null, text: 'pasted' },
  again: null,
  not_after: Date.now() + 60_000,
});

type BatchBody = Pick<ReturnType<typeof batchOf>, 'lines'>;

/** The maker's signature over all lines of a batch. */
export const signatureOverBatch = (browser: TestBrowser, id: string, { lines }: BatchBody) =>
  browser.signatureOver(
    lines.map(({ line, body }) => ({ key: `${id}.${line}`, body, second_send_of: [], batch: { id, line } })),
  );

const batchSchema = v.object({
  batch: v.object({
    state: v.string(),
    why: v.nullable(v.string()),
    why_line: v.nullable(v.number()),
    revision: v.number(),
  }),
});
const batchIn = ({ body }: TestReply) => v.parse(batchSchema, body).batch;

export async function startBatch(browser: TestBrowser, id: string): Promise<TestReply> {
  const { revision } = batchIn(await browser.call('GET', `/api/batches/${id}`));
  return browser.call('POST', `/api/batches/${id}/start`, { revision, not_after: Date.now() + 60_000 });
}

/** The batch once it has paused. */
export async function pausedBatch(browser: TestBrowser, id: string) {
  const read = async () => batchIn(await browser.call('GET', `/api/batches/${id}`));
  await expect.poll(async () => (await read()).state).toBe('paused');
  return read();
}
