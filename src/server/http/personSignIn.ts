import { Hono } from 'hono';
import type { DemoPeople } from '#src/server/people/demoPeople.ts';
import { isCounting } from '#src/server/people/passkeyRows.ts';
import { creationOptions, requestOptions } from '#src/server/people/passkeys.ts';
import {
  demoSignInSchema,
  joinSchema,
  passkeySignInSchema,
  switchAccountSchema,
  type Ticket,
  ticketRequestSchema,
} from '#src/shared/contract/peopleContract.ts';
import { DEMO_SIGN_IN_PATH, SWITCH_ACCOUNT_PATH } from '#src/shared/serverPaths.ts';
import type { Bindings } from './bindings.ts';
import { isByPerson, refuseStranger } from './guards.ts';
import { createJoinedBeside } from './joinedBeside.ts';
import { serveOidc } from './oidcRoutes.ts';
import type { PeopleGuards, PeopleContext } from './peopleGuards.ts';
import type { PeopleParts } from './peopleParts.ts';
import { idIn, INVITE_FAULTS, parsed, peopleRefusal, refuseName } from './peopleRequests.ts';
import { createPersonSessions } from './personSessions.ts';
import type { RequestSessions } from './requestSession.ts';

/** Routes to sign in, join, and switch to another account. */
export function servePersonSignIn(
  requestSessions: RequestSessions,
  parts: PeopleParts,
  { withSession, ticketFor, signingTicket, registered, checkSignature, refusePasskey }: PeopleGuards,
): Hono<Bindings> {
  const { people, tickets, accounts, oidc, demo, origin, readOnly } = parts;
  const rpId = new URL(origin).hostname;
  const { cookies, sessions } = requestSessions;
  const personSessions = createPersonSessions(requestSessions, parts);
  const { signedIn, preSessionOf, joinedBeside } = createJoinedBeside(requestSessions, people);
  const app = new Hono<Bindings>();

  app.post('/session/ticket', issueTicket);
  app.post(SWITCH_ACCOUNT_PATH, switchAccount);
  if (demo) app.post(DEMO_SIGN_IN_PATH, (c) => signInToDemo(c, demo));
  if (oidc === null) {
    app.post('/session/passkey', signIn);
    app.post('/api/join', join);
  } else {
    app.route(
      '/',
      serveOidc(requestSessions, { joinedBeside, oidc, people, accounts, personSessions, origin, readOnly }),
    );
  }
  return app;

  async function issueTicket(c: PeopleContext): Promise<Response> {
    const request = await parsed(c, ticketRequestSchema);
    if (request instanceof Response) return request;
    if (request.purpose === 'sign-in') {
      if (oidc !== null) return peopleRefusal('not_permitted', 403, `Here people sign in with ${oidc.provider.host}.`);
      const of = { purpose: 'sign-in', binding: preSessionOf(c), statement: '' } as const;
      return c.json(await ticketFor(of, (challenge) => requestOptions({ challenge, rpId })));
    }
    if (request.purpose === 'join') {
      const invited = await people.findInvite(request.token);
      if (typeof invited === 'string') return peopleRefusal(invited, 404, INVITE_FAULTS[invited]);
      const { person, name, invitedBy, permissions, expiresAt, passkeys } = invited;
      const other = await signedIn(c, { ...invited, token: request.token });
      const binding = preSessionOf(c, { token: request.token, other });
      const of = { purpose: 'join', binding, statement: request.token } as const;
      const ticket = await ticketFor(of, (challenge) =>
        creationOptions({
          challenge,
          rpId,
          userId: person,
          userName: name ?? request.name ?? 'Countinghouse',
          exclude: passkeys,
        }),
      );
      return c.json({
        ...ticket,
        invite: {
          name,
          invited_by: invitedBy,
          permissions,
          expires_at: expiresAt,
          signed_in: other?.name ?? null,
        },
      } satisfies Ticket);
    }
    const found = await requestSessions.recognise(c.req.header('cookie'), isByPerson(c));
    const person = found?.session.person ?? null;
    if (found === null || person === null) return refuseStranger();
    const binding = found.session.id;
    if (request.purpose === 'register') {
      const ids = (await people.ownPasskeys(person)).filter(isCounting).map(({ id }) => id);
      const userName = found.session.name ?? '';
      return c.json(
        await ticketFor({ purpose: 'register', binding, statement: '' }, (challenge) =>
          creationOptions({ challenge, rpId, userId: person, userName, exclude: ids }),
        ),
      );
    }
    return signingTicket(c, { person, of: { purpose: 'act', binding, statement: request.statement } });
  }

  async function signIn(c: PeopleContext): Promise<Response> {
    const body = await parsed(c, passkeySignInSchema);
    if (body instanceof Response) return body;
    const id = idIn(body.response['id']);
    const challenge = tickets.challenge(body.ticket, {
      purpose: 'sign-in',
      binding: cookies.preSession(c.req.header('cookie')) ?? '',
      statement: '',
    });
    if (challenge === null) return refusePasskey('This sign-in took longer than five minutes. Try again.');
    const passkey = await people.findPasskey(id);
    if (passkey === null) {
      if (await people.isWaitingForCode(id))
        return peopleRefusal('not_confirmed', 403, 'An admin has to type your code first. Then sign in.');
      return refusePasskey(
        'This passkey isn’t known here, or has ended. Use another one, or ask an admin for an invite.',
      );
    }
    const checked = await checkSignature(body.response, challenge, { id, publicKey: passkey.publicKey });
    if ('fault' in checked) return refusePasskey(checked.fault);
    const granted = await personSessions.accountOf(passkey.person);
    if (granted === null)
      return peopleRefusal('not_permitted', 403, 'You have no permission here any more. Ask an admin.');
    await people.noteUse(id);
    const token = await personSessions.start(c, granted);
    // Check again: a change that ended the passkey or the permissions before now didn't see this session and end it.
    if ((await people.findPasskey(id)) === null || !(await personSessions.isStillGranted(granted))) {
      await sessions.end(token, 'passkey-lost');
      return refusePasskey('This passkey has ended meanwhile.');
    }
    return sendSession(c, token);
  }

  async function join(c: PeopleContext): Promise<Response> {
    if (readOnly) return peopleRefusal('read_only', 403, 'This dashboard is read-only.');
    const body = await parsed(c, joinSchema);
    if (body instanceof Response) return body;
    const { token, name = '' } = body;
    const binding = cookies.preSession(c.req.header('cookie')) ?? '';
    const passkey = await registered({ purpose: 'join', binding, statement: token }, body);
    if (passkey instanceof Response) return passkey;
    const invited = await people.findInvite(token);
    if (typeof invited === 'string') return peopleRefusal(invited, 404, INVITE_FAULTS[invited]);
    if (invited.name === null && name === '') return peopleRefusal('invalid_request_error', 400, 'Enter your name.');
    const account = accounts.find(invited.account);
    if (account === null) return peopleRefusal('invite_unknown', 404, INVITE_FAULTS.invite_unknown);
    const beside = await joinedBeside(c, { ...invited, token });
    const joined = await people.join(invited.account, { token, passkey, name, beside });
    if (joined === 'name_taken') return refuseName();
    if (typeof joined === 'string') return peopleRefusal(joined, 404, INVITE_FAULTS[joined]);
    if (joined.code !== null) return c.json({ code: joined.code }, 201);
    await personSessions.start(c, { account, person: joined.person, name: joined.name });
    return c.json({ code: null }, 201);
  }

  async function signInToDemo(c: PeopleContext, { has }: DemoPeople): Promise<Response> {
    const body = await parsed(c, demoSignInSchema);
    if (body instanceof Response) return body;
    const granted = has(body.person) ? await personSessions.accountOf(body.person) : null;
    if (granted === null) return peopleRefusal('not_permitted', 403, 'There is no such person in this demo.');
    return sendSession(c, await personSessions.start(c, granted));
  }

  /** Continues the session on another account, under a new token. */
  async function switchAccount(c: PeopleContext): Promise<Response> {
    return withSession(c, async ({ session, token, cookieName }) => {
      const body = await parsed(c, switchAccountSchema);
      if (body instanceof Response) return body;
      if (body.account === session.account) return c.json(requestSessions.view(session));
      const account = accounts.find(body.account);
      const switched = account === null ? 'not-permitted' : await sessions.switchAccount(token, session, account);
      if (switched === 'ended') return refuseStranger();
      if (switched === 'not-permitted')
        return peopleRefusal('not_permitted', 403, 'You have no role on that account. Ask one of its admins.');
      c.header('Set-Cookie', cookies.set(cookieName, switched.token), { append: true });
      return sendSession(c, switched.token);
    });
  }

  async function sendSession(c: PeopleContext, token: string): Promise<Response> {
    const session = await sessions.open(token);
    return session ? c.json(requestSessions.view(session), 201) : refuseStranger();
  }
}
