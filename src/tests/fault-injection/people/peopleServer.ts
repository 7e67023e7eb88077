import { Readable } from 'node:stream';
import { Hono } from 'hono';
import { SERVICE } from '#src/server/operations/testAnswers.ts';
import { ORIGIN, RP_ID } from '#src/server/people/testOrigin.ts';
import { CommitUnknown, type Database, type Param, type Queries } from '#src/server/database/sql.ts';
import { createActivityLog } from '#src/server/activity/activityLog.ts';
import { serveActivity } from '#src/server/http/activityRoutes.ts';
import { serveOperations, serveTeam } from '#src/server/http/apiRoutes.ts';
import type { Bindings } from '#src/server/http/bindings.ts';
import { servePeople } from '#src/server/http/peopleRoutes.ts';
import { createCookies, createRequestSessions } from '#src/server/http/requestSession.ts';
import { serveOwnSession } from '#src/server/http/sessionRoutes.ts';
import type { Service } from '#src/server/http/upstream/service.ts';
import { createMarks } from '#src/server/operations/marks.ts';
import { createOperations } from '#src/server/operations/operations.ts';
import type { Clock } from '#src/server/operations/ports.ts';
import { openSqlRows, createActivityWriter } from '#src/server/operations/sqlRows.ts';
import { OWN_PARTS } from '#src/server/operations/sqlTransaction.ts';
import { openPeople } from '#src/server/people/people.ts';
import { createSeals } from '#src/server/people/seals.ts';
import { derivedKey } from '#src/server/people/secrets.ts';
import { createServerAccounts } from '#src/server/people/serverAccounts.ts';
import { sessionRowsOf } from '#src/server/people/sessionRows.ts';
import { createSessions, SessionsUnavailable } from '#src/server/people/sessions.ts';
import { createTickets } from '#src/server/people/tickets.ts';
import { openTeam } from '#src/server/team/team.ts';
import { answerBy, frontEnvelope, noAnswer } from '#src/tests/fault-injection/answers.ts';
import {
  API_KEY,
  type PeopleHost,
  type PeopleProcess,
  type PeopleScene,
  type PeopleServer,
  databaseNow,
  SECRET,
  type StandStill,
} from './peopleScene.ts';
import { NOTHING_MADE } from './tables.ts';

const away = (): Error => new Error('The simulation keeps the database away.');

function newProcess({ onStep }: PeopleScene): PeopleProcess {
  return {
    onStep,
    standStill: null,
    rightsAtCommit: null,
    stepsLeft: Number.POSITIVE_INFINITY,
    isKilled: false,
    onKill: () => undefined,
  };
}

/** What a killed process waits for: it never comes. */
const never = <T>(): Promise<T> => new Promise<T>(() => undefined);

/** Counts a step of the process; false if it is killed instead. */
function lives(process: PeopleProcess): boolean {
  process.onStep();
  process.stepsLeft -= 1;
  if (process.stepsLeft > 0 || process.isKilled) return !process.isKilled;
  process.isKilled = true;
  process.onKill();
  return false;
}

async function standStill({ standStill: here }: PeopleProcess, at: StandStill): Promise<void> {
  if (here?.at !== at) return;
  here.reached();
  await here.until;
}

const CHANGES = 'update operations.operations set ';

