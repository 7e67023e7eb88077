import type { RaiseNotice } from '#src/server/activity/raiseNotice.ts';
import type { Database } from '#src/server/database/sql.ts';
import { readNow } from '#src/server/people/sessionAge.ts';

interface SealNoticesParts {
  database: Database;
  service: string;
  raise: RaiseNotice;
}

/**
 * Raises one notice when the number of rows without a valid seal changes and isn't 0, whichever server counts first. Call
 * migrateNotices() first.
 */
export function createSealNotices({ database, service, raise }: SealNoticesParts): (broken: number) => Promise<void> {
  return (broken) =>
    database.transaction(async (tx) => {
      const changed = await tx.query(
        `insert into notices.seals (service, broken) values ($1, $2)
         on conflict (service) do update set broken = excluded.broken where notices.seals.broken <> excluded.broken
         returning 1 as one`,
        [service, broken],
      );
      if (changed.length === 0 || broken === 0) return;
      const now = await readNow(tx);
      await raise(tx, { service, account: null, event: 'seals.broken', subject: '', episode: `${broken} ${now}` }, now);
    });
}
