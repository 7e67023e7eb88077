import { isObject } from '#src/lib/answers.ts';

/** What another page handed over: an address to name, and the form that it came from. */
export interface Arrival {
  add: { chain: string; address: string } | null;
  /** The values of a withdrawal's form, given back as they came. */
  back: Record<string, unknown> | null;
}

export function arrivalOf(state: unknown): Arrival {
  if (!isObject(state)) return { add: null, back: null };
  const { add, back } = state;
  const isPlace = isObject(add) && typeof add['chain'] === 'string' && typeof add['address'] === 'string';
  return {
    add: isPlace ? { chain: String(add['chain']), address: String(add['address']) } : null,
    back: isObject(back) ? back : null,
  };
}
