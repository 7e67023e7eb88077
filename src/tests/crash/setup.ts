import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { bodyOf, clientAt, type Item } from '#src/tests/contract/http.ts';
import { startSandbox } from '#src/tests/process/sandboxProcess.ts';
import { KEY_OF_ANSWERED, post, withdrawalText } from './requests.ts';

let directory: string | undefined;

/** Creating a database costs seconds, so it is done once here and copied for every run. */
export async function setup(project: TestProject): Promise<void> {
  directory = mkdtempSync(join(tmpdir(), 'countinghouse-crash-'));
  const sandbox = await startSandbox({ DATA_DIR: join(directory, 'template') });
  const made = await post(sandbox.baseUrl, '/sandbox/accounts', { deposits: 0, assets: 0 });
  const { account, key } = bodyOf<{ account: string; key: string }>(made);
  const funds = { account, asset: 'BTC', chain: 'bitcoin', amount: '10', status: 'completed' };
  await post(sandbox.baseUrl, '/sandbox/deposits', funds);
  const answer = await clientAt(sandbox.baseUrl, key).post('/v1/withdrawals', withdrawalText('0.5'), KEY_OF_ANSWERED);
  const requestId = answer.headers.get('request-id');
  if (answer.status !== 201 || requestId === null) throw new Error(`The withdrawal: ${answer.status} ${answer.text}`);
  await sandbox.stop();
  const answered = { id: bodyOf<Item>(answer).id, text: answer.text, requestId };
  project.provide('template', { directory, account, key, answered });
}

export function teardown(): void {
  if (directory !== undefined) rmSync(directory, { recursive: true, force: true });
}
