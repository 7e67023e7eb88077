import type { Context } from 'hono';
import type * as v from 'valibot';
import { actStatement, type Ticket } from '#src/shared/contract/peopleContract.ts';
import type { proofSchema } from '#src/shared/contract/proofContract.ts';
import { createWriteQuota, WRITES_A_MINUTE } from '#src/server/operations/writeQuota.ts';
import { isCounting } from '#src/server/people/passkeyRows.ts';
import { checkAssertion, checkRegistration, type PasskeyFault, requestOptions } from '#src/server/people/passkeys.ts';
import type { PersonActor } from '#src/server/people/personTransactions.ts';
import type { TicketOf } from '#src/server/people/tickets.ts';
import { admit } from './apiRoutes.ts';
import type { Bindings } from './bindings.ts';
import { machineClock } from './clock.ts';
import { refuseStranger } from './guards.ts';
import type { PeopleParts } from './peopleParts.ts';
import { idIn, parsed, peopleRefusal } from './peopleRequests.ts';
import { createRefusalLog } from './refusalLog.ts';
import type { RequestSession, RequestSessions } from './requestSession.ts';

export type PeopleContext = Context<Bindings>;

interface Registration {
  ticket: string;
  response: Record<string, unknown>;
}

/** A passkey's id and public key, in base64url. */
interface PasskeyMade {
  id: string;
  publicKey: string;
}

export type PeopleGuards = ReturnType<typeof createPeopleGuards>;

/** Finds the person behind a request to the people routes, and checks the passkeys that they use for it. */
export function createPeopleGuards(
  requestSessions: RequestSessions,
  { people, tickets, demo, origin }: Pick<PeopleParts, 'people' | 'tickets' | 'demo' | 'origin'>,
) {
  const rpId = new URL(origin).hostname;
  const isWithinQuota = createWriteQuota();
  const noteRefusal = createRefusalLog((count) => `${count} passkeys were refused in the last minute.`);

  return {
    withSession,
    withActor,
    withQuota,
    withProof,
    ticketFor,
    signingTicket,
    registered,
    checkSignature,
    isOfDemo,
    refusePasskey,
  };

  async function withSession(
    c: PeopleContext,
    handle: (found: RequestSession) => Promise<Response>,
  ): Promise<Response> {
    const found = await admit(requestSessions, c);
    return found instanceof Response ? found : handle(found);
  }

  /** Runs `handle` as the signed-in person. */
  async function withActor(c: PeopleContext, handle: (actor: PersonActor) => Promise<Response>): Promise<Response> {
    return withSession(c, async ({ session, rights }) => {
      const { id, account: own, name: who, person } = session;
      if (person === null) return refuseStranger();
      return handle({ account: own, session: id, person, who, rights, passkey: null });
    });
  }

  /** Like withActor(), but within the write quota, which doesn't apply to blocking and signing out. */
  async function withQuota(c: PeopleContext, handle: (actor: PersonActor) => Promise<Response>): Promise<Response> {
    return withActor(c, async (actor) =>
      isWithinQuota(actor.person, machineClock.mono())
        ? handle(actor)
        : peopleRefusal('too_many', 429, `More than ${WRITES_A_MINUTE} changes a minute. Nothing was changed.`),
    );
  }

  /** Like withQuota(), after checking a passkey's signature over exactly this request, at most five minutes old. */
  async function withProof<S extends v.GenericSchema<unknown, { proof: v.InferOutput<typeof proofSchema> }>>(
    c: PeopleContext,
    schema: S,
    handle: (actor: PersonActor, body: v.InferOutput<S>) => Promise<Response>,
  ): Promise<Response> {
    return withQuota(c, async (actor) => {
      const body = await parsed(c, schema);
      if (body instanceof Response) return body;
      const { ticket, response } = body.proof;
      const statement = actStatement(c.req.method, c.req.path, { ...body });
      const challenge = tickets.challenge(ticket, { purpose: 'act', binding: actor.session, statement });
      if (challenge === null)
        return refusePasskey('This was confirmed for something else, or more than five minutes ago.');
      if (isOfDemo(actor.person)) return handle(actor, body);
      const id = idIn(response['id']);
      const passkey = await people.findPasskey(id);
      if (passkey?.person !== actor.person) return refusePasskey('This passkey isn’t yours, or has ended.');
      const checked = await checkSignature(response, challenge, { id, publicKey: passkey.publicKey });
      if ('fault' in checked) return refusePasskey(checked.fault);
      const reply = await handle({ ...actor, passkey: id }, body);
      // Only accepted requests count as a use of the passkey.
      if (reply.ok) await people.noteUse(id);
      return reply;
    });
  }

  async function ticketFor(
    of: TicketOf,
    optionsOf: (challenge: Uint8Array<ArrayBuffer>) => Promise<Record<string, unknown>>,
  ): Promise<Ticket> {
    const ticket = tickets.issue(of);
    const challenge = tickets.challenge(ticket, of);
    if (challenge === null) throw new TypeError('A ticket was not valid when it was made.');
    return { ticket, options: await optionsOf(challenge) };
  }

  /** A ticket to sign with one of the person's passkeys, or why they can't. */
  async function signingTicket(c: PeopleContext, { person, of }: { person: string; of: TicketOf }): Promise<Response> {
    if (isOfDemo(person)) return c.json({ ticket: tickets.issue(of), options: null } satisfies Ticket);
    const own = await people.ownPasskeys(person);
    const allow = own.filter(isCounting).map(({ id }) => id);
    if (allow.length === 0) {
      const next = own.length > 0 ? 'An admin has to enter the code of yours first.' : 'Add one on Your account first.';
      return peopleRefusal('passkey_needed', 403, `You confirm this with a passkey. ${next}`);
    }
    return c.json(await ticketFor(of, (challenge) => requestOptions({ challenge, rpId, allow })));
  }

  /** The passkey that a browser created with this ticket, or why it is refused. */
  async function registered(of: TicketOf, { ticket, response }: Registration): Promise<PasskeyMade | Response> {
    const challenge = tickets.challenge(ticket, of);
    if (challenge === null) return refusePasskey('This took longer than five minutes. Try again.');
    const passkey = await checkRegistration({ response, challenge, origin, rpId });
    return 'fault' in passkey ? refusePasskey(passkey.fault) : passkey;
  }

  function checkSignature(
    response: Record<string, unknown>,
    challenge: Uint8Array<ArrayBuffer>,
    passkey: { id: string; publicKey: string },
  ) {
    return checkAssertion({ response, challenge, origin, rpId, passkey });
  }

  /** Whether the person is one of the sandbox's, who have no passkey and confirm acts with a ticket alone. */
  function isOfDemo(person: string): boolean {
    return demo?.has(person) ?? false;
  }

  function refusePasskey(fault: PasskeyFault): Response {
    noteRefusal();
    return peopleRefusal('passkey_refused', 403, fault);
  }
}
