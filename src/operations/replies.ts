import { type ErrorExtras, type OperationErrorCode, type StartRequest } from '#src/api/gatewayContract.ts';
import type { OperationRecord } from '#src/lib/operations/record.ts';
import { READ_ONLY } from './allowedActions.ts';
import type { Advanced, Found } from './journal.ts';
import type { Operations } from './operations.ts';
import { unreadableView } from './views.ts';
import type { Actor, Sender } from './ports.ts';

/** An answer before the journal's mark is put on it. */
export interface Plain {
  status: number;
  body: object;
  /** Seconds. */
  retryAfter?: number;
}

const NOBODY_KNOWS = 'The journal was set back: whether this was recorded or sent is not known here.';

export type Replies = ReturnType<typeof createReplies>;

/** What is said of a key, whoever asks for what. */
export function createReplies(operations: Operations, requestId: () => string) {
  const { journal } = operations;

  async function read(actor: Actor, key: string): Promise<Plain> {
    const found = await journal.find(actor, key);
    if (found.kind !== 'record') return notARecord(found);
    return { status: 200, body: await operations.view(actor, await operations.settle(actor, found.record)) };
  }

  /** A key that was there: the same content is the same operation, anything else is not. */
  async function existing(actor: Actor, found: Found, sent?: StartRequest): Promise<Plain> {
    if (found.kind !== 'record') return notARecord(found);
    const record = await operations.settle(actor, found.record);
    const view = await operations.view(actor, record);
    if (sent && isSameContent(record, sent)) return { status: 200, body: view };
    return refuse(409, 'key_reused', 'This key was recorded with other content.', { view });
  }

  async function done(actor: Actor, key: string, step: Advanced): Promise<Plain> {
    if (step.record !== null) return { status: 200, body: await operations.view(actor, step.record) };
    const now = await journal.find(actor, key);
    const view = now.kind === 'record' ? await operations.view(actor, now.record) : undefined;
    return refuse(409, step.moved ? 'moved_on' : 'not_done', step.refused, view ? { view } : {});
  }

  function notARecord(found: Exclude<Found, { kind: 'record' }>): Plain {
    switch (found.kind) {
      case 'tombstone': {
        const why = 'Nothing was sent under this key, and nothing ever is.';
        return refuse(410, 'not_sent', why, { not_sent: found.notSent });
      }
      case 'spent':
        return refuse(404, 'nobody_knows', NOBODY_KNOWS);
      case 'taken':
        return refuse(409, 'key_taken', 'This key belongs to another account.');
      case 'unreadable': {
        const { unreadable } = found.row;
        const extras = unreadable ? { unreadable: unreadableView(unreadable) } : {};
        return refuse(409, 'unreadable', 'The record cannot be read by this version.', extras);
      }
      case 'nothing':
        return found.setBack
          ? refuse(404, 'nobody_knows', NOBODY_KNOWS)
          : refuse(404, 'not_recorded', 'There is no record under this key. It may still arrive.');
    }
  }

  /** The actor with the key that a request to the service needs, or why there is none to be made. */
  function senderOf(actor: Actor, onlyReads = false): Sender | Plain {
    if (actor.readOnly && !onlyReads) return refuse(403, 'read_only', READ_ONLY);
    const { apiKey } = actor;
    return apiKey === null
      ? refuse(403, 'read_only', 'The service does not accept the API key of this session.')
      : { ...actor, apiKey };
  }

  function refuse(
    status: number,
    code: OperationErrorCode,
    message: string,
    extras: ErrorExtras = {},
    retryAfter?: number,
  ): Plain {
    const type = status === 422 || status === 400 ? 'invalid_request_error' : 'operation_error';
    const body = { error: { type, code, message, request_id: requestId() }, ...extras };
    return { status, body, ...(retryAfter === undefined ? {} : { retryAfter }) };
  }

  return { read, existing, done, notARecord, senderOf, refuse };
}

function isSameContent(record: OperationRecord, sent: StartRequest): boolean {
  const { kind, path, body, second_send_of: secondSendOf } = sent;
  const isSameText = record.kind === kind && record.path === path && record.body === body;
  return isSameText && JSON.stringify(record.secondSendOf) === JSON.stringify(secondSendOf);
}
