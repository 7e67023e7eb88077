import type { RequestRecord } from './requestLog.ts';

const REASONS: Record<Exclude<RequestRecord['outcome'], 'answer'>, string> = {
  running: 'Running',
  timeout: 'No answer in time',
  network: 'No answer',
  redirect: 'Redirect refused',
  aborted: 'Given up here',
  offline: 'Offline, not sent',
};

/** How an attempt ended in a word or two: "200", "No answer in time". */
export function outcomeWords({ outcome, status }: RequestRecord): string {
  return outcome === 'answer' ? String(status) : REASONS[outcome];
}
