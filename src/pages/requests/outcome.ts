import type { RequestRecord } from '#src/api/requestLog.ts';

/** Classes that a list of calls can be filtered by. */
export const OUTCOMES = ['2xx', '4xx', '5xx', 'none'] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** The class of an attempt, null while it runs and for a status of no class. */
export function outcomeOf({ outcome, status }: RequestRecord): Outcome | null {
  if (outcome === 'running') return null;
  if (outcome !== 'answer' || status === null) return 'none';
  if (status >= 200 && status < 300) return '2xx';
  if (status >= 400 && status < 500) return '4xx';
  return status >= 500 ? '5xx' : null;
}
