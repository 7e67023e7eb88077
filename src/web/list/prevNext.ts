import { createContext } from 'react';
import { locationState } from '#src/web/storage/locationState.ts';

/** A step from the open detail to a neighbouring row, or why there is none. */
export type Step = { go: () => void } | { why: string };

/** The rows before and after the one whose detail is open, in the order of the list. */
export interface PrevNext {
  noun: string;
  previous: Step;
  next: Step;
  reading: boolean;
  /** Why loading more rows opened nothing. */
  note: string | null;
}

/** Null where a detail has no list beside it. */
export const PrevNextContext = createContext<PrevNext | null>(null);

/** The state of a navigation to a neighbour: its row comes into sight. */
export const STEPPED = locationState({ stepped: true });
