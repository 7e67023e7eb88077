import type { Scene } from './scene.ts';

/** Whether what this run is for goes wrong only where the first answers are lost, and nobody looks for a day. */
export function isUnheard({ worlds, ailing, rightClock }: Scene): boolean {
  return worlds.pagesLists || worlds.breaksLists || (ailing !== 'clean' && rightClock === 'service');
}

export function takesADay(scene: Scene): boolean {
  return isUnheard(scene) || scene.worlds.altersObjects || scene.worlds.deafColleagues;
}
