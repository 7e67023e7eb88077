import type { Random } from './random.ts';

/** Properties of a run and their independent probabilities. The README explains each one. */
const CHANCES = {
  stalling: 0.06,
  splitsCopies: 0.06,
  secondIds: 0.08,
  repeatsIds: 0.08,
  altersObjects: 0.06,
  pagesLists: 0.08,
  breaksLists: 0.05,
  oddHeaders: 0.15,
  deafColleagues: 0.1,
  paysElsewhere: 0.12,
  slowStops: 0.08,
  cutsServersOff: 0.05,
  overloads: 0.05,
  sharesAccount: 0.15,
  foreignPages: 0.05,
  setsClocksBack: 0.05,
  respells: 0.05,
} as const;

export type World = keyof typeof CHANCES;
export type Worlds = Record<World, boolean>;

export function worldsOf(random: Random): Worlds {
  const drawn = Object.entries(CHANCES).map(([world, chance]) => [world, random.chance(chance)]);
  return Object.fromEntries(drawn) as Worlds;
}
