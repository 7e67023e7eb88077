// The sandbox's own controls (src/sandbox/CONTROLS.md). Not part of the contract: a real service has none.
// No automatic retry and no pause: a fault on /v1 must not affect the request that clears it.
import { queryOptions } from '@tanstack/react-query';
import { stringifyExact } from '#src/shared/json/exactJson.ts';
import { segment } from '#src/shared/paths.ts';
import { request } from './query.ts';
import {
  type DepositRow,
  depositSchema,
  parseWith,
  type WithdrawalRow,
  withdrawalSchema,
} from '#src/shared/contract/rows.ts';
import * as v from 'valibot';

/** A fault, in the sandbox's terms; applies to this account's requests only. */
export interface SandboxFault {
  method?: 'GET' | 'POST';
  /** A prefix of the path. */
  path?: string;
  /** Number of attempts affected; 1 when absent. */
  times?: number;
  when?: 'before' | 'after';
  drop?: boolean;
  /** Milliseconds. */
  delay?: number;
  status?: number;
  headers?: Record<string, string>;
  body?: string;
  patch?: unknown;
  cutAt?: number;
  stall?: boolean;
}

/** `account` is the session's (for the cache), `sandbox` the sandbox's own id of the account. */
export const sandboxQueries = {
  all: (account: string) => [account, 'sandbox'],
  state: (account: string, sandbox: string) =>
    queryOptions({
      staleTime: 0,
      queryKey: [account, 'sandbox', 'state', sandbox],
      queryFn: ({ signal }) => {
        const path = `/sandbox/accounts/${segment(sandbox)}`;
        return request({ method: 'GET', path, signal }, parseWith(stateSchema));
      },
    }),
  armed: (account: string, sandbox: string) =>
    queryOptions({
      staleTime: 0,
      queryKey: [account, 'sandbox', 'armed', sandbox],
      queryFn: async ({ signal }) => (await read('faults', { account: sandbox }, armedSchema, signal)).data,
    }),
  /** `address`: also counts the withdrawals to it. */
  ledger: (account: string, sandbox: string, address: string | null = null) =>
    queryOptions({
      staleTime: 0,
      queryKey: [account, 'sandbox', 'ledger', sandbox, address],
      queryFn: ({ signal }) =>
        read('ledger', { account: sandbox, ...(address !== null && { address }) }, ledgerSchema, signal),
    }),
  /** The POSTs that arrived under one idempotency key, oldest first; a browser may send one attempt twice. */
  posts: (account: string, sandbox: string, key: string) =>
    queryOptions({
      staleTime: 0,
      queryKey: [account, 'sandbox', 'posts', sandbox, key],
      queryFn: async ({ signal }) => {
        const { data } = await read('requests', { account: sandbox }, requestsSchema, signal);
        return data.filter((request) => request.method === 'POST' && request.idempotency_key === key);
      },
    }),
};

function read<S extends v.GenericSchema>(name: string, query: Record<string, string>, schema: S, signal: AbortSignal) {
  const call = { method: 'GET', path: `/sandbox/${name}`, query: new URLSearchParams(query), signal } as const;
  return request(call, parseWith(schema));
}

function post<T>(name: string, body: unknown, parse: (json: unknown) => T): Promise<T> {
  return request({ method: 'POST', path: `/sandbox/${name}`, body: stringifyExact(body) }, parse);
}

export async function armFault(sandbox: string, fault: SandboxFault): Promise<void> {
  await post('faults', { account: sandbox, ...fault }, (json) => json);
}

export async function clearFaults(sandbox: string): Promise<void> {
  const query = new URLSearchParams({ account: sandbox });
  await request({ method: 'DELETE', path: '/sandbox/faults', query }, (json) => json);
}

export function advanceClock(sandbox: string, seconds: number): Promise<TimePassed> {
  return post('clock', { account: sandbox, advance: seconds }, parseWith(passedSchema));
}

export type Arrival = Record<'asset' | 'chain' | 'amount' | 'status', string>;

export function receiveDeposit(sandbox: string, arrival: Arrival): Promise<DepositRow> {
  return post('deposits', { account: sandbox, ...arrival }, parseWith(depositSchema));
}

export type Swap = Record<'from' | 'from_amount' | 'to' | 'to_amount', string>;

export async function createSwap(sandbox: string, swap: Swap): Promise<void> {
  await post('swaps', { account: sandbox, ...swap }, (json) => json);
}

export function moveDeposit(sandbox: string, id: string, status: string): Promise<DepositRow> {
  return post(`deposits/${segment(id)}`, { account: sandbox, status }, parseWith(depositSchema));
}

export function moveWithdrawal(sandbox: string, id: string, status: string): Promise<WithdrawalRow> {
  return post(`withdrawals/${segment(id)}`, { account: sandbox, status }, parseWith(withdrawalSchema));
}

const armedSchema = v.object({
  data: v.array(
    v.object({
      id: v.string(),
      left: v.number(),
      fault: v.object({
        method: v.nullable(v.string()),
        path: v.string(),
        when: v.picklist(['before', 'after']),
        drop: v.boolean(),
        delay: v.number(),
        status: v.nullable(v.number()),
        headers: v.array(v.tuple([v.string(), v.string()])),
        body: v.nullable(v.object({ text: v.string() })),
        patch: v.nullable(v.object({ value: v.unknown() })),
        cutAt: v.nullable(v.number()),
        stall: v.boolean(),
      }),
    }),
  ),
});
export type ArmedFault = v.InferOutput<typeof armedSchema>['data'][number];

const stateSchema = v.object({
  now: v.number(),
  deposits: v.array(depositSchema),
  withdrawals: v.array(withdrawalSchema),
});
/** The account's clock (Unix seconds), and the payments that have neither completed nor failed. */
export type SandboxState = v.InferOutput<typeof stateSchema>;

const passedSchema = v.object({
  now: v.number(),
  fell_due: v.array(v.object({ kind: v.picklist(['deposit', 'withdrawal']), id: v.string(), status: v.string() })),
});
export type TimePassed = v.InferOutput<typeof passedSchema>;

const ledgerSchema = v.object({
  entries: v.number(),
  transactions: v.number(),
  sums: v.record(v.string(), v.string()),
  unbalanced: v.number(),
  drifted: v.array(v.string()),
  executed: v.object({
    withdrawals: v.number(),
    deposit_addresses: v.number(),
    charges: v.number(),
    webhook_replays: v.number(),
  }),
  to_address: v.optional(v.number()),
});
/** The sandbox's own totals: what was really carried out, whatever a page shows. */
export type SandboxLedger = v.InferOutput<typeof ledgerSchema>;

const requestsSchema = v.object({
  data: v.array(
    v.object({
      method: v.string(),
      attempt: v.nullable(v.string()),
      idempotency_key: v.nullable(v.string()),
      status: v.nullable(v.number()),
      replayed: v.boolean(),
    }),
  ),
});
/** A request as the sandbox received it; `status` is null where it was never answered. */
export type ReceivedRequest = v.InferOutput<typeof requestsSchema>['data'][number];
