import { Hono } from 'hono';
import {
  blockRecipientSchema,
  confirmRecipientsSchema,
  RECIPIENTS_PATH,
} from '#src/shared/contract/recipientsContract.ts';
import { OWN_ENTRY } from '#src/server/people/recipientCommands.ts';
import type { Bindings } from './bindings.ts';
import type { PeopleGuards, PeopleContext } from './peopleGuards.ts';
import type { PeopleParts } from './peopleParts.ts';
import { idOf, parsed, peopleRefusal } from './peopleRequests.ts';

/** Which recipients are confirmed or blocked: shared/contract/recipientsContract.ts. */
export function serveRecipients(
  { people }: Pick<PeopleParts, 'people'>,
  { withSession, withActor, withProof }: PeopleGuards,
): Hono<Bindings> {
  const app = new Hono<Bindings>();
  app.get(RECIPIENTS_PATH, async (c) =>
    withActor(c, async (actor) => c.json({ data: await people.readRecipients(actor) })),
  );
  app.get(`${RECIPIENTS_PATH}/:id`, async (c) =>
    withSession(c, async ({ session: { account } }) => {
      const id = idOf(c);
      return id === '' ? refuseNoRecipient() : c.json({ data: await people.readRecipientDecisions(account, id) });
    }),
  );
  app.post(`${RECIPIENTS_PATH}/confirm`, confirm);
  // Blocking must always be possible, so it has no quota and needs no passkey.
  app.post(`${RECIPIENTS_PATH}/block`, block);
  return app;

  async function confirm(c: PeopleContext): Promise<Response> {
    return withProof(c, confirmRecipientsSchema, async (actor, { recipients }) => {
      const done = await people.confirmRecipients(actor, recipients);
      if (done === 'confirmed') return c.body(null, 204);
      if (done === 'own') return peopleRefusal('not_permitted', 403, OWN_ENTRY);
      if ('confirmed' in done)
        return peopleRefusal('recipient_confirmed', 409, `“${done.confirmed}” is confirmed already.`);
      return peopleRefusal(
        'recipient_changed',
        409,
        `“${done.changed}” was changed or removed meanwhile. Look at it again. Nothing was confirmed.`,
      );
    });
  }

  async function block(c: PeopleContext): Promise<Response> {
    return withActor(c, async (actor) => {
      const body = await parsed(c, blockRecipientSchema);
      if (body instanceof Response) return body;
      return (await people.blockRecipient(actor, body)) ? c.body(null, 204) : refuseNoRecipient();
    });
  }
}

function refuseNoRecipient(): Response {
  return peopleRefusal('not_found', 404, 'There is no such recipient.');
}
