import { type Context, Hono } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import * as v from 'valibot';
import { APPROVALS_PATH, decisionRequestSchema } from '#src/shared/contract/approvalsContract.ts';
import { parseJson } from '#src/shared/answers.ts';
import { isStorable } from '#src/shared/text.ts';
import {
  type ApiOptions,
  carryMark,
  limitWrites,
  OUTCOME_UNKNOWN,
  refuseFailure,
} from '#src/server/operations/apiApp.ts';
import type { Operations } from '#src/server/operations/operations.ts';
import { asSender, isPosition } from '#src/server/operations/ports.ts';
import { SignInTooOld } from '#src/server/people/actor.ts';
import type { OperationsEnv } from '#src/server/operations/replies.ts';

type ApprovalsContext = Context<OperationsEnv>;

/** /api/approvals (shared/contract/approvalsContract.ts), except the tickets. */
export function createApprovalsApp(operations: Operations, { newRequestId, reportFailure, mono }: ApiOptions) {
  const { approvals } = operations;
  const app = new Hono<OperationsEnv>({ strict: false }).basePath(APPROVALS_PATH);
  const quota = limitWrites<OperationsEnv>(mono, (c, tooMany) =>
    refuse(c, 429, 'too_many', `${tooMany} Nothing was approved.`),
  );

  app.use(carryMark(operations.history));
  app.get('/', async (c) => {
    const after = c.req.query('after') ?? '0';
    return isPosition(after)
      ? c.json(await approvals.list(c.env.actor, BigInt(after)))
      : refuse(c, 422, 'invalid_request_error', 'The list has no such page.');
  });
  app.get('/:key', async (c) => {
    const key = c.req.param('key');
    const isOpened = c.req.query('opened') === 'true';
    const approval = isStorable(key) ? await approvals.find(c.env.actor, key, isOpened) : null;
    return approval === null
      ? refuse(c, 404, 'not_recorded', 'There is no such payment, or it needs no approval.')
      : c.json(approval);
  });
  app.post('/', decide);
  app.notFound((c) => refuse(c, 404, 'not_recorded', 'There is nothing at this path.'));
  app.onError((error, c) => {
    if (error instanceof SignInTooOld) return refuse(c, 403, 'sign_in_again', error.message);
    return refuseFailure({ error, reportFailure, away: OUTCOME_UNKNOWN }, (status, code, message) =>
      refuse(c, status, code, message),
    );
  });
  return app;

  async function decide(c: ApprovalsContext): Promise<Response> {
    const parsed = v.safeParse(decisionRequestSchema, parseJson(await c.req.text()));
    if (!parsed.success)
      return refuse(c, 422, 'invalid_request_error', 'A decision names payments, and a rejection its reason.');
    const decision = parsed.output;
    // Rejecting and stopping have no quota.
    if (decision.decision !== 'approve') {
      const command = decision.decision === 'stop' ? approvals.stop : approvals.reject;
      return c.json(await command(c.env.actor, decision));
    }
    const tooMany = await quota(c, async () => undefined);
    if (tooMany instanceof Response) return tooMany;
    const decided = await approvals.approve(asSender(c.env.actor), decision);
    if ('fault' in decided) return refuse(c, 403, 'passkey_refused', `${decided.fault} Nothing was approved.`);
    return c.json(decided);
  }

  function refuse(c: ApprovalsContext, status: ContentfulStatusCode, code: string, message: string): Response {
    const type = status === 422 ? 'invalid_request_error' : 'operation_error';
    return c.json({ error: { type, code, message, request_id: newRequestId() } }, status);
  }
}
