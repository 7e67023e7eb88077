import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { bodyOf, clientAt, sendTo, type Answer, type Item } from '#src/tests/contract/http.ts';
import { startSandbox } from '#src/tests/process/sandboxProcess.ts';

/** An account with 10 BTC in it and one withdrawal already answered. */
export interface Template {
  directory: string;
  account: string;
  key: string;
  answered: Answer;
}

export const KEY_OF_ANSWERED = 'answered before any kill';

/** A withdrawal's exact body; each amount stands for another intent. */
export function withdrawal(amount: string): string {
  return `{"asset":"BTC","chain":"bitcoin","amount":"${amount}","address":"bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4"}`;
}

export async function post(baseUrl: string, path: string, body: object): Promise<Answer> {
  const headers = { 'content-type': 'application/json' };
  const answer = await sendTo(baseUrl, path, { method: 'POST', body: JSON.stringify(body), headers });
  if (answer.status !== 201) throw new Error(`POST ${path}: ${answer.status} ${answer.text}`);
  return answer;
}

/** Creating a database costs seconds, so it is done once and copied for every run. */
export async function makeTemplate(): Promise<Template> {
  const directory = mkdtempSync(join(tmpdir(), 'countinghouse-crash-'));
  const sandbox = await startSandbox({ SANDBOX_DATA: join(directory, 'template') });
  const made = await post(sandbox.baseUrl, '/sandbox/accounts', { deposits: 0, assets: 0 });
  const { account, key } = bodyOf<{ account: string; key: string }>(made);
  const funds = { account, asset: 'BTC', chain: 'bitcoin', amount: '10', status: 'completed' };
  await post(sandbox.baseUrl, '/sandbox/deposits', funds);
  const answered = await clientAt(sandbox.baseUrl, key).post('/v1/withdrawals', withdrawal('0.5'), KEY_OF_ANSWERED);
  expect(answered.status).toBe(201);
  await sandbox.stop();
  return { directory, account, key, answered };
}

export function dropTemplate(template: Template): void {
  rmSync(template.directory, { recursive: true, force: true });
}

/** A copy of the template's database, to be killed in. */
export function copyOf(template: Template, name: string): string {
  const copy = join(template.directory, name);
  cpSync(join(template.directory, 'template'), copy, { recursive: true });
  return copy;
}

/** The journal adds up to zero per asset, and the withdrawals that the service lists are returned. */
export async function judge(baseUrl: string, template: Template): Promise<Item[]> {
  const ledger = await sendTo(baseUrl, `/sandbox/ledger?account=${template.account}`, {});
  const { sums } = bodyOf<{ sums: Record<string, string> }>(ledger);
  expect(sums).toEqual({ BTC: expect.stringMatching(/^0(\.0+)?$/) as unknown });
  const listed: Item[] = [];
  const client = clientAt(baseUrl, template.key);
  for (let cursor: string | null = ''; cursor !== null;) {
    const after: string = cursor === '' ? '' : `&starting_after=${encodeURIComponent(cursor)}`;
    const page = await client.page(`/v1/withdrawals?limit=100${after}`);
    listed.push(...page.data);
    cursor = page.next_cursor;
  }
  expect(new Set(listed.map((item) => item.id)).size).toBe(listed.length);
  return listed;
}
