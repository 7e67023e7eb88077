// One small interface over two drivers, so that every statement is written once. SQL is limited to PostgreSQL 15.

export type Param = string | number | boolean | null;

/** Columns come as text (numeric, bigint), number (integer), boolean or null on both drivers; casts decide which. */
export type Row = Record<string, string | number | boolean | null>;

export interface Queries {
  query<R extends Row>(text: string, params?: readonly Param[]): Promise<R[]>;
  /** Several statements without parameters. */
  script(text: string): Promise<void>;
}

export interface Sql extends Queries {
  /** READ COMMITTED; a throw rolls back; a deadlock is tried again, so the work must be repeatable. */
  transaction<T>(work: (tx: Queries) => Promise<T>): Promise<T>;
  /** Which engine answers, for the line printed at start. */
  readonly engine: 'PGlite' | 'PostgreSQL';
  close(): Promise<void>;
}

const REPEATABLE = new Set(['40001', '40P01']);

/** Tries the work again after a deadlock or a serialisation failure, at most five times in all. */
export async function repeated<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? String(error.code) : '';
      if (attempt >= 5 || !REPEATABLE.has(code)) throw error;
    }
  }
}
