import type { RaiseNotice } from '#src/server/activity/raiseNotice.ts';
import type { Queries } from '#src/server/database/sql.ts';
import { readNow } from '#src/server/people/sessionAge.ts';

interface Month {
  service: string;
  account: string;
  /** Unix seconds. */
  from: number;
}

/** Raises a notice each time a month has been prepared, and one reminder if it isn't closed. */
export function monthNotices(raise: RaiseNotice) {
  return {
    onPrepared: async (transaction: Queries, { service, account, from }: Month): Promise<void> => {
      const now = await readNow(transaction);
      const cause = { service, account, subject: String(from), episode: `${from} ${now}` };
      await raise(transaction, { ...cause, event: 'month.prepared' }, now);
    },
    onReminder: async (transaction: Queries, { service, account, from }: Month): Promise<void> => {
      const cause = { service, account, subject: String(from), episode: String(from) };
      await raise(transaction, { ...cause, event: 'month.due' }, await readNow(transaction));
    },
  };
}
