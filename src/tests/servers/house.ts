import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { inject } from 'vitest';
import type { OperationView } from '#src/shared/contract/gatewayContract.ts';
import { openDatabase } from '#src/server/database/openDatabase.ts';
import { startDashboard, type Dashboard } from '#src/tests/process/dashboardProcess.ts';
import { viewIn, type SignedInPerson } from './person.ts';
import { serviceUrl } from './service.ts';
import { until } from './until.ts';

const { directory } = inject('servers');

/** The error of a server started on a data directory in use. */
export const IN_USE = /^The database in .* is in use by another process \(\d+\)\. Stop it, or set DATA_DIR\.\n$/;

/** A data directory of its own for a server, with an empty journal. */
export function newDirectory(name: string): string {
  const copy = join(directory, name);
  cpSync(join(directory, 'template'), copy, { recursive: true });
  return copy;
}

export const envOf = (dataDirectory: string, more: Record<string, string> = {}): Record<string, string> => ({
  DATA_DIR: dataDirectory,
  PAYMENTS_BASE_URL: serviceUrl,
  ...more,
});

/** Starts a server on the directory and waits until it answers. OPERATIONS_KILL_AT in `more` makes it kill itself at that step. */
export const startOn = (dataDirectory: string, more: Record<string, string> = {}, port?: number): Promise<Dashboard> =>
  startDashboard(envOf(dataDirectory, more), port);

/** Lets every lease of a stopped server end, as a minute would. */
export async function endLeases(dataDirectory: string): Promise<void> {
  const database = await openDatabase({ directory: dataDirectory });
  await database.query('update operations.operations set lease_until = 1 where lease_until is not null');
  await database.query('update operations.batches set lease_until = 1 where lease_until is not null');
  await database.close();
}

/** The operation once it is neither under way nor waiting. */
export async function settled(person: SignedInPerson, key: string): Promise<OperationView> {
  let view: OperationView | undefined;
  await until('the operation is settled', async () => {
    view = viewIn(await person.read(key));
    return view !== undefined && view.operation.state !== 'sending' && !view.waiting;
  });
  if (view === undefined) throw new Error('There is no such operation.');
  return view;
}
