import { randomBytes } from 'node:crypto';
import type { Context } from 'hono';
import type { People } from '#src/server/people/people.ts';
import { tokenHash } from '#src/server/people/secrets.ts';
import type { Bindings } from './bindings.ts';
import type { RequestSessions } from './requestSession.ts';

/** An invite, and the person and account that it is for. */
interface Invite {
  token: string;
  person: string;
  account: string;
}

/** `name` is null if the person can't be found any more. */
type OtherPerson = { person: string; name: string | null };

/**
 * Remembers who else was signed in in the browser that opens an invite. The page has them sign out before somebody joins, so
 * their id is noted in the browser's pre-session cookie until then.
 */
export function createJoinedBeside(
  { cookies, recognise }: Pick<RequestSessions, 'cookies' | 'recognise'>,
  { findPerson }: Pick<People, 'findPerson'>,
) {
  /** Ends the cookie's value, for this invite only. */
  const noteOf = (token: string, person: string) => `.${tokenHash(token).slice(0, 16)}.${person}`;

  async function signedIn(c: Context<Bindings>, { person }: Invite): Promise<OtherPerson | null> {
    const found = await recognise(c.req.header('cookie'), false);
    const other = found?.session.person ?? null;
    return found === null || other === null || other === person ? null : { person: other, name: found.session.name };
  }

  return {
    signedIn,

    /** The browser's pre-session cookie; sets one if it has none, or if it has to note this person. */
    preSessionOf: (c: Context<Bindings>, noted: { token: string; other: OtherPerson | null } | null = null): string => {
      const header = c.req.header('cookie');
      const own = cookies.preSession(header);
      const note = noted === null || noted.other === null ? '' : noteOf(noted.token, noted.other.person);
      if (own !== null && own.endsWith(note)) return own;
      const value = randomBytes(16).toString('base64url') + note;
      c.header('Set-Cookie', cookies.setPreSession(cookies.nameFor(header), value), { append: true });
      return value;
    },

    /** The name of the other person who is signed in in this browser, or was when the invite was opened; null if there is none. */
    joinedBeside: async (c: Context<Bindings>, invite: Invite): Promise<string | null> => {
      const now = await signedIn(c, invite);
      if (now !== null) return now.name;
      const value = cookies.preSession(c.req.header('cookie')) ?? '';
      const person = value.split('.').at(-1) ?? '';
      if (!value.endsWith(noteOf(invite.token, person))) return null;
      return (await findPerson(invite.account, person))?.name ?? null;
    },
  };
}
