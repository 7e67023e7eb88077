import type { Scene, Server } from './scene.ts';

const SECOND = 1_000;

/** A server that has just sent something, and cannot write what it hears of it. */
export function mayCutOff(scene: Scene, server: Server): void {
  const { random, agenda, worlds, heat } = scene;
  if (heat === 0) return;
  // Others go on with the operation meanwhile.
  if ((worlds.cutsServersOff || worlds.secondIds) && random.chance(worlds.secondIds ? 0.5 : 0.25)) {
    scene.count('serversCutOff');
    server.cutOffUntil = agenda.now() + random.whole(60 * SECOND, 600 * SECOND);
  }
  if (worlds.slowStops && random.chance(0.2)) {
    scene.count('stopsWhileAway');
    scene.database.awayUntil = agenda.now() + random.whole(40 * SECOND, 180 * SECOND);
    agenda.after(random.whole(0, SECOND), () => scene.stops(server));
  }
}
