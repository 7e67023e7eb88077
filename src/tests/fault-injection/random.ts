/** All randomness of a run, from its seed. */
export interface Random {
  /** From 0 up to 1. */
  next: () => number;
  chance: (probability: number) => boolean;
  /** An integer, both ends included. */
  whole: (low: number, high: number) => number;
  pick: <T>(from: readonly T[]) => T;
}

/** Mulberry32: 32 bits of state are plenty for one seed's few thousand draws. */
export function randomOf(seed: number): Random {
  let state = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) ^ Math.floor(seed / 4_294_967_296);
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  return {
    next,
    chance: (probability) => next() < probability,
    whole: (low, high) => low + Math.floor(next() * (high - low + 1)),
    pick: (from) => {
      const picked = from[Math.floor(next() * from.length)];
      if (picked === undefined) throw new Error('There is nothing to pick from.');
      return picked;
    },
  };
}

/** Draws a name with a probability proportional to its weight. */
export function drawing<Name extends string>(weights: Record<Name, number>): (random: Random) => Name {
  const names = Object.keys(weights).filter((name): name is Name => name in weights);
  const upTo: number[] = [];
  let total = 0;
  for (const name of names) upTo.push((total += weights[name]));
  const last = names.at(-1);
  if (last === undefined) throw new Error('There is nothing to draw from.');
  return (random) => {
    const drawn = random.next() * total;
    return names[upTo.findIndex((bound) => drawn < bound)] ?? last;
  };
}
