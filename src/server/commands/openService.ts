import { mkdirSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { syncPath, openDatabase } from '#src/server/database/openDatabase.ts';
import { type Database, DatabaseRefused, unusableDirectory } from '#src/server/database/sql.ts';
import type { Unwritten } from '#src/server/operations/attempts.ts';
import { createOperations, type Operations } from '#src/server/operations/operations.ts';
import { createMarks } from '#src/server/operations/marks.ts';
import { claimService, openSqlRows, otherSpellings } from '#src/server/operations/sqlRows.ts';
import { type Actor, OPERATION_STEPS, type OperationStep, type Rows } from '#src/server/operations/ports.ts';
import { machineClock } from '#src/server/http/clock.ts';
import { type Service, SANDBOX_SERVICE } from '#src/server/http/upstream/service.ts';
import { NO_MARK_FILE, openMarkFile } from '#src/server/operations/markFile.ts';
import { keptSecret, marksKey, sealingKey } from '#src/server/http/session.ts';
import { type Settings, SettingsError } from './settings.ts';
import { type Team, type MadeAddress, openTeam as openTeamOn } from '#src/server/team/team.ts';
import { forwardTo } from '#src/server/http/upstream/forward.ts';
import { addressIn } from '#src/shared/operations/addressIn.ts';
import { readDepositAddressBody } from '#src/shared/operations/depositAddress.ts';
import type { OperationRecord } from '#src/shared/operations/record.ts';

export type OpenService = Awaited<ReturnType<typeof openService>>;

/** The database, and the service that the settings name: PAYMENTS_BASE_URL, or the sandbox in this process. */
export async function openService(settings: Settings) {
  const database = await openDatabase({ databaseUrl: settings.databaseUrl, directory: settings.dataDirectory });
  try {
    const rows = await openSqlRows(database);
    const served =
      settings.service === null
        ? await openSandbox(settings, database)
        : {
            service: {
              ...forwardTo(settings.service),
              name: await claimService(database, settings.service, settings.serviceSameAs),
            },
            raw: null,
            stop: () => Promise.resolve(),
          };
    const { service, raw } = served;
    const spellings = settings.service === null ? [] : await otherSpellings(database, service.name);
    const secret = settings.secret ?? (await keptSecret(settings.dataDirectory));
    const spellingNames = spellings.map((spelling) => spelling.service);
    const journal = await openOperations(service, rows, { ...settings, secret, spellings: spellingNames });
    return {
      service,
      /** Other spellings of its address that the database holds operations under. */
      spellings,
      secret,
      /** The sandbox without a gateway around it (x-api-key, /sandbox/*); null when forwarding. */
      raw,
      /** What everybody who signs in here shares; the embedded sandbox lives in it, too. */
      database,
      operations: journal.operations,
      team: await openTeam(database, journal.operations.ports.rows),
      /** Lets running attempts end and closes the database, last of all. */
      async stop() {
        await journal.stop();
        await served.stop();
        await database.close();
      },
    };
  } catch (error) {
    await database.close();
    throw error;
  }
}

async function openSandbox(settings: Settings, database: Database) {
  // Loaded here, so that a forwarding gateway never reads it.
  const [{ createSandbox }, { sandboxListener }, { embed }] = await Promise.all([
    import('#src/sandbox/sandbox.ts'),
    import('#src/sandbox/node.ts'),
    import('#src/server/http/embedded.ts'),
  ]);
  const sandbox = await createSandbox({
    sql: database,
    demo: true,
    deposits: settings.sandboxDeposits,
    killAt: settings.killAt,
  });
  return { service: embed(sandbox), raw: sandboxListener(sandbox), stop: () => sandbox.stop() };
}

export function openTeam(database: Database, rows: Pick<Rows, 'list' | 'byKey' | 'isShownTo'>): Promise<Team> {
  return openTeamOn(database, {
    list: async (owner, cursor, limit) => {
      const query = { states: ['succeeded'] as const, kind: 'deposit-address' as const, about: null };
      const listed = await rows.list({ ...owner, ...query, cursor, limit });
      return { data: listed.rows.flatMap(({ record }) => (record ? [madeBy(record)] : [])), next: listed.next };
    },
    has: async ({ service, account }, key) => {
      const record = (await rows.byKey(key))?.record;
      if (record?.kind !== 'deposit-address' || record.state !== 'succeeded' || record.service !== service)
        return false;
      return record.account === account || (await rows.isShownTo(key, account));
    },
  });
}

function madeBy({ key, body, result, who, firstSent }: OperationRecord): MadeAddress {
  const asked = readDepositAddressBody(body) ?? { asset: '', chain: '' };
  const found = addressIn(result?.text ?? '', asked);
  const { address, along } = found.kind === 'one' ? found : { address: null, along: [] };
  return { id: key, ...asked, address, along, who, at: firstSent.service };
}

export function gatewayParts(settings: Settings, { service, operations, team, secret }: OpenService) {
  const { origin, trustedProxies, readOnly } = settings;
  return { origin, trustedProxies, readOnly, service, operations, team, sealingKey: sealingKey(secret) };
}

export function printStartup(settings: Settings, { service, spellings, database }: OpenService): void {
  const { origin, readOnly, sandboxPort, dataDirectory, service: baseUrl } = settings;
  const inMemory = database.engine === 'PGlite' && dataDirectory === 'memory';
  const recordedAs = baseUrl === service.name ? '' : ` (recorded as ${service.name})`;
  const kind = baseUrl === null ? 'the built-in sandbox, not real money' : `${baseUrl}${recordedAs}`;
  console.log(`Countinghouse is at ${origin}`);
  console.log(`Service: ${kind}${readOnly ? ' (read only)' : ''}`);
  if (service.demoKey) console.log(`Demo key: ${service.demoKey}`);
  if (service.controls && sandboxPort !== null) console.log(`The sandbox alone is at http://127.0.0.1:${sandboxPort}`);
  console.log(`Database: ${database.engine}${inMemory ? ' in memory, nothing is kept' : ''}`);
  if (!inMemory && !database.durable)
    console.log('Warning: commits do not reach the disk; a power cut can lose what was done.');
  if (baseUrl !== null && inTheClear(baseUrl))
    console.log('Warning: PAYMENTS_BASE_URL is not https: API keys cross the network in the clear.');
  for (const { service: address, unresolved } of spellings) {
    if (unresolved === 0) continue;
    const [recorded, them] = unresolved === 1 ? ['operation is', 'it'] : ['operations are', 'them'];
    console.log(
      `Warning: ${unresolved} unresolved ${recorded} recorded under ${address}. To see and close ${them}, start with PAYMENTS_SAME_AS=${address}`,
    );
  }
}

function inTheClear(address: string): boolean {
  const { protocol, hostname } = new URL(address);
  return protocol === 'http:' && !/^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);
}

