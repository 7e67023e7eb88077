import { useSyncExternalStore } from 'react';
import * as v from 'valibot';
import { parseJson } from '#src/lib/answers.ts';
import { stringifyExact } from '#src/lib/exactJson.ts';
import { createStore } from '#src/lib/store.ts';

const schema = v.object({
  /** Whose: another account starts from nothing. */
  account: v.string(),
  scenario: v.picklist(['lost-answer', 'slow', 'late-payment', 'too-late']),
  /** The account's clock when it began, Unix seconds. */
  since: v.number(),
  /** Made up for this rehearsal: nobody was ever paid there. */
  address: v.string(),
  deposit: v.optional(v.object({ id: v.string(), asset: v.string(), amount: v.string() })),
});
/** How far a guided rehearsal has come; the rest is read from what really happened. */
export type Progress = v.InferOutput<typeof schema>;
export type ScenarioId = Progress['scenario'];

const KEY = 'countinghouse.rehearsal';
const current = createStore(stored());

// Kept for the tab, so that a reload in the middle of a bad day loses nothing.
function stored(): Progress | null {
  try {
    const read = v.safeParse(schema, parseJson(window.sessionStorage.getItem(KEY) ?? ''));
    return read.success ? read.output : null;
  } catch {
    return null;
  }
}

export function setProgress(next: Progress | null): void {
  try {
    if (next === null) window.sessionStorage.removeItem(KEY);
    else window.sessionStorage.setItem(KEY, stringifyExact(next));
  } catch {
    // It lives in memory then.
  }
  current.set(next);
}

/** The rehearsal that this account is in, null for none. */
export function useProgress(account: string): Progress | null {
  const progress = useSyncExternalStore(current.subscribe, current.get);
  return progress?.account === account ? progress : null;
}

/** Twenty random bytes: an address on Ethereum that is nobody's. */
export function freshAddress(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(20));
  return `0x${Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}
