// What the sandbox's controls answer (src/sandbox/CONTROLS.md).
import * as v from 'valibot';
import { depositSchema, withdrawalSchema } from './schemas.ts';

export const armedSchema = v.object({
  data: v.array(
    v.object({
      id: v.string(),
      left: v.number(),
      fault: v.object({
        method: v.nullable(v.string()),
        path: v.string(),
        account: v.nullable(v.string()),
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

export const stateSchema = v.object({
  now: v.number(),
  deposits: v.array(depositSchema),
  withdrawals: v.array(withdrawalSchema),
});
/** The account's clock (Unix seconds), and what has neither completed nor failed. */
export type SandboxState = v.InferOutput<typeof stateSchema>;

export const passedSchema = v.object({
  now: v.number(),
  fell_due: v.array(v.object({ kind: v.picklist(['deposit', 'withdrawal']), id: v.string(), status: v.string() })),
});
/** Where the clock stands after it moved, and what fell due on the way, in its order. */
export type TimePassed = v.InferOutput<typeof passedSchema>;

export const ledgerSchema = v.object({
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
/** The whole journal added up: what was really carried out, whatever any page shows. */
export type SandboxLedger = v.InferOutput<typeof ledgerSchema>;

export const requestsSchema = v.object({
  data: v.array(
    v.object({
      method: v.string(),
      path: v.string(),
      attempt: v.nullable(v.string()),
      idempotency_key: v.nullable(v.string()),
      status: v.nullable(v.number()),
      replayed: v.boolean(),
    }),
  ),
});
/** A request as the sandbox received it; `status` is null where it was never answered. */
export type ReceivedRequest = v.InferOutput<typeof requestsSchema>['data'][number];
