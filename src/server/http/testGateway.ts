// Test support: a gateway and a payments service behind it, both on real sockets.
import type { SessionRights } from '#src/server/people/actor.ts';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createRawServer, type Server as RawServer, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import { withdrawalRequest } from '#src/shared/operations/withdrawal.ts';
import { memoryRows } from '#src/server/operations/testMemoryRows.ts';
import { emptyJournal, type MemoryJournal } from '#src/server/operations/testMemoryJournal.ts';
import { createMarks } from '#src/server/operations/marks.ts';
import { createOperations } from '#src/server/operations/operations.ts';
import { JournalAway, type Ports, type Rows } from '#src/server/operations/ports.ts';
import { memoryMarkStore } from '#src/server/operations/testWorld.ts';
import type { SessionRows } from '#src/server/people/sessionRows.ts';
import { createSessions } from '#src/server/people/sessions.ts';
import { memorySessionRows } from '#src/server/people/testMemorySessions.ts';
import { machineJobClock } from '#src/server/jobs/jobClock.ts';
import type { Database } from '#src/server/database/sql.ts';
import { createNotices } from '#src/server/notices/notices.ts';
import { createJobs } from '#src/server/jobs/jobs.ts';
import { findNothingOutside } from '#src/server/overview/outside.ts';
import { createOverviews } from '#src/server/overview/overviews.ts';
import type { Team } from '#src/server/team/team.ts';
import { forwardTo } from './upstream/forward.ts';
import { createGateway } from './gateway.ts';
import type { GatewayOptions } from './gatewayOptions.ts';
import type { Service } from './upstream/service.ts';
import { credentialOf } from '#src/server/people/accounts.ts';
import { type GatewayTestAnswer, sendToGateway, type TestRequest } from './testRequest.ts';

export const KEY = 'sk_test_1';
/** Signs the marks of the journal in memory. */
export const TEST_MARKS = createMarks(new Uint8Array(32), 'test');
export const LIST = JSON.stringify({ object: 'list', data: [], has_more: false, next_cursor: null });

