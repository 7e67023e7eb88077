import { authorOf } from '#src/shared/author.ts';
import * as v from 'valibot';
import { closeSetBackSchema, endSchema, sendSchema } from '#src/shared/contract/gatewayContract.ts';
import type { Ability } from '#src/shared/permissions.ts';
import { parseJson } from '#src/shared/answers.ts';
import type { OperationRecord } from '#src/shared/operations/record.ts';
import type { Operations } from './operations.ts';
import type { Sender } from './ports.ts';
import type { OperationsContext, Replies } from './replies.ts';
import { OTHER_KEY_MESSAGE } from './journal.ts';

const LIST_INCOMPLETE =
  'The provider’s list of withdrawals couldn’t be loaded back to before the first of them was recorded, so a missing entry proves nothing. Nothing was closed.';
const A_REASON = 'This takes a revision and a reason.';

/** A person's commands on a key, on the operation recorded under it, or on all that a restore left unconfirmed. */
export function createCommands(operations: Operations, replies: Replies) {
  const { journal, starting, checking } = operations;
  const { read, existing, done, notARecord, refuseUnless, senderOf, refuse } = replies;

  return { discard, send, check, close, confirmNotSent, listSetBack, closeSetBack };

  async function discard(c: OperationsContext, key: string): Promise<Response> {
    const { actor } = c.env;
    const found = await journal.find(actor, key);
    const refusal = refuseUnless(c, 'discard');
    if (refusal && found.kind !== 'tombstone') return refusal;
    if (found.kind === 'record')
      return done(c, key, await journal.advance(actor, key, { type: 'discard', ...authorOf(actor) }));
    const spent = found.kind === 'nothing' ? await journal.writeTombstone(actor, key, 'discarded') : found;
    if (spent.kind === 'record') return existing(c, spent);
    if (spent.kind !== 'tombstone') return notARecord(c, spent);
    return c.json({ not_sent: spent.notSent });
  }

  async function send(c: OperationsContext, key: string): Promise<Response> {
    const own = await findOwn(c, key, 'send');
    if (own instanceof Response) return own;
    const parsed = v.safeParse(sendSchema, parseJson(await c.req.text()));
    if (!parsed.success) return refuse(c, 400, 'invalid_request_error', 'Sending takes a revision and a time limit.');
    const { revision, not_after: notAfter } = parsed.output;
    return done(c, key, await starting.send(own.sender, own.record, { revision, notAfter }));
  }

  async function confirmNotSent(c: OperationsContext, key: string): Promise<Response> {
    const own = await findOwn(c, key, 'confirm-not-sent');
    if (own instanceof Response) return own;
    const ending = await readEnding(c);
    if (ending === null) return refuse(c, 400, 'invalid_request_error', A_REASON);
    const { revision, reason } = ending;
    return done(c, key, await operations.confirmNotSent(own.sender, own.record, reason, { revision }));
  }

  async function check(c: OperationsContext, key: string): Promise<Response> {
    const { actor } = c.env;
    const found = await journal.find(actor, key);
    if (found.kind !== 'record') return notARecord(c, found);
    const record = await operations.bringUpToDate(actor, found.record);
    const sender = senderOf(c, 'check');
    if (sender instanceof Response) return sender;
    const note = await checking.check(sender, record);
    if (note !== null) return read(c, key);
    return refuse(c, 409, 'not_done', 'There is nothing to check.', { view: await operations.view(actor, record) });
  }

  async function close(c: OperationsContext, key: string): Promise<Response> {
    const { actor } = c.env;
    const found = await journal.find(actor, key);
    if (found.kind === 'unreadable') return closeUnreadable(c, key);
    if (found.kind !== 'record') return notARecord(c, found);
    await operations.bringUpToDate(actor, found.record);
    const refusal = refuseUnless(c, 'close');
    if (refusal) return refusal;
    const ending = await readEnding(c);
    if (ending === null) return refuse(c, 400, 'invalid_request_error', A_REASON);
    const { revision, reason: words } = ending;
    const event = { type: 'close', ...authorOf(actor), words } as const;
    return done(c, key, await journal.advance(actor, key, event, { revision }));
  }

  async function closeUnreadable(c: OperationsContext, key: string): Promise<Response> {
    const { actor } = c.env;
    const words = (await readEnding(c))?.reason ?? '';
    const refusal = refuseUnless(c, 'close');
    if (refusal) return refusal;
    if (words.trim() === '') return refuse(c, 400, 'invalid_request_error', A_REASON);
    await journal.closeUnreadable(actor, key, words);
    return read(c, key);
  }

  async function listSetBack(c: OperationsContext): Promise<Response> {
    return c.json(await operations.setBackPayments.list(c.env.actor));
  }

  async function closeSetBack(c: OperationsContext): Promise<Response> {
    // It loads the provider's list first, for which the session needs an API key that works.
    const sender = refuseUnless(c, 'close') ?? senderOf(c, 'check');
    if (sender instanceof Response) return sender;
    const parsed = v.safeParse(closeSetBackSchema, parseJson(await c.req.text()));
    if (!parsed.success || parsed.output.reason.trim() === '')
      return refuse(c, 400, 'invalid_request_error', 'This takes a reason.');
    const closed = await operations.setBackPayments.close(sender, parsed.output.reason);
    return closed === null ? refuse(c, 409, 'not_done', LIST_INCOMPLETE) : c.json(closed);
  }

  /** For commands that only the API key that recorded the operation may give. */
  async function findOwn(
    c: OperationsContext,
    key: string,
    ability: Ability,
  ): Promise<{ record: OperationRecord; sender: Sender } | Response> {
    const { actor } = c.env;
    const found = await journal.find(actor, key);
    if (found.kind !== 'record') return notARecord(c, found);
    const record = await operations.bringUpToDate(actor, found.record);
    const sender = senderOf(c, ability);
    if (sender instanceof Response) return sender;
    if (record.credential !== actor.credential) return refuse(c, 403, 'not_done', OTHER_KEY_MESSAGE);
    return { record, sender };
  }
}

async function readEnding(c: OperationsContext): Promise<v.InferOutput<typeof endSchema> | null> {
  const parsed = v.safeParse(endSchema, parseJson(await c.req.text()));
  return parsed.success ? parsed.output : null;
}
