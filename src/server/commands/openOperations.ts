import { randomBytes } from 'node:crypto';
import { type Service, SANDBOX_SERVICE } from '#src/server/http/upstream/service.ts';
import { derivedKey } from '#src/server/people/secrets.ts';
import { NO_MARK_FILE, openMarkFile } from '#src/server/operations/markFile.ts';
import { createMarks } from '#src/server/operations/marks.ts';
import { createOperations } from '#src/server/operations/operations.ts';
import { CRASH_POINTS, type CrashPoint, type Ports, type Rows } from '#src/server/operations/ports.ts';
import { type Settings, SettingsError } from './settings.ts';
import { restoreUnwritten, saveUnwritten, serverActor } from './unwrittenAnswers.ts';

/** Enough for every running attempt to end: one takes at most 30 s, and a read may follow. */
const STOP_MS = 40_000;
/** How often an idle server compares the journal with what it wrote, to notice a restored database. */
const COMPARE_MS = 2_000;

/** How often payments that weren't approved in time are ended and their makers notified. */
const LAPSE_MS = 60_000;

type OperationsSettings = Pick<Settings, 'dataDirectory' | 'separateAccounts' | 'operationsKillAt'> & {
  secret: string;
  /** Other spellings of the service's address, under which this journal may have signed marks. */
  spellings: readonly string[];
  /** Null in key mode. */
  checkSignature: NonNullable<Ports['checkSignature']> | null;
};

/** Opens the journal, and writes the responses that an earlier process couldn't write. */
export async function openOperations(
  service: Service,
  rows: Rows,
  {
    dataDirectory: directory,
    separateAccounts,
    operationsKillAt,
    secret,
    spellings,
    checkSignature,
  }: OperationsSettings,
) {
  const isSandbox = service.name === SANDBOX_SERVICE;
  const marks = createMarks(derivedKey(secret, 'marks'), service.name, spellings);
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
    ...(checkSignature && { checkSignature }),
    ...(operationsKillAt !== null && { crashPoint: signalAt(operationsKillAt) }),
  });
  await operations.history.compareAtStart();
  if (directory !== 'memory') await restoreUnwritten(operations, directory);
  // An idle server may be the only one that knows of a lost write. If the database is away, the next check is soon enough.
  const compare = (): void => void operations.history.compare([]).catch(() => undefined);
  const timer = setInterval(compare, COMPARE_MS).unref();
  const endLapsed = (): void => void operations.approvals.endLapsed(serverActor).catch(() => undefined);
  const lapsing = checkSignature === null ? null : setInterval(endLapsed, LAPSE_MS).unref();
  return {
    operations,
    /** Starts no new attempts, waits for running ones, and saves unwritten responses to disk. */
    stop: async () => {
      clearInterval(timer);
      if (lapsing !== null) clearInterval(lapsing);
      const late = new Promise((resolve) => setTimeout(resolve, STOP_MS).unref());
      await Promise.race([operations.stop(), late]);
      saveUnwritten(directory, operations.attempts.unwritten());
    },
  };
}

const SIGNALS = ['SIGKILL', 'SIGSTOP'] as const;

/**
 * For crash tests: the process kills itself with SIGKILL when an operation reaches the step that OPERATIONS_KILL_AT names.
 * With `:SIGSTOP` after the name it freezes instead.
 */
export function signalAt(text: string): (step: CrashPoint) => void {
  const [name, signalName = SIGNALS[0]] = text.split(':');
  const chosen = CRASH_POINTS.find((step) => step === name);
  const signal = SIGNALS.find((known) => known === signalName);
  if (chosen === undefined || signal === undefined)
    throw new SettingsError(`OPERATIONS_KILL_AT must be one of ${CRASH_POINTS.join(', ')}.`);
  const act = () => void process.kill(process.pid, signal);
  return (step) => {
    if (step !== chosen) return;
    // Wait for the end of this event-loop turn, when the socket has taken the bytes.
    if (step === 'sent') setImmediate(act);
    else act();
  };
}
