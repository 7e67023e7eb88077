import { randomUUID } from 'node:crypto';
import { ALONE, type Account } from './sandbox.ts';
import { SERVERS } from './servers.ts';
import { type Fields, bytesOf } from './withdrawing.ts';

/** Creates a withdrawal directly at the service, unknown to the dashboard. */
export async function withdrawByApi(account: Account, fields: Fields): Promise<string> {
  const answer = await fetch(`${SERVERS.raw.origin}/v1/withdrawals`, {
    method: 'POST',
    headers: {
      ...ALONE,
      'x-api-key': account.key,
      'Content-Type': 'application/json',
      'Idempotency-Key': randomUUID(),
    },
    body: bytesOf(fields),
  });
  if (answer.status !== 201) throw new Error(`POST /v1/withdrawals: ${answer.status} ${await answer.text()}`);
  const { id }: { id: string } = JSON.parse(await answer.text());
  return id;
}