/** Whoever makes attempts is over within this: an attempt has 30 s, and may be followed by a read. */
const STOP_MS = 40_000;
/** How often an idle server compares the journal with what it knows. */
const COMPARE_MS = 2_000;
const PREFIX = 'unwritten-answers-';
const SUFFIX = '.json';

type OperationsSettings = Pick<Settings, 'dataDirectory' | 'separateAccounts' | 'operationsKillAt'> & {
  secret: string;
  /** Other spellings of the service, whose marks this journal may have signed. */
  spellings: readonly string[];
};

/** The journal on the database of this server, and what an earlier process could not write to it. */
export async function openOperations(
  service: Service,
  rows: Rows,
  { dataDirectory: directory, separateAccounts, operationsKillAt, secret, spellings }: OperationsSettings,
) {
  const isSandbox = service.name === SANDBOX_SERVICE;
  const marks = createMarks(marksKey(secret), service.name, spellings);
  const warn = (line: string): void => console.error(line);
  const operations = createOperations({
    rows,
    service,
    random: Math.random,
    newAttemptId: () => `at_${randomBytes(12).toString('hex')}`,
    separateAccounts: isSandbox || separateAccounts,
    neverSetBack: isSandbox,
    marks,
    lastMark: isSandbox || directory === 'memory' ? NO_MARK_FILE : openMarkFile(directory, marks, warn),
    warn,
    ...(operationsKillAt !== null && { crashPoint: signalAt(operationsKillAt) }),
  });
  await operations.history.compareAtStart();
  if (directory !== 'memory') await takeUp(operations, directory);
  // An idle server may be the only one that knows of a lost write. If the database is away, the next look will do.
  const look = (): void => void operations.history.compare([]).catch(() => undefined);
  const looking = setInterval(look, COMPARE_MS).unref();
  return {
    operations,
    /** Begins nothing more, waits for the attempts, and keeps on disk what the journal did not take. */
    stop: async () => {
      clearInterval(looking);
      const late = new Promise((resolve) => setTimeout(resolve, STOP_MS).unref());
      await Promise.race([operations.attempts.stop(), late]);
      keep(directory, operations.attempts.unwritten());
    },
  };
}

/** With fsync: nobody else knows what came of these attempts. Half a file would keep the next start from reading any. */
function keep(directory: string, unwritten: readonly Unwritten[]): void {
  if (unwritten.length === 0) return;
  const name = `${PREFIX}${randomBytes(6).toString('hex')}${SUFFIX}`;
  const draft = join(directory, `draft-${name}`);
  try {
    if (directory === 'memory') throw new Error('it keeps nothing');
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    writeFileSync(draft, JSON.stringify(unwritten), { flag: 'wx', mode: 0o600 });
    syncPath(draft);
    renameSync(draft, join(directory, name));
    syncPath(directory);
  } catch (error) {
    const keys = unwritten.map(({ key }) => key).join(', ');
    const { message } = unusableDirectory(directory, error);
    throw new DatabaseRefused(`The service’s answers to ${keys} are kept nowhere, so check them: ${message}`);
  }
}

async function takeUp(operations: Operations, directory: string): Promise<void> {
  const names = listed(directory).filter((name) => name.startsWith(PREFIX) && name.endsWith(SUFFIX));
  for (const name of names) {
    const path = join(directory, name);
    const unwritten = unwrittenIn(path);
    if (unwritten === null) continue;
    let isTaken = true;
    for (const { account, key, event } of unwritten) {
      const actor: Actor = { account, apiKey: null, who: null, readOnly: true, clock: machineClock };
      // The others are still applied. The database's own error may quote the answer, so it isn't logged.
      const isApplied = await applyAnswer(operations, actor, { key, event }).catch(() => false);
      if (isApplied) continue;
      console.error(`The service’s answer to ${key} cannot be written and stays in ${path}.`);
      isTaken = false;
    }
    if (isTaken) rmSync(path);
  }
}

/** False if the database has no such operation, as after a restore: the file is then the only evidence of the answer. */
async function applyAnswer(
  { journal, ports }: Operations,
  actor: Actor,
  { key, event }: Pick<Unwritten, 'key' | 'event'>,
): Promise<boolean> {
  if (!(await ports.rows.byKey(key))?.record) return false;
  await journal.advance(actor, key, event);
  return true;
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
