import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, inject } from 'vitest';
import { bodyOf, clientAt, sendTo, type Item } from '#src/tests/contract/http.ts';
import { spawnSandbox, startSandbox } from '#src/tests/process/sandboxProcess.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** An account with 10 BTC in it and one withdrawal already answered. */
    template: {
      directory: string;
      account: string;
      key: string;
      answered: { id: string; text: string; requestId: string };
    };
  }
}

export const template = inject('template');

/** A sandbox on a directory of its own, answering; with a point to be killed at, if one is named. */
export const start = (directory: string, killAt = '') =>
  startSandbox({ DATA_DIR: directory, SANDBOX_KILL_AT: killAt }, true);

/** The same, not waiting until it answers: it may never do. */
export const spawn = (directory: string, killAt: string) =>
  spawnSandbox({ DATA_DIR: directory, SANDBOX_KILL_AT: killAt }, true);

/** A copy of the template's database, to be killed in; all copies go away with the template. */
export async function copyAs(name: string): Promise<string> {
  const copy = join(template.directory, name);
  await cp(join(template.directory, 'template'), copy, { recursive: true });
  return copy;
}

/** The journal adds up to zero per asset, and the withdrawals that the service lists are returned. */
export async function judge(baseUrl: string): Promise<Item[]> {
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
