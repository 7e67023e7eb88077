import { Hono, type Context } from 'hono';
import type { OidcProvider } from '#src/server/people/oidc.ts';
import { isProgramFault } from '#src/server/database/sql.ts';
import type { Identity } from '#src/server/people/identities.ts';
import type { People } from '#src/server/people/people.ts';
import type { ServerAccounts } from '#src/server/people/serverAccounts.ts';
import { type OidcResult, oidcSignInSchema } from '#src/shared/contract/peopleContract.ts';
import { nextPath, paths } from '#src/shared/paths.ts';
import { OIDC_CALLBACK_PATH, OIDC_PATH } from '#src/shared/serverPaths.ts';
import type { Bindings } from './bindings.ts';
import { log } from './log.ts';
import type { createJoinedBeside } from './joinedBeside.ts';
import { createOidcAttempts, type OidcAttempt } from './oidcAttempts.ts';
import { INVITE_FAULTS, parsed, peopleRefusal } from './peopleRequests.ts';
import type { PersonSessions } from './personSessions.ts';
import { createRefusalLog } from './refusalLog.ts';
import type { RequestSessions } from './requestSession.ts';

export interface OidcParts {
  provider: OidcProvider;
  /** derivedKey(secret, 'oidc'). */
  key: Uint8Array;
  /** The server's clock, ms. */
  wall: () => number;
}

interface OidcRoutesParts {
  oidc: OidcParts;
  people: People;
  accounts: ServerAccounts;
  personSessions: PersonSessions;
  joinedBeside: ReturnType<typeof createJoinedBeside>['joinedBeside'];
  origin: string;
  readOnly: boolean;
}

type OidcContext = Context<Bindings>;
type Invite = NonNullable<OidcAttempt['invite']>;

/** Sign-in at an identity provider: shared/contract/peopleContract.ts. */
export function serveOidc(
  { cookies, sessions }: RequestSessions,
  { oidc: { provider, key, wall }, people, accounts, personSessions, joinedBeside, origin, readOnly }: OidcRoutesParts,
): Hono<Bindings> {
  const { host, issuer } = provider;
  const attempts = createOidcAttempts(cookies, key, wall);
  const noteRefusal = createRefusalLog(
    (count, why) => `${count} sign-ins at ${host} were refused in the last minute, the last one because of: ${why}`,
  );
  const app = new Hono<Bindings>();

  app.post(OIDC_PATH, begin);
  app.get(OIDC_PATH, (c) => {
    const last = attempts.result(c.req.header('cookie'));
    for (const line of last?.forget ?? []) c.header('Set-Cookie', line, { append: true });
    return c.json({ result: last?.result ?? null });
  });
  app.get(OIDC_CALLBACK_PATH, finish);
  return app;

  async function begin(c: OidcContext): Promise<Response> {
    const body = await parsed(c, oidcSignInSchema);
    if (body instanceof Response) return body;
    const { invite, next = null } = body;
    let beside: string | null = null;
    if (invite !== undefined) {
      if (readOnly) return peopleRefusal('read_only', 403, 'This dashboard is read-only.');
      const invited = await people.findInvite(invite.token);
      if (typeof invited === 'string') return peopleRefusal(invited, 404, INVITE_FAULTS[invited]);
      if (invited.name === null && invite.name === undefined)
        return peopleRefusal('invalid_request_error', 400, 'Enter your name.');
      beside = await joinedBeside(c, { ...invited, token: invite.token });
    }
    const begun = await provider.begin();
    if ('why' in begun) {
      noteRefusal(begun.why);
      return peopleRefusal('provider_away', 503, awayText());
    }
    const attempt = {
      ...begun.checks,
      next: nextPath(next),
      invite: invite === undefined ? null : { token: invite.token, name: invite.name ?? '', beside },
    };
    for (const line of attempts.begin(c.req.header('cookie'), attempt)) c.header('Set-Cookie', line, { append: true });
    return c.json({ url: begun.url });
  }

  /** Handles the redirect from the provider. The next page shows the result. */
  async function finish(c: OidcContext): Promise<Response> {
    const header = c.req.header('cookie');
    const { search, searchParams } = new URL(c.req.url);
    const taken = attempts.take(header, searchParams.get('state') ?? '');
    if (taken === null) {
      noteRefusal('no such sign-in in this browser');
      return leave(c, paths.signIn(), refused('This sign-in has expired or was already used. Sign in again.'));
    }
    const { attempt, lines } = taken;
    for (const line of lines) c.header('Set-Cookie', line, { append: true });
    const back = attempt.invite === null ? paths.signIn(attempt.next) : paths.join();
    const found = await provider.finish(search, attempt);
    if ('fault' in found) {
      noteRefusal(found.why);
      return leave(c, back, refused(faultText(found.fault)));
    }
    const identity = { issuer, subject: found.subject };
    const result = await (attempt.invite === null ? signIn(c, identity) : join(c, identity, attempt.invite)).catch(
      (error: unknown) => {
        if (isProgramFault(error)) throw error;
        log('People: the database failed', error);
        return refused('The dashboard can’t reach its database. Try again.');
      },
    );
    return leave(c, result === null ? attempt.next : back, result);
  }

  /** Null if a session has begun. */
  async function signIn(c: OidcContext, identity: Identity): Promise<OidcResult | null> {
    const person = await people.findIdentity(identity);
    if (person === null) {
      if (await people.isIdentityWaitingForCode(identity))
        return refused('An admin has to type your code first. Then sign in.');
      noteRefusal('nobody here has this identity');
      return { kind: 'unknown', id: identity.subject };
    }
    const granted = await personSessions.accountOf(person);
    if (granted === null) return refused('You have no permission here any more. Ask an admin.');
    const token = await personSessions.start(c, granted);
    // Check again: a change that ended the identity or the permissions before now didn't see this session and end it.
    if ((await people.findIdentity(identity)) === person && (await personSessions.isStillGranted(granted))) return null;
    await sessions.end(token, 'blocked');
    return refused('Your access has ended meanwhile.');
  }

  async function join(c: OidcContext, identity: Identity, { token, name, beside }: Invite): Promise<OidcResult | null> {
    const invited = await people.findInvite(token);
    if (typeof invited === 'string') return refused(INVITE_FAULTS[invited]);
    const account = accounts.find(invited.account);
    if (account === null) return refused(INVITE_FAULTS.invite_unknown);
    const joined = await people.join(invited.account, { token, name, identity, beside });
    if (joined === 'name_taken') return refused('Somebody here has this name. Open the link again and add a surname.');
    if (typeof joined === 'string') return refused(INVITE_FAULTS[joined]);
    if (joined.code !== null) return { kind: 'joined', code: joined.code };
    await personSessions.start(c, { account, person: joined.person, name: joined.name });
    return null;
  }

  /** Browsers don't send Strict cookies after the provider's redirect, so the page reloads itself once: assets/pages.ts. */
  function leave(c: OidcContext, path: string, result: OidcResult | null): Response {
    if (result !== null) c.header('Set-Cookie', attempts.setResult(c.req.header('cookie'), result), { append: true });
    return c.redirect(new URL(path, origin).href, 303);
  }

  function awayText(): string {
    return `${host} can’t be reached, so nobody can sign in now. Try again in a minute.`;
  }

  function faultText(fault: 'provider_away' | 'cancelled' | 'refused'): string {
    if (fault === 'provider_away') return awayText();
    if (fault === 'cancelled') return `You cancelled at ${host}. You’re not signed in.`;
    return `The answer of ${host} wasn’t valid. Sign in again.`;
  }
}

function refused(message: string): OidcResult {
  return { kind: 'refused', message };
}
