import type { MiddlewareHandler } from 'hono';
import { isProgramFault } from '#src/server/database/sql.ts';
import { NotPermitted, SessionEnded } from '#src/server/people/actor.ts';
import { policyBrokenIn } from '#src/server/people/policies.ts';
import { JOURNAL_HEADER } from '#src/shared/serverPaths.ts';
import type { Operations } from './operations.ts';
import type { OperationsEnv } from './replies.ts';
import { createWriteQuota, RETRY_SECONDS, WRITES_A_MINUTE } from './writeQuota.ts';

// Shared by the Hono apps under /api.

export interface ApiOptions {
  newRequestId: () => string;
  /** Called with the error if the database fails. */
  reportFailure: (error: unknown) => void;
  /** Monotonic, in milliseconds. */
  mono: () => number;
}

/** For a request whose transaction may or may not have been committed. */
export const OUTCOME_UNKNOWN = 'The database cannot be reached now, so what became of this is not known. Ask again.';

/** Compares the journal with the marks that the page sent, and answers with its newest. */
export function carryMark(history: Operations['history']): MiddlewareHandler<OperationsEnv> {
  return async (c, next) => {
    await history.compare(c.env.marks);
    await next();
    const mark = history.latest();
    if (mark !== null) c.res.headers.set(JOURNAL_HEADER, mark);
  };
}

interface ActorEnv {
  Bindings: { actor: { person: string | null; account: string } };
}

/** Refuses writes beyond the quota of the person, or of the account in key mode. `refuse` makes the 429 with this message. */
export function limitWrites<E extends ActorEnv>(
  mono: () => number,
  refuse: (c: Parameters<MiddlewareHandler<E>>[0], tooMany: string) => Response,
): MiddlewareHandler<E> {
  const isWithinQuota = createWriteQuota();
  return async (c, next) => {
    const { person, account } = c.env.actor;
    const isRead = c.req.method === 'GET' || c.req.method === 'HEAD';
    if (isRead || isWithinQuota(person ?? account, mono())) return next();
    c.header('Retry-After', String(RETRY_SECONDS));
    return refuse(c, `More than ${WRITES_A_MINUTE} changes a minute.`);
  };
}

interface Failure {
  error: unknown;
  reportFailure: ApiOptions['reportFailure'];
  /** The message for a database failure. */
  away?: string;
}

/** For onError. Rethrows errors that the server answers itself: an ended session and a programming error. */
export function refuseFailure(
  { error, reportFailure, away = 'The dashboard can’t reach its database. Try again.' }: Failure,
  refuse: (status: 403 | 503, code: 'not_permitted' | 'not_ready', message: string) => Response,
): Response {
  if (error instanceof NotPermitted) return refuse(403, 'not_permitted', error.message);
  if (error instanceof SessionEnded || isProgramFault(error)) throw error;
  const broken = policyBrokenIn(error);
  if (broken !== null) return refuse(503, 'not_ready', broken.message);
  reportFailure(error);
  return refuse(503, 'not_ready', away);
}
