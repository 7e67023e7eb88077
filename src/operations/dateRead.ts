import { isObject, parseJson } from '#src/lib/answers.ts';
import { PATHS } from '#src/api/contract.ts';
import type { Attempt, Call } from '#src/api/http.ts';

export type DateRead = { date: number } | { reason: string };

/**
 * The service's own clock (unix seconds), from the Date of a read made now. A reason instead when it does not answer
 * as itself: somebody else's page (a hotel's, a proxy's) has somebody else's clock.
 */
export async function readServiceDate(
  network: (call: Call) => Promise<Attempt>,
  account: string,
  timeoutMs?: number,
): Promise<DateRead> {
  const query = new URLSearchParams({ limit: '1' });
  const answer = await network({ method: 'GET', path: PATHS.balances, query, account, timeoutMs });
  if (answer.kind === 'no-answer') {
    if (answer.reason === 'offline') return { reason: 'This device is offline.' };
    if (answer.reason === 'timeout') return { reason: 'The service did not answer in time.' };
    if (answer.reason === 'redirect') return { reason: 'Something answered in place of the payment service.' };
    return { reason: 'The service cannot be reached.' };
  }
  if (answer.gatewayError === 'session') return { reason: 'The session has ended. Sign in again.' };
  if (answer.gatewayError === 'account') return { reason: 'Another account is signed in in this browser.' };
  if (answer.gatewayError !== null) return { reason: 'The gateway cannot reach the service.' };
  if (answer.status === 401 || answer.status === 403) return { reason: 'The service does not accept the API key.' };
  if (answer.status < 200 || answer.status >= 300) {
    return { reason: `The service answered ${answer.status} to a read of its clock.` };
  }
  const body = answer.complete ? parseJson(answer.text) : undefined;
  if (!isObject(body) || !Array.isArray(body['data'])) {
    return { reason: 'What answered is not the payment service, or its answer was cut short.' };
  }
  if (answer.date === null) return { reason: 'The service states no time, so nothing can be sent safely.' };
  return { date: answer.date };
}
