import type { Scene } from './scene.ts';
import { freezeServer } from './freeze.ts';
import { kill, startServer, stopServer } from './servers.ts';
import { backUp, isSeenFurther, setBack } from './setBack.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

type Move = { weight: number; make: () => void };

/** Faults of servers, their clocks and their database. `haste`: factor by which they are more frequent. */
export function serverWeather(scene: Scene, haste: number): Move[] {
  return [...processes(scene, haste), ...clocks(scene, haste), ...journal(scene)];
}

function processes(scene: Scene, haste: number): Move[] {
  const { random, agenda, servers } = scene;
  const server = servers.length === 0 ? undefined : random.pick(servers);
  if (server === undefined) return [];
  return [
    {
      weight: 0.2 * haste,
      make: () => agenda.after(random.whole(0, 20 * SECOND), () => kill(scene, server, 'serversKilled')),
    },
    { weight: 0.08 * haste, make: () => agenda.after(random.whole(0, 20 * SECOND), () => stopServer(scene, server)) },
    {
      weight: 0.12 * haste,
      make: () => {
        const ms = random.pick([SECOND, 10 * SECOND, 10 * MINUTE, 10 * MINUTE, 26 * HOUR]);
        const blind = random.chance(0.5);
        agenda.after(random.whole(0, 2 * SECOND), () => freezeServer(scene, server, ms, blind), server.machine);
      },
    },
    {
      weight: 0.04,
      make: () => {
        scene.count('serversAdded');
        const [host] = scene.hosts;
        if (host !== undefined && servers.length < 4) startServer(scene, host, { readOnly: random.chance(0.5) });
      },
    },
    {
      weight: 0.05,
      make: () => {
        // A newer version takes over; older servers can't write any more and stop.
        scene.count('upgrades');
        scene.database.version += 1;
        for (const old of [...servers]) agenda.after(random.whole(0, MINUTE), () => stopServer(scene, old));
        for (const host of scene.hosts) startServer(scene, host);
      },
    },
  ];
}

function clocks(scene: Scene, haste: number): Move[] {
  const { random, rightClock } = scene;
  const jump = (): number => random.whole(-30 * HOUR, 30 * HOUR);
  return [
    {
      weight: rightClock === 'server' ? 0 : 0.1 * haste,
      make: () => {
        scene.count('serverClockJumps');
        const host = random.pick(scene.hosts);
        host.skew = random.chance(0.3) ? 0 : jump();
        scene.tell?.(`the clock of ${host.name} is ${Math.round(host.skew / HOUR)} h off`);
      },
    },
    {
      weight: rightClock === 'database' ? 0 : 0.06 * haste,
      make: () => {
        scene.count('databaseClockJumps');
        scene.database.skew = random.chance(0.3) ? 0 : jump();
        scene.tell?.(`the database's clock is ${Math.round(scene.database.skew / HOUR)} h off`);
      },
    },
    {
      // Servers and database are on one machine, which was suspended or whose clock was set manually.
      weight: rightClock !== 'service' ? 0 : scene.badReadFate === 'clean' ? 0.15 : 1,
      make: () => {
        scene.count('machineClockJumps');
        const off = random.chance(0.7) ? random.whole(-30 * HOUR, -20 * HOUR) : jump();
        for (const host of scene.hosts) host.skew = off;
        scene.database.skew = off;
        scene.tell?.(`the clocks of the servers and of the database are ${Math.round(off / HOUR)} h off`);
      },
    },
    {
      weight: rightClock === 'service' ? 0 : 0.06,
      make: () => {
        scene.wrongDateSeconds = random.chance(0.3) ? 0 : Math.round(jump() / SECOND);
      },
    },
  ];
}

function journal(scene: Scene): Move[] {
  const { random, agenda, database } = scene;
  return [
    {
      weight: 0.08,
      make: () => {
        scene.count('databaseAway');
        database.awayUntil = agenda.now() + random.whole(SECOND, random.chance(0.3) ? 20 * MINUTE : 20 * SECOND);
      },
    },
    { weight: scene.setsBack ? 1.2 : 0, make: () => agenda.after(0, () => backUp(scene)) },
    { weight: scene.setsBack && isSeenFurther(scene) ? 2 : 0, make: () => agenda.after(0, () => setBack(scene)) },
  ];
}

/** Stops everything and restarts it with clocks hours behind what was written. */
export function setClocksBack(scene: Scene): void {
  const { random, hosts, database, rightClock } = scene;
  scene.count('clocksSetBackAtEnd');
  for (const server of [...scene.servers]) kill(scene, server, 'serversKilled');
  const back = random.whole(2 * HOUR, 30 * HOUR);
  if (rightClock !== 'database') database.skew -= back;
  for (const host of hosts) if (rightClock !== 'server') host.skew -= back;
}
