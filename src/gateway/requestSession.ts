import type { Service } from './upstream/service.ts';
import type { Session, Sessions, Who } from './session.ts';
import { parse } from 'hono/utils/cookie';
import { portOf } from './guards.ts';

/** What `GET /session` answers and the served HTML carries. */
export type SessionView = ReturnType<RequestSessions['view']>;

/** Where requests meet sessions: one place that reads the cookie and writes it again. */
export type RequestSessions = ReturnType<typeof createRequestSessions>;

export interface Recognised {
  session: Session;
  cookieName: string;
  /** A Set-Cookie line where the seal is due again. */
  renewal: string | null;
}

export function createRequestSessions(parts: {
  cookies: Cookies;
  sessions: Sessions;
  service: Service;
  readOnly: boolean;
}) {
  const { cookies, sessions, service, readOnly } = parts;
  return {
    service,
    cookies,
    sessions,
    async recognise(cookie: string | undefined): Promise<Recognised | null> {
      for (const { name, value } of cookies.sealed(cookie)) {
        const session = await sessions.open(value);
        if (!session) continue;
        const sealed = await sessions.renew(session);
        return { session, cookieName: name, renewal: sealed && cookies.set(name, sealed) };
      }
      return null;
    },
    view: ({ account, sandbox, name, journalOnly }: Who) => ({
      service: service.name,
      account,
      sandbox,
      read_only: readOnly,
      /** As it was typed at sign-in: nobody proved it. */
      name,
      /** The service refuses the key: the journal can be seen and closed, nothing else. */
      journal_only: journalOnly,
    }),
  };
}

/** The gateway's cookies. The port that browsers see is in every name, since cookies ignore ports. */
export type Cookies = ReturnType<typeof createCookies>;

/** As long as browsers keep a cookie. */
const LONGEST_SECONDS = 400 * 24 * 60 * 60;
const BASE = 'HttpOnly; SameSite=Strict; Path=/';

function line(name: string, value: string): string {
  return `${name}=${value}; ${BASE}${name.startsWith('__Host-') ? '; Secure' : ''}`;
}

/** Cookies for the canonical origin of a server that listens on another port, perhaps, and beside other servers. */
export function createCookies(listensOn: number, origin: string) {
  const port = portOf(origin);
  const pair = (what: string, at: number | string) =>
    [`__Host-countinghouse-${what}${at}`, `countinghouse-${what}${at}`] as const;
  const [secureName, plainName] = pair('', port);
  const [secureProbe, plainProbe] = pair('probe-', port);
  const [secureJournal, plainJournal] = pair('journal-', port);
  // Earlier versions named cookies by the port listened on: an upgrade may be when an old backup comes back.
  const earlier = pair('journal-', listensOn);
  const asking = new URL(origin).protocol === 'http:';

  return {
    /** Sealed sessions among the cookies of a request, the best protected first, each with its name. */
    sealed(header: string | undefined) {
      const all = parse(header ?? '');
      const names = asking ? [secureName, plainName] : [secureName];
      return names.flatMap((name) => {
        const value = all[name];
        return value ? [{ name, value }] : [];
      });
    },
    /** The name that this browser can keep, told by which probes came back. */
    nameFor(header: string | undefined) {
      const all = parse(header ?? '');
      return asking && all[plainProbe] && !all[secureProbe] ? plainName : secureName;
    },
    set: line,
    /** What this browser was last told of the journal, in one cookie for all its sessions; null: nothing. */
    journal(header: string | undefined) {
      const all = parse(header ?? '');
      return (
        [secureJournal, plainJournal, ...earlier].map((name) => all[name]).find((value) => value !== undefined) ?? null
      );
    },
    /** The Set-Cookie line of that: a late answer brings back no session with it. `session`: the session's cookie. */
    setJournal: (session: string, mark: string) =>
      `${line(session.startsWith('__Host-') ? secureJournal : plainJournal, encodeURIComponent(mark))}; Max-Age=${LONGEST_SECONDS}`,
    clear: () => [`${line(secureName, '')}; Max-Age=0`, `${line(plainName, '')}; Max-Age=0`],
    /** Set-Cookie lines that HTML answers carry, to learn whether this browser takes Secure cookies here. */
    probes: () => (asking ? [line(secureProbe, '1'), line(plainProbe, '1')] : []),
  };
}
