import * as v from 'valibot';
import {
  endSchema,
  sendSchema,
  type ErrorExtras,
  type OperationErrorCode,
  type StartRequest,
} from '#src/shared/contract/gatewayContract.ts';
import { parseJson } from '#src/shared/answers.ts';
import type { OperationRecord } from '#src/shared/operations/record.ts';
import { READ_ONLY, unreadableView } from './views.ts';
import type { Found, Advanced } from './journal.ts';
import type { Operations } from './operations.ts';
import type { Actor, Sender } from './ports.ts';

const A_REASON = 'This takes a revision and a reason.';

export function createActs(operations: Operations, { read, existing, done, notARecord, senderOf, refuse }: Replies) {
  const { journal, starting, checking, ports } = operations;

  return { discard, actOn };

  async function discard(actor: Actor, key: string): Promise<Plain> {
    const found = await journal.find(actor, key);
    if (actor.readOnly && found.kind !== 'tombstone') return refuse(403, 'read_only', READ_ONLY);
    if (found.kind === 'record') {
      const step = await journal.advance(actor, key, { type: 'discard', who: actor.who });
      return done(actor, key, step);
    }
    const buried = found.kind === 'nothing' ? await journal.writeTombstone(actor, key, 'discarded') : found;
    if (buried.kind === 'record') return existing(actor, buried);
    if (buried.kind !== 'tombstone') return notARecord(buried);
    return { status: 200, body: { not_sent: buried.notSent } };
  }

  async function actOn(body: string, actor: Actor, key: string, act: string): Promise<Plain> {
    const found = await journal.find(actor, key);
    if (found.kind === 'unreadable' && act === 'close') return closeUnreadable(actor, found, body);
    if (found.kind !== 'record') return notARecord(found);
    const record = await operations.settle(actor, found.record);
    if (act === 'check') return check(actor, record);
    if (actor.readOnly) return refuse(403, 'read_only', READ_ONLY);
    if (act === 'close') {
      const ending = endIn(body);
      if (ending === null) return refuse(400, 'invalid_request_error', A_REASON);
      const { revision, reason: words } = ending;
      const step = await journal.advance(actor, key, { type: 'close', who: actor.who, words }, { revision });
      return done(actor, key, step);
    }
    const sender = senderOf(actor);
    if ('status' in sender) return sender;
    if (record.account !== actor.account) return refuse(403, 'not_done', 'It was recorded under another API key.');
    if (act === 'not-sent') {
      const ending = endIn(body);
      if (ending === null) return refuse(400, 'invalid_request_error', A_REASON);
      const { revision, reason } = ending;
      return done(actor, key, await operations.confirmNotSent(sender, record, reason, { revision }));
    }
    const parsed = v.safeParse(sendSchema, parseJson(body));
    if (!parsed.success) return refuse(400, 'invalid_request_error', 'Sending takes a revision and a time limit.');
    const { revision, not_after: notAfter } = parsed.output;
    return done(actor, key, await starting.send(sender, record, { revision, notAfter }));
  }

  async function check(actor: Actor, record: OperationRecord): Promise<Plain> {
    const sender = senderOf(actor, true);
    if ('status' in sender) return sender;
    const note = await checking.check(sender, record);
    if (note !== null) return read(actor, record.key);
    return refuse(409, 'not_done', 'There is nothing to check.', { view: await operations.view(actor, record) });
  }

  async function closeUnreadable(
    actor: Actor,
    { unreadable: { key } }: Extract<Found, { kind: 'unreadable' }>,
    body: string,
  ): Promise<Plain> {
    const words = endIn(body)?.reason ?? '';
    if (actor.readOnly) return refuse(403, 'read_only', READ_ONLY);
    if (words.trim() === '') return refuse(400, 'invalid_request_error', A_REASON);
    const at = actor.clock.wall();
    await ports.rows.write((turn) => turn.closeUnreadable(key, { words, who: actor.who, at }));
    return read(actor, key);
  }
}

function endIn(body: string): v.InferOutput<typeof endSchema> | null {
  const parsed = v.safeParse(endSchema, parseJson(body));
  return parsed.success ? parsed.output : null;
}

/** An answer before the journal's mark is put on it. */
export interface Plain {
  status: number;
  body: object;
  /** Seconds. */
  retryAfter?: number;
}

const NOBODY_KNOWS =
  'The database was restored from an older copy: whether this was recorded or sent isn’t known here.';

type Replies = ReturnType<typeof createReplies>;

export function createReplies(operations: Operations, requestId: () => string) {
  const { journal } = operations;

  async function read(actor: Actor, key: string): Promise<Plain> {
    const found = await journal.find(actor, key);
    if (found.kind !== 'record') return notARecord(found);
    return { status: 200, body: await operations.view(actor, await operations.settle(actor, found.record)) };
  }

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
        const extras = { unreadable: unreadableView(found.unreadable) };
        return refuse(409, 'unreadable', 'The record cannot be read by this version.', extras);
      }
      case 'nothing':
        return found.setBack
          ? refuse(404, 'nobody_knows', NOBODY_KNOWS)
          : refuse(404, 'not_recorded', 'There is no record under this key. It may still arrive.');
    }
  }

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
