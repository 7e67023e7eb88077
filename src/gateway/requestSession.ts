import type { Cookies } from './cookies.ts';
import type { Service } from './upstream/service.ts';
import type { Session, Sessions } from './session.ts';

/** What `GET /session` answers and the served HTML carries. */
export interface SessionView {
  service: string;
  account: string;
  sandbox: string | null;
  read_only: boolean;
  /** As it was typed at sign-in: nobody proved it. */
  name: string | null;
  /** The service refuses the key: the journal can be seen and closed, nothing else. */
  journal_only: boolean;
}

/** Where requests meet sessions: one place that reads the cookie and writes it again. */
export interface RequestSessions {
  service: Service;
  cookies: Cookies;
  sessions: Sessions;
  /** The session of a Cookie header; null when there is none that holds. */
  recognise(cookie: string | undefined): Promise<Recognised | null>;
  view(of: Pick<Session, 'account' | 'sandbox' | 'name' | 'journalOnly'>): SessionView;
}

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
}): RequestSessions {
  const { cookies, sessions, service, readOnly } = parts;
  return {
    service,
    cookies,
    sessions,
    async recognise(cookie) {
      for (const { name, value } of cookies.sealed(cookie)) {
        const session = await sessions.open(value);
        if (!session) continue;
        const sealed = await sessions.renew(session);
        return { session, cookieName: name, renewal: sealed && cookies.set(name, sealed) };
      }
      return null;
    },
    view: ({ account, sandbox, name, journalOnly }) => ({
      service: service.name,
      account,
      sandbox,
      read_only: readOnly,
      name,
      journal_only: journalOnly,
    }),
  };
}
