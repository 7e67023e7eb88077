import type { Rights } from '#src/shared/permissions.ts';
import { BATCHES_PATH } from '#src/shared/contract/batchContract.ts';
import { rightsInKeyMode } from '#src/server/people/actor.ts';
import { createOperations } from '#src/server/operations/operations.ts';
import { createBatchesApp } from '#src/server/operations/batches/routes.ts';
import { createOperationsApp } from '#src/server/operations/routes.ts';
import type { OperationActor, Ports } from '#src/server/operations/ports.ts';
import type { SimulatedFault } from './counts.ts';
import { faultyRows } from './database.ts';
import type { SimulatedAccount, Host, Scene, SimulatedServer } from './scene.ts';
import { serviceOf } from './wire.ts';

/** Longer than an orderly stop takes. */
const STOP_MS = 40_000;

/** Spellings of one service's address in server settings. */
const SPELLINGS = ['https://service', 'https://service.example'] as const;

interface Kind {
  version?: number;
  readOnly?: boolean;
}

/** Starts a process, which also writes what an earlier one on its host could not. */
export function startServer(scene: Scene, host: Host, kind: Kind = {}): SimulatedServer {
  const { random } = scene;
  const server: SimulatedServer = {
    name: scene.name('server '),
    host,
    machine: { alive: true, awakeAt: 0 },
    version: kind.version ?? scene.database.version,
    readOnly: kind.readOnly ?? false,
    spelling: scene.worlds.respells ? random.pick(SPELLINGS) : SPELLINGS[0],
    stopping: false,
    killed: false,
    operations: idle,
    handle: () => Promise.reject(new Error('This server is not up yet.')),
    busy: new Map(),
    cutOffUntil: 0,
    frozenFor: 0,
  };
  // The journal stores the spelling of the first server, as `claimService` decides.
  scene.database.service ??= server.spelling;
  if (server.spelling !== scene.database.service) scene.count('respelled');
  const world: Ports = {
    rows: faultyRows(scene, server, (how) => kill(scene, server, how)),
    service: serviceOf(scene, server),
    random: () => random.next(),
    newAttemptId: () => scene.name('at_'),
    separateAccounts: false,
    neverSetBack: false,
    marks: scene.marks,
    lastMark: {
      read: () => (host.mark === null ? [] : [host.mark]),
      keep: async (mark) => {
        if (server.machine.alive) host.mark = mark;
      },
    },
    warn: () => undefined,
  };
  server.operations = createOperations(scene.mutation.world?.(world, scene, server) ?? world);
  const options = {
    newRequestId: () => scene.name('rq_'),
    reportFailure: () => undefined,
    mono: () => monoOf(scene, host),
  };
  const app = createOperationsApp(server.operations, options);
  const batchesApp = createBatchesApp(server.operations, options);
  const compared = compareAtStart(scene, server);
  server.handle = async (request, sender) => {
    await compared;
    const isForBatches = new URL(request.url).pathname.startsWith(BATCHES_PATH);
    return (isForBatches ? batchesApp : app).fetch(request, sender);
  };
  scene.servers.push(server);
  scene.tell?.(
    `${server.name} starts on ${host.name}${server.readOnly ? ', read-only' : ''}, version ${server.version}`,
  );
  scene.agenda.stir();
  takeUp(scene, server);
  scene.mutation.atStart?.(scene, server);
  return server;
}

/** A process that can't compare the journal with the mark on its disk doesn't start; another is tried. */
async function compareAtStart(scene: Scene, server: SimulatedServer): Promise<void> {
  const { latestKnownWrite } = server.host;
  const isLost = latestKnownWrite !== null && scene.lostMarks.has(scene.marks.write(latestKnownWrite));
  try {
    await server.operations.history.compareAtStart();
  } catch {
    kill(scene, server, 'startsFailed');
    return new Promise<never>(() => undefined);
  }
  if (isLost) scene.judge.witnessed('setBacksFoundByDisk');
}

const idle = new Proxy({} as SimulatedServer['operations'], {
  get: () => {
    throw new Error('This server is not up yet.');
  },
});

/** How long a server may use cached rights of a session. */
const CACHED_MS = 5_000;