/** The database as one server sees it: statements and commits may fail, and the clock is the simulation's. */
export function faultyDatabase(scene: PeopleScene, process: PeopleProcess = newProcess(scene)): Database {
  const { random, tables, count } = scene;
  const { database } = tables;
  const timed = (text: string): string =>
    text.replaceAll('clock_timestamp()', `timestamptz '${new Date(databaseNow(scene)).toISOString()}'`);
  const on = (queries: Queries, failing: () => boolean): Queries => ({
    query: async (text, params) => {
      if (failing()) throw away();
      return queries.query(timed(text), params);
    },
    script: (text) => queries.script(timed(text)),
  });
  const fails = (): boolean => {
    const isAway = random.chance(0.01 * scene.faultRate);
    if (isAway) count('peopleReadsFailed');
    return isAway;
  };
  const reads = on(database, fails);
  return {
    ...database,
    ...reads,
    query: (text, params) => (lives(process) ? reads.query(text, params) : never()),
    transaction: async (work) => {
      await standStill(process, 'begin');
      if (!lives(process)) return never();
      const trouble = random.chance(0.1 * scene.faultRate)
        ? random.pick(['statement', 'rolledBack', 'committed'])
        : 'none';
      let left = trouble === 'statement' ? random.whole(1, 8) : Number.POSITIVE_INFINITY;
      // A transaction of a killed process is rolled back.
      const failing = (): boolean => (left -= 1) <= 0 || !lives(process);
      /** By key: the values of the last update of each operation. */
      const changed = new Map<string, readonly Param[]>();
      const noting = (queries: Queries): Queries => ({
        ...queries,
        query: (text, params = []) => {
          if (text.startsWith(CHANGES)) changed.set(String(params[0]), params);
          return queries.query(text, params);
        },
      });
      if (trouble !== 'none') count('peopleWritesFailed');
      try {
        const value = await database.transaction(async (tx) => {
          const done = await work(noting(on(tx, failing)));
          if (trouble === 'rolledBack') throw new CommitUnknown('The simulation lost COMMIT.');
          return done;
        });
        process.rightsAtCommit = scene.rightsNow();
        for (const [key, values] of changed) {
          if (values.includes('sending')) scene.begins(key, process);
          else if (values.includes('awaiting')) scene.waits(key);
        }
        if (trouble === 'committed') throw new CommitUnknown('The simulation lost the answer to COMMIT.');
        await standStill(process, 'commit');
        return lives(process) ? value : await never();
      } catch (error) {
        if (process.isKilled) return never();
        throw error;
      }
    },
  };
}

/** A server with SIGN_IN=passkey: its own routes, without sockets. */
export async function startPeopleServer(scene: PeopleScene, host: PeopleHost): Promise<PeopleServer> {
  const { accounts: named, random } = scene;
  const faultRate = scene.faultRate;
  // No faults at the start: a process that can't open the database would only be started again.
  scene.faultRate = 0;
  const process = newProcess(scene);
  const database = faultyDatabase(scene, process);
  const wall = (): number => scene.now + host.skew;
  const mono = (): number => scene.now;
  const seals = createSeals(derivedKey(SECRET, 'seals'));
  const people = openPeople({
    database,
    service: SERVICE,
    seals,
    activityWriter: createActivityWriter('people', {
      ...OWN_PARTS,
      activity: createActivityLog(derivedKey(SECRET, 'activity')),
    }),
    rpId: RP_ID,
    issuer: null,
    wall,
  });
  const rows = await openSqlRows(database, {
    mode: 'people',
    readSessionRights: people.grants.sessionRights,
    activity: createActivityLog(derivedKey(SECRET, 'activity')),
    seals,
    signing: () => signing,
  });
  const tickets = createTickets(derivedKey(SECRET, 'tickets'), wall);
  const signing = people.signingWith({ origin: ORIGIN, tickets });
  const accounts = createServerAccounts(named);
  const sessionRows = sessionRowsOf(database, SERVICE, people.grants);
  const sessions = createSessions(sessionRows, SECRET, { wall, mono }, { serverAccounts: accounts });
  const clock: Clock = {
    wall,
    mono,
    shift: () => 0,
    later: (act, ms) => {
      const timer = { at: scene.now + ms, act: () => (process.isKilled ? undefined : act()) };
      scene.timers.add(timer);
      return () => scene.timers.delete(timer);
    },
  };
  const service = serviceOf(scene, clock, process);
  const operations = createOperations({
    rows,
    service,
    random: random.next,
    newAttemptId: () => scene.name('at_'),
    separateAccounts: false,
    neverSetBack: false,
    marks: createMarks(derivedKey(SECRET, 'marks'), SERVICE),
    lastMark: {
      read: () => (host.mark === null ? [] : [host.mark]),
      keep: async (mark) => {
        host.mark = mark;
      },
    },
    warn: () => undefined,
    checkSignature: signing.check,
  });
  await operations.history.compareAtStart();
  const team = scene.worlds.recipients ? await openTeam(database, NOTHING_MADE, people.grants.sessionRights) : null;
  scene.faultRate = faultRate;

  const requestSessions = createRequestSessions({
    cookies: createCookies(ORIGIN),
    sessions,
    service,
    serverAccounts: accounts,
    readOnly: false,
    hasNotices: false,
  });
  const parts = {
    people,
    tickets,
    accounts,
    oidc: null,
    demo: null,
    origin: ORIGIN,
    itemsOf: operations.approvals.itemsOf,
    readOnly: false,
    sendsMail: false,
  };
  const app = new Hono<Bindings>();
  app.route('/session', serveOwnSession(requestSessions));
  app.route('/', servePeople(requestSessions, parts));
  app.route('/', serveOperations(requestSessions, operations, { hasPeople: true }));
  app.route('/', serveActivity(requestSessions, database));
  if (team !== null) app.route('/', serveTeam(requestSessions, team));
  app.onError((error) => {
    if (error instanceof SessionsUnavailable) return Response.json({ error: { code: 'not_ready' } }, { status: 503 });
    scene.blame('crashes', `${host.name}: ${error.stack ?? error.message}`);
    return Response.json({ error: { code: 'gateway_failed' } }, { status: 500 });
  });
  const killed = new Promise<void>((resolve) => {
    process.onKill = resolve;
  });
  const unanswered = killed.then(() => new Response(null, { status: NO_ANSWER }));
  return {
    host,
    process,
    people,
    operations,
    fetch: async (request, body) => {
      const incoming = Object.assign(Readable.from([Buffer.from(body)]), { complete: true });
      return Promise.race([app.fetch(request, { incoming }), unanswered]);
    },
    // A killed process never finishes, so don't wait for it.
    compare: () => Promise.race([operations.history.compare([]).catch(() => undefined), killed]),
  };
}

