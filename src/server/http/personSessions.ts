import type { Context } from 'hono';
import type { People } from '#src/server/people/people.ts';
import type { ServerAccount, ServerAccounts } from '#src/server/people/serverAccounts.ts';
import type { Bindings } from './bindings.ts';
import type { RequestSessions } from './requestSession.ts';

export interface PersonOnAccount {
  account: ServerAccount;
  person: string;
  name: string;
}

export type PersonSessions = ReturnType<typeof createPersonSessions>;

export function createPersonSessions(
  requestSessions: RequestSessions,
  { people, accounts }: { people: People; accounts: ServerAccounts },
) {
  const { cookies, sessions } = requestSessions;
  return {
    /** An account on which the person has permissions now: their last one, or else the first by name; null if none. */
    async accountOf(person: string): Promise<PersonOnAccount | null> {
      const last = accounts.find((await people.lastAccountOf(person)) ?? '');
      for (const account of last === null ? accounts.list() : [last, ...accounts.list()]) {
        const found = await people.findPerson(account.account, person);
        if (found !== null && found.permissions.length > 0) return { account, person, name: found.name };
      }
      return null;
    },

    /** Call it once the session has begun: a change that ended the permissions before didn't see the session and end it. */
    async isStillGranted({ account, person }: PersonOnAccount): Promise<boolean> {
      const found = await people.findPerson(account.account, person);
      return found !== null && found.permissions.length > 0;
    },

    /** Begins a session, sets its cookie, and returns its token. */
    async start(c: Context<Bindings>, { account, person, name }: PersonOnAccount): Promise<string> {
      const header = c.req.header('cookie');
      const { account: accountId, credential, apiKey } = account;
      const token = await sessions.start({
        key: apiKey,
        account: accountId,
        credential,
        sandbox: await requestSessions.service.sandboxAccount(apiKey),
        name,
        journalOnly: false,
        person,
      });
      c.header('Set-Cookie', cookies.set(cookies.nameFor(header), token), { append: true });
      await requestSessions.end(header, 'replaced');
      return token;
    },
  };
}