/** For five seconds a server may not know of a demotion. */
function knownPermissions(
  { agenda, demotedSessions, demotionRandom }: Scene,
  session: string | null,
): Pick<Rights, 'permissions'> | null {
  const since = session === null ? undefined : demotedSessions.get(session);
  if (since === undefined) return null;
  return agenda.now() - since < CACHED_MS && demotionRandom.chance(0.5) ? null : { permissions: ['view'] };
}

/** The monotonic clock of the host's servers. */
function monoOf({ agenda }: Scene, host: Host): number {
  return agenda.now() - host.stoppedFor;
}

/** The actor for an account's session at this server. */
export function actorOf(
  scene: Scene,
  server: SimulatedServer,
  account: SimulatedAccount,
  journalOnly: boolean,
  who: string,
  session: string | null = null,
): OperationActor {
  const { agenda } = scene;
  const { host, machine, readOnly } = server;
  return {
    account: account.name,
    credential: account.name,
    session,
    person: null,
    apiKey: journalOnly ? null : account.at.apiKey,
    who,
    rights: { ...rightsInKeyMode({ journalOnly }), ...knownPermissions(scene, session), readOnly },
    clock: {
      wall: () => agenda.now() + host.skew,
      mono: () => monoOf(scene, host),
      later: (act, ms) => {
        const late = scene.random.chance(0.15 * scene.faultRate) ? scene.random.whole(9_000, 90_000) : 0;
        if (late > 0) scene.count('timersLate');
        let isOff = false;
        const wake = (): void => {
          if (isOff) return;
          agenda.stir();
          act();
        };
        agenda.after(ms + late, wake, machine);
        return () => {
          isOff = true;
        };
      },
      shift: () => 0,
    },
  };
}

/** Kills a process: what it waits for never comes and its timers never fire. */
export function kill(scene: Scene, server: SimulatedServer, how: SimulatedFault): void {
  if (!server.machine.alive) return;
  server.machine.alive = false;
  server.killed = true;
  scene.servers = scene.servers.filter((other) => other !== server);
  scene.count(how);
  if (scene.judge.batches.isRunningOn(server)) scene.count('keyRunsKilled');
  scene.tell?.(`${server.name} is gone (${how})`);
  const { host, readOnly } = server;
  const restart = (): void => {
    if (scene.servers.every((other) => other.host !== host)) startServer(scene, host, { readOnly });
  };
  scene.agenda.after(scene.random.whole(200, 30_000), restart);
}

/** SIGTERM: nothing new starts, running work may end, and a new process already runs on the same host. */
export function stopServer(scene: Scene, server: SimulatedServer): void {
  if (server.stopping) return;
  const { agenda } = scene;
  server.stopping = true;
  scene.count('serversStopped');
  scene.tell?.(`${server.name} is asked to stop`);
  const { host, readOnly } = server;
  const end = (): void => {
    if (!server.machine.alive) return;
    host.unwrittenAnswers.push(...server.operations.attempts.unwritten());
    server.machine.alive = false;
    scene.servers = scene.servers.filter((other) => other !== server);
    scene.tell?.(`${server.name} ends`);
    if (scene.servers.every((other) => other.host !== host)) startServer(scene, host, { readOnly });
  };
  agenda.stir();
  void server.operations.stop().then(end);
  agenda.after(STOP_MS, end, server.machine);
}

function takeUp(scene: Scene, server: SimulatedServer): void {
  const { host } = server;
  for (const unwritten of [...host.unwrittenAnswers]) {
    const { account, key, event } = unwritten;
    scene.count('answersTakenUp');
    const actor: OperationActor = {
      ...actorOf(scene, server, { name: account, revoked: false, at: NOWHERE }, true, ''),
      who: null,
      rights: { permissions: [], readOnly: true, keyRefused: true },
    };
    // If it can't be written to the journal now, it stays on the disk for the next start.
    const removeUnwritten = (): void => {
      host.unwrittenAnswers = host.unwrittenAnswers.filter((other) => other !== unwritten);
    };
    void server.operations.journal.advance(actor, key, event).then(removeUnwritten, () => undefined);
  }
}

const NOWHERE = { id: '', apiKey: '', deliveries: [], pendingDelivery: '' };