/** The status in place of a killed server's answer. */
const NO_ANSWER = 504;

/** The provider: its Date is right, some of its answers are lost, and it may refuse connections. */
function serviceOf(scene: PeopleScene, clock: Clock, process: PeopleProcess): Service {
  const { provider, random } = scene;
  const keyOf = (apiKey: string): string => (apiKey === API_KEY ? scene.providerKey : apiKey);
  const seconds = (): number => Math.floor(scene.now / 1_000);
  const isLost = (): boolean => random.chance(0.15 * scene.faultRate);
  return {
    name: SERVICE,
    demoKey: null,
    controls: null,
    sandboxAccount: async () => null,
    clock: async () => clock,
    relay: () => Promise.reject(new Error('The simulation relays nothing.')),
    read: async (apiKey, target) => {
      await standStill(process, 'read');
      if (!lives(process)) return never();
      return isLost()
        ? noAnswer('timeout', 10_000)
        : answerBy(await provider.get(keyOf(apiKey), target), seconds(), 20);
    },
    connect: async (apiKey) => {
      await standStill(process, 'connect');
      if (!lives(process)) return never();
      if (scene.areConnectionsRefused || random.chance(0.12 * scene.faultRate)) {
        scene.count('peopleConnectionsRefused');
        throw new Error('The simulation refuses the connection.');
      }
      return {
        post: async ({ path, key, body }) => {
          if (!lives(process)) return never();
          scene.posted(key, body);
          const { asksToWait } = scene;
          if (asksToWait !== null) {
            scene.asksToWait = null;
            scene.count('lineRetriesAsked');
            return answerBy(frontEnvelope(429, 'rate_limited'), seconds(), 40, String(asksToWait));
          }
          const served = await provider.post(keyOf(apiKey), path, key, body);
          if (served.status < 300) scene.executed(key);
          if (!lives(process)) return never();
          return isLost() || scene.areAnswersLost ? noAnswer('timeout', 30_000) : answerBy(served, seconds(), 40);
        },
        destroy: () => undefined,
      };
    },
  };
}
