import { createHash } from 'node:crypto';
import { type Context, Hono } from 'hono';
import type { ChainAddress } from '#src/shared/chains/lookAlike.ts';
import type { PaymentKind } from '#src/shared/operations/paymentHistory.ts';
import {
  ADDRESS_DEPOSITS_PATH,
  ASSET_OVERVIEW_PATH,
  KNOWN_ADDRESSES_PATH,
  OVERVIEW_PATH,
  RECIPIENT_PAYMENTS_PATH,
} from '#src/shared/serverPaths.ts';
import { stringifyExact } from '#src/shared/json/exactJson.ts';
import { isStorable } from '#src/shared/text.ts';
import { type Zone, zoneName, zoneNamed } from '#src/shared/time.ts';
import type { ApiOptions } from '#src/server/operations/apiApp.ts';
import type { AccountOwner } from '#src/server/operations/ports.ts';
import { isProgramFault } from '#src/server/database/sql.ts';
import type { Team } from '#src/server/team/team.ts';
import { ADDRESS_DAYS, addressPaymentsOf } from './addressPayments.ts';
import { assetOverviewOf } from './assetDocument.ts';
import { knownAddressesOf, overviewOf } from './document.ts';
import type { FindOutside } from './outside.ts';
import type { AccountSnapshot, Overviews, ReadAccount, Snapshot } from './overviews.ts';
import { findDepositAddress, findRecipientAddresses } from './teamAddresses.ts';

interface OverviewEnv {
  Bindings: { account: ReadAccount };
}

export interface OverviewAppParts {
  overviews: Overviews;
  findOutside: FindOutside;
  team: Pick<Team, 'list' | 'madeAddresses' | 'statements'>;
}

type OverviewContext = Context<OverviewEnv>;

const ZONE_MAX = 60;
/** Most documents cached per account, one for each zone. */
const BODIES_MAX = 20;

interface TaggedBody {
  /** Identifies the data that the document was made from. */
  mark: string;
  body: string;
  tag: string;
}

/** Caches the latest documents, because one for a busy account takes some 50 ms. `facts`: the other data they are made from. */
function createBodies() {
  const cache = new WeakMap<object, Map<string, TaggedBody>>();
  return ({ reading, ...facts }: Snapshot<{ version: () => number }>, name: string, make: () => object): TaggedBody => {
    const ofAccount = cache.get(reading) ?? new Map<string, TaggedBody>();
    cache.set(reading, ofAccount);
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
 * GET /api/overview and the paths below it (shared/contract/overviewContract.ts). `refresh=true`: a person asks for fresh data;
 * `more=true`: a person asks for older payments; `zone`: time zone of the days that are added up.
 */
export function createOverviewApp(
  { overviews, findOutside, team }: OverviewAppParts,
  { newRequestId, reportFailure }: Omit<ApiOptions, 'mono'>,
) {
  const bodies = createBodies();
  const app = new Hono<OverviewEnv>({ strict: false });

  app.get(OVERVIEW_PATH, async (c) => {
    const zone = zoneOf(c);
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
  app.get(`${ASSET_OVERVIEW_PATH}/:asset`, async (c) => {
    const [{ account }, { asset }, zone] = [c.env, c.req.param(), zoneOf(c)];
    const closed = await team.statements.list(ownerOf(account));
    const snapshot = isMore(c)
      ? overviews.readMoreOfAsset(account, asset)
      : await overviews.readAsset(account, asset, { isManualRefresh: isManualRefresh(c) });
    const facts = { ...snapshot, closed: closed.map(({ closing }) => closing) };
    return sendTagged(
      c,
      bodies(facts, zoneName(zone), () => assetOverviewOf(snapshot, { asset, closed, zone })),
    );
  });
  app.get(`${RECIPIENT_PAYMENTS_PATH}/:id`, async (c) => {
    const addresses = await findRecipientAddresses(team, ownerOf(c.env.account), c.req.param('id'));
    if (addresses === null) return refuse(c, 404, 'not_found', 'There is no such recipient.');
    return sendPayments(c, 'withdrawal', addresses);
  });
  app.get(`${ADDRESS_DEPOSITS_PATH}/:id`, async (c) => {
    const id = c.req.param('id');
    const address = isStorable(id) ? await findDepositAddress(team, ownerOf(c.env.account), id) : null;
    if (address === null) return refuse(c, 404, 'not_found', 'There is no such deposit address.');
    return sendPayments(c, 'deposit', [address]);
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
    return isMore(c) ? overviews.readMore(account) : overviews.read(account, { isManualRefresh: isManualRefresh(c) });
  }

  /** The payments of a kind to these addresses. */
  async function sendPayments(
    c: OverviewContext,
    kind: PaymentKind,
    addresses: readonly ChainAddress[],
  ): Promise<Response> {
    const { account } = c.env;
    const days = isMore(c) ? Infinity : ADDRESS_DAYS;
    if (isMore(c)) overviews.readMore(account, [kind]);
    const snapshot = await overviews.readBack(account, { kind, days, isManualRefresh: isManualRefresh(c) });
    const facts = { ...snapshot, addresses };
    return sendTagged(
      c,
      bodies(facts, c.req.path, () => addressPaymentsOf(snapshot, kind, addresses)),
    );
  }

  function refuse(c: OverviewContext, status: 404 | 405 | 503, code: string, message: string): Response {
    const error = { type: 'overview_error', code, message, request_id: newRequestId() };
    return c.json({ error }, status);
  }
}

const isManualRefresh = (c: OverviewContext): boolean => c.req.query('refresh') === 'true';
const isMore = (c: OverviewContext): boolean => c.req.query('more') === 'true';

function zoneOf(c: OverviewContext): Zone {
  return zoneNamed((c.req.query('zone') ?? 'UTC').slice(0, ZONE_MAX)) ?? 'utc';
}

function ownerOf({ service, account }: ReadAccount): AccountOwner {
  return { service, account };
}

/** 304 without a body if the page has this document already. The tag is weak, because a proxy may compress the body. */
function sendTagged(c: OverviewContext, { body, tag }: TaggedBody): Response {
  c.header('ETag', tag);
  if (c.req.header('if-none-match') === tag) return c.body(null, 304);
  return c.body(body, 200, { 'Content-Type': 'application/json' });
}