/** Listens until the test ends; returns the port. */
export async function listening(server: RawServer): Promise<number> {
  const open = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    open.add(socket);
    socket.on('close', () => open.delete(socket));
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  onTestFinished(() => {
    server.close();
    for (const socket of open) socket.destroy();
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server has no port.');
  return address.port;
}

/** A service that answers key checks with an empty list and other requests with `answer`, and records every request. */
export async function fakeService(answer: (req: IncomingMessage, res: ServerResponse, body: string) => void) {
  const seen: { method: string; url: string; headers: IncomingMessage['headers']; body: string }[] = [];
  const server = createServer((req, res) => {
    let body = '';
    req.setEncoding('utf8');
    req.on('data', (part: string) => (body += part));
    req.on('end', () => {
      seen.push({ method: req.method ?? '', url: req.url ?? '', headers: req.headers, body });
      answer(req, res, body);
    });
  });
  const port = await listening(server);
  return { url: `http://127.0.0.1:${port}`, seen, server };
}

/** A response's bytes as latin1: a head with the body's length and any extra header lines, and the body. */
export function rawAnswer(body: string, head: string[] = []): string {
  const lines = ['HTTP/1.1 200 OK', 'Content-Type: application/json', `Content-Length: ${body.length}`];
  return `${[...lines, ...head].join('\r\n')}\r\n\r\n${body}`;
}

/** A raw socket service: `answer` gets the socket once a request is complete. */
export async function rawService(answer: (socket: Socket, head: string, requestsOfSocket: number) => void) {
  const seen: string[] = [];
  const server = createRawServer((socket) => {
    let text = '';
    let requests = 0;
    socket.on('error', () => undefined);
    socket.on('data', (part) => {
      text += part.toString('latin1');
      const end = text.indexOf('\r\n\r\n');
      const length = Number(/^content-length: (\d+)/im.exec(text.slice(0, end))?.[1] ?? 0);
      if (end < 0 || text.length < end + 4 + length) return;
      seen.push(text);
      requests += 1;
      const whole = text;
      text = '';
      answer(socket, whole, requests);
    });
  });
  const port = await listening(server);
  return { url: `http://127.0.0.1:${port}`, port, seen };
}

/** Answers every read with an empty list. */
export function emptyList(_req: IncomingMessage, res: ServerResponse): void {
  res.setHeader('Content-Type', 'application/json');
  res.end(LIST);
}

function memoryOf(journal: MemoryJournal, sessionRights?: (id: string) => SessionRights | null): Rows {
  return memoryRows(() => journal, Date.now, sessionRights);
}

/** Operations in front of a service. `checkSignature`: only for people mode. */
export function operationsOn(service: Service, rows: Rows, checkSignature?: Ports['checkSignature']) {
  let names = 0;
  return createOperations({
    rows,
    service,
    random: () => 0,
    newAttemptId: () => `at_${(names += 1)}`,
    separateAccounts: false,
    neverSetBack: false,
    marks: TEST_MARKS,
    lastMark: memoryMarkStore(),
    warn: () => undefined,
    ...(checkSignature && { checkSignature }),
  });
}

/** A journal whose database is away. */
export function awayFrom(baseUrl: string) {
  const cause = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' });
  const fails = () => Promise.reject(new JournalAway('The database cannot be read.', { cause }));
  const { ports } = operationsOn(forwardTo(baseUrl), memoryOf(emptyJournal('jnl_1')));
  return createOperations({ ...ports, rows: new Proxy(ports.rows, { get: () => fails }) });
}

const away = () => Promise.reject(new Error('The team has no database here.'));
export const NO_TEAM: Team = {
  list: away,
  read: away,
  put: away,
  remove: away,
  add: away,
  madeAddresses: { list: away, find: away },
  statements: {
    list: away,
    item: away,
    find: away,
    readPieces: async function* () {
      yield await away();
    },
    readZip: away,
    close: away,
  },
};

/** A database that is away, for jobs. */
const NO_DATABASE: Database = {
  query: away,
  script: away,
  transaction: away,
  close: away,
  engine: 'PGlite',
  durable: false,
};
export const NO_NOTICES = createNotices({
  database: NO_DATABASE,
  channels: [],
  readSessionRights: away,
  activityWriter: { begin: away, note: away, endUnsentOf: away },
  peopleWith: null,
});
export const NO_JOBS = createJobs({
  database: NO_DATABASE,
  service: { name: 'test', read: away },
  readSessionRights: away,
  people: null,
  loadTeamColumns: away,
  statements: NO_TEAM.statements,
  monthEvents: { onPrepared: away, onReminder: away },
  loadTeamRecords: away,
  clock: machineJobClock,
  warn: () => undefined,
});

type GatewayChanges = Partial<GatewayOptions> & {
  /** The clock of the server and of the sessions' database, ms. */
  now?: () => number;
  /** Replaces the sessions in memory. The journal in memory then doesn't check them. */
  sessionRows?: SessionRows;
};

/** A gateway in front of a base URL. */
export async function startGateway(
  baseUrl: string,
  { now = Date.now, sessionRows, ...change }: GatewayChanges = {},
  silenceMs?: number,
) {
  const server = createServer();
  const port = await listening(server);
  const origin = change.origin ?? `http://127.0.0.1:${port}`;
  const service = forwardTo(baseUrl, silenceMs);
  const journal = emptyJournal('jnl_1');
  const memory = memorySessionRows(now);
  const operations = operationsOn(service, memoryOf(journal, sessionRows ? undefined : memory.rightsOf));
  const listener = createGateway({
    origin,
    service,
    operations,
    team: NO_TEAM,
    jobs: NO_JOBS,
    notices: NO_NOTICES,
    overviews: createOverviews({
      service,
      rows: operations.ports.rows,
      clock: { wall: now, mono: now, sleep: (ms) => wait(ms) },
    }),
    findOutside: findNothingOutside,
    readOnly: false,
    journalOnly: false,
    people: null,
    queries: { query: away, script: away },
    trustedProxies: [],
    accounts: {
      findAccount: async (credential) => credential,
      findOrCreateAccount: async (credential) => credential,
      findKnownAccount: async (credential) => credential,
      sealOf: () => '',
    },
    joining: null,
    sessions: createSessions(sessionRows ?? memory, 'a secret of the tests', { wall: now, mono: now }),
    template: () => '<html lang="en"><head></head><body></body></html>',
    assets: new Map(),
    ...change,
  });
  server.on('request', listener);
  const address = `http://127.0.0.1:${port}`;
  const json = { 'Content-Type': 'application/json', Origin: origin };

  return {
    origin,
    port,
    server,
    json,
    journal,
    sessionRows: memory,
    get: (path: string, headers: Record<string, string> = {}) => sendToGateway(address, path, { headers }),
    send: (path: string, sent: TestRequest) => sendToGateway(address, path, sent),
    /** Makes a request to /api/operations, as a page of this origin would. */
    api: (
      call: Record<string, string>,
      method: string,
      path: string,
      body?: unknown,
      more: Record<string, string> = {},
    ) =>
      sendToGateway(address, `/api/operations${path}`, {
        method,
        headers: { ...(method === 'DELETE' ? { Origin: origin } : json), ...call, ...more },
        ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      }),
    /** Signs in. Returns the Cookie header to send, and the headers of a valid request. */
    async signIn(key = KEY) {
      const body = JSON.stringify({ key });
      const answer = await sendToGateway(address, '/session', { method: 'POST', headers: json, body });
      const cookie = answer.headers['set-cookie']?.[0]?.split(';')[0] ?? '';
      return { answer, cookie, call: { Cookie: cookie, 'X-Account': credentialOf(key, baseUrl) } };
    },
  };
}

/** The code in a response's error envelope, and the kind in its Gateway-Error header. */
export function refusalIn(answer: GatewayTestAnswer): { kind: unknown; code: unknown } {
  const body: { error?: { code?: unknown } } = JSON.parse(answer.text);
  return { kind: answer.headers['gateway-error'], code: body.error?.code };
}

/** A body whose bytes would change if it were parsed and serialized again. */
export const BODY = '{ "asset":"BTC",  "chain":"bitcoin","amount":"0.10","address":"bc1q…"}';

/** The body of a PUT that starts an operation, as the form sends it, by this machine's clock. */
export function startBody(more: object = {}): object {
  const fields = {
    asset: 'BTC',
    chain: 'bitcoin',
    amount: '0.10',
    address: 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
  };
  return { ...withdrawalRequest(fields), second_send_of: [], not_after: Date.now() + 120_000, ...more };
}

/** A gateway with a session, in front of a service that responds with `answer`. */
export async function signedIn(
  answer: Parameters<typeof fakeService>[0],
  change: Parameters<typeof startGateway>[1] = {},
  silenceMs?: number,
) {
  const service = await fakeService((req, res, body) =>
    req.url === '/v1/balances?limit=1' ? emptyList(req, res) : answer(req, res, body),
  );
  const gateway = await startGateway(service.url, change, silenceMs);
  const { call } = await gateway.signIn();
  service.seen.length = 0;
  const post = (path: string, headers: Record<string, string> = {}, body = BODY) =>
    gateway.send(path, { method: 'POST', headers: { ...gateway.json, ...call, ...headers }, body });
  return { service, gateway, call, post, get: (path: string) => gateway.get(path, call) };
}
