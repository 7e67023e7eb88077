import { type Database, DatabaseRefused, type Queries } from '#src/server/database/sql.ts';
import { enterSetBack } from './setBack.ts';
import { onServer, openJournal, takeWriteLockInAnyMode } from './sqlRows.ts';
import { type TransactionParts, writeTransactionOn } from './sqlTransaction.ts';

// A server on a copy of the database with live API keys (a rehearsal, another machine) would send payments that the original
// also sends. So a database belongs to the https address of its dashboard. Loopback addresses prove nothing: every machine
// has the same.

/** Throws DatabaseRefused if the database belongs to another address. */
export async function checkOrigin(database: Database, origin: string): Promise<void> {
  const before = await readOrigin(database);
  if (before === null || before === origin) return;
  throw new DatabaseRefused(
    `This database belongs to the dashboard at ${before}, and this server is at ${origin}. A copy must not pay again, so it doesn’t start. Set PUBLIC_ORIGIN=${before}, or if the dashboard moved: npm run console -- --moved "why".`,
  );
}

/** Remembers the first https address. */
export async function rememberOrigin(database: Database, origin: string): Promise<void> {
  if (isRemembered(origin))
    await database.query('update operations.journal set origin = $1 where origin is null', [origin]);
}

/** Gives the database to another address. It may be a copy whose original is still in use, so this counts as a set-back. */
export async function moveTo(
  database: Database,
  { origin, words }: { origin: string; words: string },
  parts: TransactionParts,
): Promise<'moved' | 'not-needed'> {
  await openJournal(database, parts);
  return database.transaction(async (tx) => {
    const facts = await takeWriteLockInAnyMode(tx);
    const before = await readOrigin(tx);
    if (before === null || before === origin) return 'not-needed';
    const transaction = writeTransactionOn(tx, facts, parts);
    const by = await onServer(tx);
    await transaction.note(by, { kind: 'journal.moved', subject: null, facts: { to: origin, words } });
    await enterSetBack(transaction, { mark: facts, by });
    await tx.query('update operations.journal set origin = $1', [isRemembered(origin) ? origin : null]);
    return 'moved';
  });
}

async function readOrigin(queries: Queries): Promise<string | null> {
  const [row] = await queries.query<{ origin: string | null }>('select origin from operations.journal');
  return row?.origin ?? null;
}

function isRemembered(origin: string): boolean {
  return origin.startsWith('https://');
}
