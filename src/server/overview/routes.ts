import { createHash } from 'node:crypto';
import { type Context, Hono } from 'hono';
import { KNOWN_ADDRESSES_PATH, OVERVIEW_PATH } from '#src/shared/serverPaths.ts';
import { stringifyExact } from '#src/shared/json/exactJson.ts';
import { zoneName, zoneNamed } from '#src/shared/time.ts';
import type { ApiOptions } from '#src/server/operations/apiApp.ts';
import { isProgramFault } from '#src/server/database/sql.ts';
import { knownAddressesOf, overviewOf } from './document.ts';
import type { FindOutside } from './outside.ts';
import type { AccountSnapshot, Overviews, ReadAccount } from './overviews.ts';

interface OverviewEnv {
  Bindings: { account: ReadAccount };
}

export interface OverviewAppParts {
  overviews: Overviews;
  findOutside: FindOutside;
}

type OverviewContext = Context<OverviewEnv>;

const ZONE_MAX = 60;
/** Of one account, one for each zone. */
const BODIES_MAX = 20;

interface TaggedBody {
  /** Of what it was made. */
  mark: string;
  body: string;
  tag: string;
}

/** Documents as they were made last: a busy account's takes some 50 ms. */
function createBodies() {
  const made = new WeakMap<AccountSnapshot['reading'], Map<string, TaggedBody>>();
  return ({ reading, ...facts }: AccountSnapshot, name: string, make: () => object): TaggedBody => {
    const ofAccount = made.get(reading) ?? new Map<string, TaggedBody>();
    made.set(reading, ofAccount);
    const mark = stringifyExact([reading.version(), facts]);
    const before = ofAccount.get(name);
    if (before?.mark === mark) return before;
    const body = stringifyExact(make());
    const tagged = { mark, body, tag: `W/"${createHash('sha256').update(body).digest('base64url')}"` };
    if (ofAccount.size >= BODIES_MAX) ofAccount.clear();
    ofAccount.set(name, tagged);
    return tagged;
  };
}

/**
 * GET /api/overview (shared/contract/overviewContract.ts). `refresh=true`: a person asks for what is new; `more=true`: for older
 * payments than are read by themselves; `zone`: whose days are added up.
 */
export function createOverviewApp(
  { overviews, findOutside }: OverviewAppParts,
  { newRequestId, reportFailure }: Omit<ApiOptions, 'mono'>,
) {
  const bodies = createBodies();
  const app = new Hono<OverviewEnv>({ strict: false });

  app.get(OVERVIEW_PATH, async (c) => {
    const zone = zoneNamed((c.req.query('zone') ?? 'UTC').slice(0, ZONE_MAX)) ?? 'utc';
    const read = await readFor(c);
    const snapshot = { ...read, outside: await findOutside(read, c.env.account) };
    return sendTagged(
      c,
      bodies(snapshot, zoneName(zone), () => overviewOf(snapshot, zone)),
    );
  });
  app.get(KNOWN_ADDRESSES_PATH, async (c) => {
    const snapshot = await readFor(c);
    return sendTagged(
      c,
      bodies(snapshot, 'addresses', () => knownAddressesOf(snapshot)),
    );
  });
  app.all('*', (c) => refuse(c, 405, 'method_not_allowed', `${c.req.method} is not possible here.`));

  app.onError((error, c) => {
    if (isProgramFault(error)) throw error;
    reportFailure(error);
    return refuse(c, 503, 'not_ready', 'The dashboard can’t reach its database. Try again.');
  });
  return app;

  async function readFor(c: OverviewContext): Promise<AccountSnapshot> {
    const { account } = c.env;
    if (c.req.query('more') === 'true') return overviews.readMore(account);
    return overviews.read(account, { isAsked: c.req.query('refresh') === 'true' });
  }

  function refuse(c: OverviewContext, status: 405 | 503, code: string, message: string): Response {
    const error = { type: 'overview_error', code, message, request_id: newRequestId() };
    return c.json({ error }, status);
  }
}

/** 304 without a body if the page has this document already. Weak, as the body may be compressed on its way. */
function sendTagged(c: OverviewContext, { body, tag }: TaggedBody): Response {
  c.header('ETag', tag);
  if (c.req.header('if-none-match') === tag) return c.body(null, 304);
  return c.body(body, 200, { 'Content-Type': 'application/json' });
}
