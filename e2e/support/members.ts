import type { BrowserContext } from 'playwright/test';
import * as v from 'valibot';
import { createTestBrowser } from '#src/server/http/testBrowser.ts';
import { sendToGateway } from '#src/server/http/testGateway.ts';
import { createAuthenticator } from '#src/server/people/testAuthenticator.ts';
import type { Permission } from '#src/shared/permissions.ts';
import { NO_RECIPIENT_RULES } from '#src/shared/policy/policy.ts';

// People join, are confirmed and sign in by requests: in pages, that takes several seconds a person. join.e2e.ts shows the pages.

/** Someone whose passkey is in software, so that requests and a page's virtual authenticator can both use it. */
export type Member = ReturnType<typeof createMember>;

const inviteSchema = v.object({ token: v.string() });
const codeSchema = v.object({ code: v.nullable(v.string()) });
const sessionSchema = v.object({ account: v.string() });
const peopleSchema = v.object({ data: v.array(v.object({ id: v.string(), name: v.string() })) });

export function createMember(origin: string) {
  const authenticator = createAuthenticator();
  let userHandle = '';

  const browser = (account = '') =>
    createTestBrowser({
      send: (path, request) => sendToGateway(origin, path, request),
      origin,
      account,
      authenticator,
    });

  /** A browser with these cookies, on the account that its session sees. */
  async function onItsAccount(cookies: Iterable<[string, string]>) {
    const withCookies = (account?: string) => {
      const own = browser(account);
      for (const [name, value] of cookies) own.cookies.set(name, value);
      return own;
    };
    const { account } = v.parse(sessionSchema, answered(await withCookies().call('GET', '/session')));
    return withCookies(account);
  }

  const browserOf = async (context: BrowserContext) =>
    onItsAccount((await context.cookies()).map(({ name, value }) => [name, value]));

  return {
    /** Joins by an invite's link; returns the code for an admin, null for the first person. `name`: if the invite has none. */
    async join(link: string, name?: string): Promise<string | null> {
      const token = new URL(link).hash.slice(1);
      const own = browser();
      const { body } = await own.ticketFor({ purpose: 'join', token });
      userHandle = v.parse(v.object({ user: v.object({ id: v.string() }) }), body['options']).user.id;
      return v.parse(codeSchema, answered(await own.join(token, name))).code;
    },

    /** Signs a context in, as if the person had used their passkey in it. */
    async signIn(context: BrowserContext): Promise<void> {
      const own = browser();
      answered(await own.signIn());
      // Browsers accept Secure cookies from http://localhost; Playwright wants https for them, and ignores scheme and port.
      const url = origin.replace('http:', 'https:');
      const cookie = { url, httpOnly: true, secure: true, sameSite: 'Strict' as const };
      await context.addCookies([...own.cookies].map(([name, value]) => ({ ...cookie, name, value })));
    },

    /** The passkey, for a page's virtual authenticator. */
    credential: () => ({
      credentialId: base64(authenticator.id),
      userHandle: base64(userHandle),
      privateKey: authenticator.privateKey().toString('base64'),
      isResidentCredential: true,
      rpId: new URL(origin).hostname,
      signCount: 0,
    }),

    /** As an admin who is signed in in the context: invites a person; returns the link. */
    async invite(context: BrowserContext, name: string, permissions: readonly Permission[]): Promise<string> {
      const own = await browserOf(context);
      const { token } = v.parse(inviteSchema, answered(await own.act('/api/invites', { name, permissions })));
      return `${origin}/join#${token}`;
    },

    /** As an admin who is signed in in the context: confirms the code of a person who joined. */
    async confirm(context: BrowserContext, name: string, code: string): Promise<void> {
      const own = await browserOf(context);
      const { data } = v.parse(peopleSchema, answered(await own.call('GET', '/api/people')));
      const person = data.find((one) => one.name === name);
      answered(await own.act(`/api/people/${person?.id}/confirm`, { code }));
    },

    /** As the first admin: the first policy, by which no payment needs approval. */
    async payAlone(): Promise<void> {
      const own = browser();
      answered(await own.signIn());
      const policy = { assets: [], other_assets: 0, recipients: NO_RECIPIENT_RULES, expires_hours: 72 };
      answered(await (await onItsAccount(own.cookies)).act('/api/policy', { policy, number: 0 }, 'PUT'));
    },
  };
}

const base64 = (base64url: string): string => Buffer.from(base64url, 'base64url').toString('base64');

function answered({ status, text, body }: { status: number; text: string; body: unknown }): unknown {
  if (status >= 400) throw new Error(`${status} ${text}`);
  return body;
}
