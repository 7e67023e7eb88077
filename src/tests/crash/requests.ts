import { sendTo, type HttpAnswer } from '#src/tests/contract/http.ts';

export const KEY_OF_ANSWERED = 'answered before any kill';

/** A withdrawal's exact body. The tests use another amount for each intent. */
export function withdrawalText(amount: string): string {
  return `{"asset":"BTC","chain":"bitcoin","amount":"${amount}","address":"bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4"}`;
}

/** A control of the sandbox; throws unless it answers 201. */
export async function post(baseUrl: string, path: string, body: object): Promise<HttpAnswer> {
  const headers = { 'content-type': 'application/json' };
  const answer = await sendTo(baseUrl, path, { method: 'POST', body: JSON.stringify(body), headers });
  if (answer.status !== 201) throw new Error(`POST ${path}: ${answer.status} ${answer.text}`);
  return answer;
}
