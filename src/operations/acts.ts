import * as v from 'valibot';
import { endSchema, sendSchema } from '#src/api/gatewayContract.ts';
import { parseJson } from '#src/lib/answers.ts';
import type { OperationRecord } from '#src/lib/operations/record.ts';
import { READ_ONLY } from './allowedActions.ts';
import type { Found } from './journal.ts';
import type { Operations } from './operations.ts';
import type { Plain, Replies } from './replies.ts';
import type { Actor } from './ports.ts';

const A_REASON = 'This takes a revision and a reason.';

/** What a person does to one operation. */
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
    const buried = found.kind === 'nothing' ? await journal.bury(actor, key, 'discarded') : found;
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
    { row }: Extract<Found, { kind: 'unreadable' }>,
    body: string,
  ): Promise<Plain> {
    const words = endIn(body)?.reason ?? '';
    if (actor.readOnly) return refuse(403, 'read_only', READ_ONLY);
    if (words.trim() === '') return refuse(400, 'invalid_request_error', A_REASON);
    const { key } = row.unreadable ?? { key: '' };
    const at = actor.clock.wall();
    await ports.rows.write((turn) => turn.closeUnreadable(key, { words, who: actor.who, at }));
    return read(actor, key);
  }
}

function endIn(body: string): v.InferOutput<typeof endSchema> | null {
  const parsed = v.safeParse(endSchema, parseJson(body));
  return parsed.success ? parsed.output : null;
}
