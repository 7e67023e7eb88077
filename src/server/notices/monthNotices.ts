import type { RaiseNotice } from '#src/server/activity/raiseNotice.ts';
import type { Queries } from '#src/server/database/sql.ts';
import { readNow } from '#src/server/people/sessionAge.ts';

interface Month {
  service: string;
  account: string;
  /** Unix seconds. */
  from: number;
}

/** Raises a notice each time a month has been prepared, and reminders if it isn't closed: at most one a month. */
export function monthNotices(raise: RaiseNotice) {
  return {
    onPrepared: async (transaction: Queries, { service, account, from }: Month): Promise<void> => {
      const now = await readNow(transaction);
      const cause = { service, account, subject: String(from), episode: `${from} ${now}` };
      await raise(transaction, { ...cause, event: 'month.prepared' }, now);
    },
    onReminder: async (transaction: Queries, { service, account, from }: Month): Promise<void> => {
      const now = await readNow(transaction);
      const episode = `${from} ${new Date(now).toISOString().slice(0, 7)}`;
      await raise(transaction, { service, account, subject: String(from), episode, event: 'month.due' }, now);
    },
  };
}
