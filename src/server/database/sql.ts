// One small interface over two drivers, so that every statement is written once. SQL is limited to PostgreSQL 15.

export type Param = string | number | boolean | null;

/**
 * Both drivers return numeric and bigint columns as text, integer and float8 as number, and boolean and null as such. Use a
 * cast to choose the type.
 */
export type SqlRow = Record<string, string | number | boolean | null>;

export interface Queries {
  query<R extends SqlRow>(text: string, params?: readonly Param[]): Promise<R[]>;
  /** Several statements without parameters. */
  script(text: string): Promise<void>;
}

export interface Sql extends Queries {
  /**
   * READ COMMITTED; a throw rolls back. Retried after a deadlock, so the work must be repeatable. Throws `CommitUnknown`
   * if the transaction may have been committed; after any other error it wasn't.
   */
  transaction<T>(work: (tx: Queries) => Promise<T>): Promise<T>;
  readonly engine: 'PGlite' | 'PostgreSQL';
  close(): Promise<void>;
}

/**
 * The one database of this server. Unqualified names belong to the schema `sandbox`. Statements name any other schema
 * (`operations.journal`), because PGlite has one connection and so one search_path.
 */
export interface Database extends Sql {
  /** Whether commits are known to reach the disk. */
  readonly durable: boolean;
}

/** COMMIT was sent without a clear response: the transaction may have been committed or lost. */
export class CommitUnknown extends Error {
  override name = 'CommitUnknown';
  constructor(why: string, cause?: unknown) {
    super(`It is not known whether the transaction was committed: ${why}`, { cause });
  }
}

/** A database that must not be used; its message is one line for the person at the terminal. */
export class DatabaseRefused extends Error {
  override name = 'DatabaseRefused';
}

/** Wraps an error of the system or of the lock, for an unusable DATA_DIR. */
export function unusableDirectory(directory: string, error: unknown): DatabaseRefused {
  if (error instanceof DatabaseRefused) return error;
  return new DatabaseRefused(`DATA_DIR (${directory}) cannot be used: ${systemErrorMessage(error)}`, { cause: error });
}

/** Whether an error of COMMIT proves a rollback; FATAL and PANIC may come after the commit. */
export function saysRolledBack(error: unknown): boolean {
  return error instanceof Error && 'severity' in error && error.severity === 'ERROR';
}

/** Whether the error is a bug in this program rather than an error of the database. */
export function isProgramFault(error: unknown): boolean {
  return error instanceof TypeError || error instanceof RangeError || error instanceof ReferenceError;
}

/** The error code of the database, the system or Node; '' without one. */
export function systemErrorCode(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

export function systemErrorMessage(error: unknown): string {
  const text = error instanceof Error ? error.message || error.name : String(error);
  return text.split('\n')[0] ?? '';
}

const REPEATABLE = new Set(['40001', '40P01']);

/** Retries after a deadlock or a serialisation failure; at most five attempts in all. */
export async function retryOnDeadlock<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (attempt >= 5 || !REPEATABLE.has(systemErrorCode(error))) throw error;
    }
  }
}

/** Serialises servers that start at the same time on one database while they create tables and first rows. */
export async function takeStartTurn(tx: Queries): Promise<void> {
  // Another server may be filling a large account.
  await tx.script('set local lock_timeout = 0');
  await tx.query('select pg_advisory_xact_lock(4173, 4174)');
}

/**
 * Runs a schema's missing migration steps, each in its own transaction, with the schema as search_path. Never change or
 * remove a released step: a new version adds one. `pause` runs within each step.
 */
export async function migrate(
  sql: Sql,
  schema: string,
  steps: readonly string[],
  pause: () => void = () => undefined,
): Promise<void> {
  const forward = () =>
    sql.transaction(async (tx) => {
      await takeStartTurn(tx);
      await tx.script(`create schema if not exists ${schema}; set local search_path to ${schema};
        create table if not exists ${schema}.migrations (version integer primary key)`);
      const [at] = await tx.query<{ version: number }>(
        `select coalesce(max(version), 0) as version from ${schema}.migrations`,
      );
      const version = at?.version ?? 0;
      if (version > steps.length)
        throw new DatabaseRefused(
          `This database was made by a newer version (${schema} ${version}; this one knows ${steps.length}).`,
        );
      const step = steps[version];
      if (step !== undefined) {
        await tx.script(step);
        await tx.query(`insert into ${schema}.migrations (version) values ($1)`, [version + 1]);
      }
      pause();
      return version + 1 < steps.length;
    });
  while (await forward());
}
