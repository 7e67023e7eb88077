import type { World } from './world.ts';

/** A moment on both clocks of the device. */
export interface Moment {
  wall: number;
  mono: number;
}

export function momentOf({ wall, mono }: Pick<World, 'wall' | 'mono'>): Moment {
  return { wall: wall(), mono: mono() };
}

/** Milliseconds since then, by the clock that tells more: one stands still while the device sleeps, the other may be set. */
export function passedSince({ wall, mono }: Pick<World, 'wall' | 'mono'>, moment: Moment): number {
  return Math.max(Math.abs(wall() - moment.wall), mono() - moment.mono);
}
