import type { Actor } from '#src/server/people/actor.ts';
import type { Service } from './upstream/service.ts';
import type { ServerAccounts } from '#src/server/people/serverAccounts.ts';
import type { SessionEnding } from '#src/server/people/sessionRows.ts';
import type { ServerSession, Sessions, SessionSummary } from '#src/server/people/sessions.ts';
import { parse } from 'hono/utils/cookie';
import { portOf } from './guards.ts';

/** The response of `GET /session`, also put into the served HTML. */
export type SessionView = ReturnType<RequestSessions['view']>;

/** The only place that reads and writes the session cookie. */
export type RequestSessions = ReturnType<typeof createRequestSessions>;

export interface RequestSession {
  session: ServerSession;
  token: string;
  cookieName: string;
  rights: Actor['rights'];
}

export function createRequestSessions(parts: {
  cookies: Cookies;
  sessions: Sessions;
  service: Service;
  /** Null in key mode. */
  serverAccounts: ServerAccounts | null;
  readOnly: boolean;
  /** Whether the server sends notices. */
  hasNotices: boolean;
}) {
  const { cookies, sessions, service, serverAccounts, readOnly, hasNotices } = parts;
  return {
    service,
    cookies,
    sessions,
    /** `byPerson`: a person caused the request, which keeps the session from becoming idle. Throws SessionsUnavailable. */
    async recognise(cookie: string | undefined, byPerson: boolean): Promise<RequestSession | null> {
      for (const { name, value } of cookies.tokens(cookie)) {
        const session = await sessions.open(value);
        if (!session) continue;
        if (byPerson) await sessions.noteActivity(value);
        return { session, token: value, cookieName: name, rights: { ...session.rights, readOnly } };
      }
      return null;
    },
    /** Ends every session that the cookies name. Never rejects. */
    async end(cookie: string | undefined, why: SessionEnding): Promise<void> {
      for (const { value } of cookies.tokens(cookie)) await sessions.end(value, why);
    },
    view: ({ account, accounts, sandbox, name, journalOnly, person, rights }: SessionSummary) => ({
      service: service.name,
      account,
      /** The account's name in the server's settings; null in key mode. */
      account_name: serverAccounts?.find(account)?.name ?? null,
      /** The person's accounts sorted by name, including this one; none in key mode. */
      accounts: (serverAccounts?.list() ?? [])
        .filter((one) => accounts.includes(one.account))
        .map((one) => ({ account: one.account, name: one.name })),
      sandbox,
      permissions: rights.permissions,
      read_only: readOnly,
      /** The database was restored and newer records may be missing, so people can only view. */
      set_back: rights.setBack === true,
      has_notices: hasNotices,
      /** The person's name in people mode; in key mode the name typed at sign-in, unverified. */
      name,
      /** The person's id; null in key mode. */
      person,
      /** The service refuses the key: operations can be seen and closed, nothing else. */
      journal_only: journalOnly,
    }),
  };
}

/** The gateway's cookies. The port that browsers see is in every name, since cookies ignore ports. */
export type Cookies = ReturnType<typeof createCookies>;

/** The longest time that browsers keep a cookie. */
const LONGEST_SECONDS = 400 * 24 * 60 * 60;
const MOST_MARKS = 8;

function line(name: string, value: string, sameSite: 'Strict' | 'Lax' = 'Strict'): string {
  return `${name}=${value}; HttpOnly; SameSite=${sameSite}; Path=/${name.startsWith('__Host-') ? '; Secure' : ''}`;
}

export function createCookies(origin: string) {
  const port = portOf(origin);
  const pair = (what: string, at: number | string) =>
    [`__Host-countinghouse-${what}${at}`, `countinghouse-${what}${at}`] as const;
  const [secureName, plainName] = pair('', port);
  const [secureProbe, plainProbe] = pair('probe-', port);
  const [secureJournal, plainJournal] = pair('journal-', port);
  const [securePreSession, plainPreSession] = pair('presession-', port);
  const oidcNames = pair('oidc-', `${port}-`);
  const asking = new URL(origin).protocol === 'http:';

  return {
    /** The session tokens in a request's cookies with the cookies' names, the best protected first. */
    tokens(header: string | undefined) {
      const tokens: { name: string; value: string }[] = [];
      for (const name of asking ? [secureName, plainName] : [secureName]) {
        const value = parse(header ?? '', name)[name];
        if (value) tokens.push({ name, value });
      }
      return tokens;
    },
    /** The name that this browser accepts, by the probe cookies it sent back. */
    nameFor(header: string | undefined) {
      const all = parse(header ?? '');
      return asking && all[plainProbe] && !all[secureProbe] ? plainName : secureName;
    },
    set: line,
    /** The journal's marks in the cookies, the best protected first; a cookie of another port can't hide any. */
    journal(header: string | undefined): string[] {
      const names = [secureJournal, plainJournal];
      const each = (header ?? '').split(';').map((cookie) => parse(cookie));
      return names.flatMap((name) => each.flatMap((cookie) => cookie[name] ?? [])).slice(0, MOST_MARKS);
    },
    /**
     * The Set-Cookie line of the latest mark. It has its own cookie, so that a late response can't bring back an ended
     * session. `session`: the name of the session's cookie.
     */
    setJournal: (session: string, mark: string) =>
      `${line(session.startsWith('__Host-') ? secureJournal : plainJournal, encodeURIComponent(mark))}; Max-Age=${LONGEST_SECONDS}`,
    /** The value that ties a passkey's signature to this browser before a session exists; null without such a cookie. */
    preSession(header: string | undefined): string | null {
      const all = parse(header ?? '');
      return all[securePreSession] ?? (asking ? all[plainPreSession] : undefined) ?? null;
    },
    /** `session`: the name of the session's cookie. */
    setPreSession: (session: string, value: string) =>
      line(session.startsWith('__Host-') ? securePreSession : plainPreSession, value),
    /** Cookies of sign-ins at the identity provider by their ids, the best protected first. */
    oidc(header: string | undefined): { id: string; name: string; value: string }[] {
      const all = Object.entries(parse(header ?? ''));
      const prefixes = asking ? oidcNames : oidcNames.slice(0, 1);
      return prefixes.flatMap((prefix) =>
        all.flatMap(([name, value]) =>
          name.startsWith(prefix) ? [{ id: name.slice(prefix.length), name, value }] : [],
        ),
      );
    },
    /** `session`: the name of the session's cookie. Lax, so that browsers send this cookie after the provider's redirect. */
    setOidc(session: string, id: string, value: string, seconds: number): string {
      const [secure, plain] = oidcNames;
      return `${line((session.startsWith('__Host-') ? secure : plain) + id, value, 'Lax')}; Max-Age=${seconds}`;
    },
    clearOidc: (name: string) => `${line(name, '', 'Lax')}; Max-Age=0`,
    clear: () => [`${line(secureName, '')}; Max-Age=0`, `${line(plainName, '')}; Max-Age=0`],
    /** Set-Cookie lines for HTML responses, to find out whether this browser accepts Secure cookies here. */
    probes: () => (asking ? [line(secureProbe, '1'), line(plainProbe, '1')] : []),
  };
}
