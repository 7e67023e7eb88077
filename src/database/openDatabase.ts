import { openInMemory, openOnDisk } from './pglite.ts';
import { openPostgres } from './postgres.ts';
import type { Database } from './sql.ts';

/** PostgreSQL when a URL is given, else PGlite in the directory, or in memory for the word `memory`. */
export function openDatabase(where: { databaseUrl?: string | null | undefined; directory: string }): Promise<Database> {
  if (where.databaseUrl) return openPostgres(where.databaseUrl);
  return where.directory === 'memory' ? openInMemory() : openOnDisk(where.directory);
}
