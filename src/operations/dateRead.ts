import { PATHS } from '#src/api/contract.ts';
import { type Attempt, isObject, parseJson } from '#src/lib/answers.ts';

export type DateRead = { date: number } | { reason: string };

const REASONS: Record<string, string> = {
  timeout: 'The payments service did not respond in time.',
  redirect: 'Something else responded in place of the payments service.',
};

/**
 * The service's own clock (unix seconds), from the Date of a read made now. A reason instead when it does not answer
 * as itself: somebody else's page (a hotel's, a proxy's) has somebody else's clock.
 */
export async function readServiceDate(read: (target: string) => Promise<Attempt>): Promise<DateRead> {
  const answer = await read(`${PATHS.balances}?limit=1`);
  if (answer.kind === 'no-answer') {
    return { reason: REASONS[answer.reason] ?? 'The payments service cannot be reached.' };
  }
  if (answer.status === 401 || answer.status === 403) {
    return { reason: 'The payments service does not accept the API key.' };
  }
  if (answer.status < 200 || answer.status >= 300) {
    return { reason: `The payments service responded ${answer.status} when it was asked for its time.` };
  }
  const body = answer.complete ? parseJson(answer.text) : undefined;
  if (!isObject(body) || !Array.isArray(body['data'])) {
    return { reason: 'What responded is not the payments service, or the response was cut short.' };
  }
  if (answer.date === null) return { reason: 'The payments service states no time, so nothing can be sent safely.' };
  return { date: answer.date };
}
