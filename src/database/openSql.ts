import { openInMemory, openOnDisk } from './pglite.ts';
import { openPostgres } from './postgres.ts';
import type { Sql } from './sql.ts';

/** PostgreSQL when a URL is given, else PGlite in the directory, or in memory for the word `memory`. */
export function openSql(where: { databaseUrl?: string | undefined; directory: string }): Promise<Sql> {
  if (where.databaseUrl) return Promise.resolve(openPostgres(where.databaseUrl));
  return where.directory === 'memory' ? openInMemory() : openOnDisk(where.directory);
}
