import { mkdirSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { syncPath } from '#src/database/fsync.ts';
import type { Database } from '#src/database/sql.ts';
import type { Unwritten } from '#src/operations/attempts.ts';
import { createOperations, type Operations } from '#src/operations/operations.ts';
import { openSqlRows } from '#src/operations/sqlRows.ts';
import { type Actor, OPERATION_STEPS, type OperationStep } from '#src/operations/ports.ts';
import { machineClock } from './clock.ts';
import { type Service, SANDBOX_SERVICE } from './upstream/service.ts';
import { type Settings, SettingsError } from './settings.ts';

/** Whoever makes attempts is over within this: an attempt has 30 s, and may be followed by a read. */
const STOP_MS = 40_000;
const PREFIX = 'unwritten-answers-';
const SUFFIX = '.json';

type OperationsSettings = Pick<Settings, 'dataDirectory' | 'separateAccounts' | 'operationsKillAt'>;

export interface OpenOperations {
  operations: Operations;
  /** Begins nothing more, waits for the attempts, and keeps on disk what the journal did not take. */
  stop(): Promise<void>;
}

/** The journal on the database of this server, and what an earlier process could not write to it. */
export async function openOperations(
  service: Service,
  database: Database,
  { dataDirectory: directory, separateAccounts, operationsKillAt }: OperationsSettings,
): Promise<OpenOperations> {
  const isSandbox = service.name === SANDBOX_SERVICE;
  const operations = createOperations({
    rows: await openSqlRows(database),
    service: {
      name: service.name,
      read: (apiKey, target, timeoutMs) =>
        service.read({ apiKey, target, ...(timeoutMs === undefined ? {} : { timeoutMs }) }),
      connect: (apiKey) => service.connect(apiKey),
    },
    random: Math.random,
    name: (prefix) => prefix + randomBytes(12).toString('hex'),
    strangers: isSandbox || separateAccounts,
    neverSetBack: isSandbox,
    ...(operationsKillAt !== null && { reach: signalAt(operationsKillAt) }),
  });
  if (directory !== 'memory') await takeUp(operations, directory);
  return {
    operations,
    stop: async () => {
      const late = new Promise((resolve) => setTimeout(resolve, STOP_MS).unref());
      await Promise.race([operations.attempts.stop(), late]);
      if (directory !== 'memory') keep(directory, operations.attempts.unwritten());
    },
  };
}

/** With fsync: nobody else knows what came of these attempts. Half a file would keep the next start from reading any. */
function keep(directory: string, unwritten: readonly Unwritten[]): void {
  if (unwritten.length === 0) return;
  mkdirSync(directory, { recursive: true });
  const name = `${PREFIX}${randomBytes(6).toString('hex')}${SUFFIX}`;
  const draft = join(directory, `draft-${name}`);
  writeFileSync(draft, JSON.stringify(unwritten), { flag: 'wx', mode: 0o600 });
  syncPath(draft);
  renameSync(draft, join(directory, name));
  syncPath(directory);
}

async function takeUp(operations: Operations, directory: string): Promise<void> {
  const names = listed(directory).filter((name) => name.startsWith(PREFIX) && name.endsWith(SUFFIX));
  for (const name of names) {
    const path = join(directory, name);
    const unwritten = unwrittenIn(path);
    if (unwritten === null) continue;
    for (const { account, key, event } of unwritten) {
      const actor: Actor = {
        account,
        apiKey: null,
        who: null,
        readOnly: true,
        clock: { ...machineClock, shift: () => 0 },
      };
      await operations.journal.advance(actor, key, event);
    }
    rmSync(path);
  }
}

/** null: it cannot be read, and stays for somebody to look at; its operations become unconfirmed by their leases. */
function unwrittenIn(path: string): Unwritten[] | null {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    console.error(`${path} cannot be read.`, error);
    return null;
  }
}

function listed(directory: string): string[] {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
}

const SIGNALS = ['SIGKILL', 'SIGSTOP'] as const;

/**
 * For crash tests: the process kills itself, uncatchably, whenever it reaches the step of an operation that
 * OPERATIONS_KILL_AT names; with `:SIGSTOP` after the name it freezes there.
 */
export function signalAt(text: string): (step: OperationStep) => void {
  const [name, signalName = SIGNALS[0]] = text.split(':');
  const chosen = OPERATION_STEPS.find((step) => step === name);
  const signal = SIGNALS.find((known) => known === signalName);
  if (chosen === undefined || signal === undefined)
    throw new SettingsError(`OPERATIONS_KILL_AT must be one of ${OPERATION_STEPS.join(', ')}.`);
  const act = () => void process.kill(process.pid, signal);
  return (step) => {
    if (step !== chosen) return;
    // The socket takes the bytes at the end of this turn.
    if (step === 'sent') setImmediate(act);
    else act();
  };
}
