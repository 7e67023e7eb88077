import type { Context } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { ErrorExtras, OperationErrorCode, StartRequest } from '#src/shared/contract/gatewayContract.ts';
import { type Ability, refusalOf } from '#src/shared/permissions.ts';
import type { OperationRecord } from '#src/shared/operations/record.ts';
import type { Advanced, Found } from './journal.ts';
import type { Operations } from './operations.ts';
import { type OperationActor, asSender, type Sender } from './ports.ts';
import { unreadableView } from './views.ts';
import { RETRY_SECONDS } from './writeQuota.ts';

/** The context of a request besides its URL and body. */
export interface OperationsEnv {
  Bindings: {
    actor: OperationActor;
    /** The journal's marks that the page and its cookies sent. */
    marks: readonly string[];
  };
}

export type OperationsContext = Context<OperationsEnv>;

export type Replies = ReturnType<typeof createReplies>;

const NOBODY_KNOWS =
  'The database was restored from an older copy: whether this was recorded or sent isn’t known here.';

export function createReplies(operations: Operations, newRequestId: () => string) {
  const { journal } = operations;

  async function read(c: OperationsContext, key: string): Promise<Response> {
    const { actor } = c.env;
    const found = await journal.find(actor, key);
    if (found.kind !== 'record') return notARecord(c, found);
    return c.json(await operations.view(actor, await operations.bringUpToDate(actor, found.record)));
  }

  async function existing(c: OperationsContext, found: Found, sent?: StartRequest): Promise<Response> {
    if (found.kind !== 'record') return notARecord(c, found);
    const { actor } = c.env;
    const record = await operations.bringUpToDate(actor, found.record);
    const view = await operations.view(actor, record);
    if (sent && isSameContent(record, sent)) return c.json(view);
    return refuse(c, 409, 'key_reused', 'This key was recorded with other content.', { view });
  }

  async function done(c: OperationsContext, key: string, step: Advanced): Promise<Response> {
    const { actor } = c.env;
    if (step.record !== null) return c.json(await operations.view(actor, step.record));
    const now = await journal.find(actor, key);
    const view = now.kind === 'record' ? await operations.view(actor, now.record) : undefined;
    return refuse(c, 409, step.moved ? 'moved_on' : 'not_done', step.rejection, view ? { view } : {});
  }

  function notARecord(c: OperationsContext, found: Exclude<Found, { kind: 'record' }>): Response {
    switch (found.kind) {
      case 'tombstone': {
        const why = 'Nothing was sent under this key, and nothing ever is.';
        return refuse(c, 410, 'not_sent', why, { not_sent: found.notSent });
      }
      case 'spent':
        return refuse(c, 404, 'nobody_knows', NOBODY_KNOWS);
      case 'taken':
        return refuse(c, 409, 'key_taken', 'This key belongs to another account.');
      case 'unreadable': {
        const extras = { unreadable: unreadableView(found.unreadable) };
        return refuse(c, 409, 'unreadable', 'The record cannot be read by this version.', extras);
      }
      case 'nothing':
        return found.setBack
          ? refuse(c, 404, 'nobody_knows', NOBODY_KNOWS)
          : refuse(c, 404, 'not_recorded', 'There is no record under this key. It may still arrive.');
    }
  }

  /** A response that says why the actor can't do it; null if they can. */
  function refuseUnless(c: OperationsContext, ability: Ability): Response | null {
    const refusal = refusalOf(ability, c.env.actor.rights);
    return refusal && refuse(c, 403, refusal.code, refusal.message);
  }

  /** The actor with an API key that the service accepts, or the response that refuses them. */
  function senderOf(c: OperationsContext, ability: Ability): Sender | Response {
    return refuseUnless(c, ability) ?? asSender(c.env.actor);
  }

  function refuse(
    c: OperationsContext,
    status: ContentfulStatusCode,
    code: OperationErrorCode,
    message: string,
    extras: ErrorExtras = {},
    requestId = newRequestId(),
  ): Response {
    const type = status === 422 || status === 400 ? 'invalid_request_error' : 'operation_error';
    return c.json({ error: { type, code, message, request_id: requestId }, ...extras }, status);
  }

  /** Refuses a request that may succeed soon, with Retry-After. */
  function refuseForNow(c: OperationsContext, status: 429 | 503, code: OperationErrorCode, message: string): Response {
    c.header('Retry-After', String(RETRY_SECONDS));
    return refuse(c, status, code, message);
  }

  return { read, existing, done, notARecord, refuseUnless, senderOf, refuse, refuseForNow };
}

function isSameContent(record: OperationRecord, sent: StartRequest): boolean {
  const { kind, path, body, second_send_of: secondSendOf } = sent;
  const isSameText = record.kind === kind && record.path === path && record.body === body;
  return isSameText && JSON.stringify(record.secondSendOf) === JSON.stringify(secondSendOf);
}
