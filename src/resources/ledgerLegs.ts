import type { LedgerEntryRow } from '#src/api/schemas.ts';
import { getSession, subscribeSession } from '#src/api/session.ts';
import { createPairs, sourceOf } from './ledgerSource.ts';

const legs = createPairs();
let learned = new WeakSet<object>();
let account = getSession()?.account;

// What was loaded for one account is gone before another one, or nobody, is signed in.
subscribeSession(() => {
  const next = getSession()?.account;
  if (next === account) return;
  account = next;
  legs.clear();
  learned = new WeakSet();
});

/** Hears the rows of a page, so that the legs among them find each other. */
export function learnLegs(rows: readonly LedgerEntryRow[]): void {
  if (learned.has(rows)) return;
  learned.add(rows);
  for (const row of rows) legs.add(row);
}

/** What a leg of a swap was swapped with, as far as pages were loaded; null for any other entry. */
export function otherLeg(row: LedgerEntryRow): { leg: LedgerEntryRow; isOut: boolean } | null {
  const pair = legs.of(sourceOf(row));
  if (!pair) return null;
  return pair.out.id === row.id ? { leg: pair.in, isOut: true } : { leg: pair.out, isOut: false };
}
