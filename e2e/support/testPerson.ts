import type { BrowserContext } from 'playwright/test';
import * as v from 'valibot';
import { createTestBrowser, type TestReply } from '#src/server/http/testBrowser.ts';
import { sendToGateway } from '#src/server/http/testRequest.ts';
import { createAuthenticator } from '#src/server/people/testAuthenticator.ts';
import { invitedSchema, joinedSchema, peopleSchema } from '#src/shared/contract/peopleContract.ts';
import type { Permission } from '#src/shared/permissions.ts';
import { NO_APPROVALS } from '#src/shared/policy/testPolicy.ts';
import { addSecureCookies } from './secureCookies.ts';

// People join, are confirmed and sign in over HTTP here, because doing it in pages takes several seconds per person. The pages
// are tested in first-admin.e2e.ts and join.e2e.ts.

/** A person with a software passkey, which HTTP requests and a page's virtual authenticator can share. */
export type TestPerson = ReturnType<typeof createTestPerson>;

const sessionSchema = v.object({ account: v.string() });
const optionsSchema = v.object({ user: v.object({ id: v.string() }) });

export function createTestPerson(origin: string) {
  const authenticator = createAuthenticator();
  let userHandle = '';

  const newBrowser = (account = '') =>
    createTestBrowser({
      send: (path, request) => sendToGateway(origin, path, request),
      origin,
      account,
      authenticator,
    });

  /** Resumes a session from its cookies, with requests that name the session's account. */
  async function resumeSession(cookies: Iterable<[string, string]>) {
    const withCookies = (account?: string) => {
      const browser = newBrowser(account);
      for (const [name, value] of cookies) browser.cookies.set(name, value);
      return browser;
    };
    const { account } = v.parse(sessionSchema, bodyOrThrow(await withCookies().call('GET', '/session')));
    return withCookies(account);
  }

  const sessionOf = async (context: BrowserContext) =>
    resumeSession((await context.cookies()).map(({ name, value }) => [name, value]));

  return {
    /** Joins with an invite link. Returns the code an admin must type; null for the first admin. `name`: if the invite has none. */
    async join(link: string, name?: string): Promise<string | null> {
      const token = new URL(link).hash.slice(1);
      const browser = newBrowser();
      const { body } = await browser.ticketFor({ purpose: 'join', token });
      userHandle = v.parse(optionsSchema, body['options']).user.id;
      return v.parse(joinedSchema, bodyOrThrow(await browser.join(token, name))).code;
    },

    /** Signs the person in to a context. */
    async signInTo(context: BrowserContext): Promise<void> {
      const browser = newBrowser();
      bodyOrThrow(await browser.signIn());
      await addSecureCookies(context, origin, browser.cookies);
    },

    /** The passkey, for a page's virtual authenticator. */
    credential: () => ({
      credentialId: toBase64(authenticator.id),
      userHandle: toBase64(userHandle),
      privateKey: authenticator.exportPrivateKey().toString('base64'),
      isResidentCredential: true,
      rpId: new URL(origin).hostname,
      signCount: 0,
    }),

    /** As an admin who is signed in to the context: invites a person; returns the link. */
    async inviteColleague(context: BrowserContext, name: string, permissions: readonly Permission[]): Promise<string> {
      const admin = await sessionOf(context);
      const { token } = v.parse(invitedSchema, bodyOrThrow(await admin.act('/api/invites', { name, permissions })));
      return `${origin}/join#${token}`;
    },

    /** As an admin who is signed in to the context: confirms the code of a person who joined. */
    async confirmCode(context: BrowserContext, name: string, code: string): Promise<void> {
      const admin = await sessionOf(context);
      const { data } = v.parse(peopleSchema, bodyOrThrow(await admin.call('GET', '/api/people')));
      const person = data.find((one) => one.name === name);
      if (!person) throw new Error(`There is no person named ${name}.`);
      bodyOrThrow(await admin.act(`/api/people/${person.id}/confirm`, { code }));
    },

    /** Saves the first policy, as the first admin: no payment needs approval. */
    async savePolicyWithoutApprovals(): Promise<void> {
      const browser = newBrowser();
      bodyOrThrow(await browser.signIn());
      const admin = await resumeSession(browser.cookies);
      bodyOrThrow(await admin.act('/api/policy', { policy: NO_APPROVALS, number: 0 }, 'PUT'));
    },
  };
}

const toBase64 = (base64url: string): string => Buffer.from(base64url, 'base64url').toString('base64');

function bodyOrThrow({ status, text, body }: TestReply): unknown {
  if (status >= 400) throw new Error(`${status} ${text}`);
  return body;
}
