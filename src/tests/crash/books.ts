import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, inject } from 'vitest';
import { bodyOf, clientAt, sendTo, type Item } from '#src/tests/contract/http.ts';
import type { SocketAnswer } from '#src/tests/contract/rawSocket.ts';
import { spawnSandbox, startSandbox } from '#src/tests/process/sandboxProcess.ts';
import { KEY_OF_ANSWERED, withdrawalText } from './requests.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** An account with 10 BTC and one answered withdrawal. */
    template: {
      directory: string;
      account: string;
      key: string;
      answered: { id: string; text: string; requestId: string };
    };
  }
}

export const template = inject('template');

/** Starts a sandbox on a directory and waits until it answers, optionally with a point at which it kills itself. */
export const start = (directory: string, killAt = '') => startSandbox({ DATA_DIR: directory, SANDBOX_KILL_AT: killAt });

/** The same without waiting until it answers, as it may never do so. */
export const spawn = (directory: string, killAt: string) =>
  spawnSandbox({ DATA_DIR: directory, SANDBOX_KILL_AT: killAt });

/** A copy of the template's database; all copies are removed with the template. */
export async function copyAs(name: string): Promise<string> {
  const copy = join(template.directory, name);
  await cp(join(template.directory, 'template'), copy, { recursive: true });
  return copy;
}

/** The journal adds up to zero per asset, and the withdrawals that the service lists are returned. */
export async function judgeBooks(baseUrl: string): Promise<Item[]> {
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

/** Kills one after the other, each during a withdrawal of another amount. */
export const CRASH_AMOUNTS = ['0.1', '0.2'];

/** Responses from before the kills are replayed byte for byte. */
async function expectAnswered(baseUrl: string): Promise<void> {
  const replay = await clientAt(baseUrl, template.key).post('/v1/withdrawals', withdrawalText('0.5'), KEY_OF_ANSWERED);
  expect(replay.text).toBe(template.answered.text);
  expect(replay.headers.get('request-id')).toBe(template.answered.requestId);
  expect(replay.headers.get('idempotency-replayed')).toBe('true');
}

/** The intents are retried twice: at most one execution each, a replay exactly where the commit came before the kill. */
export async function expectOnce(directory: string, committed: boolean, cut: readonly SocketAnswer[]): Promise<void> {
  const sandbox = await start(directory);
  const client = clientAt(sandbox.baseUrl, template.key);
  const ids = [template.answered.id];
  await expectAnswered(sandbox.baseUrl);
  for (const [index, amount] of CRASH_AMOUNTS.entries()) {
    const first = await client.post('/v1/withdrawals', withdrawalText(amount), `key ${amount}`);
    const second = await client.post('/v1/withdrawals', withdrawalText(amount), `key ${amount}`);
    expect(first.status, first.text).toBe(201);
    expect(first.headers.has('idempotency-replayed')).toBe(committed);
    expect(second.text).toBe(first.text);
    expect(first.text.startsWith(cut[index]?.body ?? '')).toBe(true);
    ids.push(bodyOf<Item>(first).id);
  }
  expect((await judgeBooks(sandbox.baseUrl)).map((item) => item.id)).toEqual(ids.toReversed());
  await sandbox.stop();
}
