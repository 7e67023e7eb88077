import type { RaiseNotice } from '#src/server/activity/raiseNotice.ts';
import type { Queries } from '#src/server/database/sql.ts';
import { readNow } from './outboxRows.ts';

interface Month {
  service: string;
  account: string;
  /** Unix seconds. */
  from: number;
}

/** Tells people of a month that can be closed, each time that it was prepared anew, and once that it isn't closed yet. */
export function monthNotices(raise: RaiseNotice) {
  return {
    onPrepared: async (transaction: Queries, { service, account, from }: Month): Promise<void> => {
      const now = await readNow(transaction);
      const of = { service, account, subject: String(from), episode: `${from} ${now}` };
      await raise(transaction, { ...of, event: 'month.prepared' }, now);
    },
    onReminder: async (transaction: Queries, { service, account, from }: Month): Promise<void> => {
      const of = { service, account, subject: String(from), episode: String(from) };
      await raise(transaction, { ...of, event: 'month.due' }, await readNow(transaction));
    },
  };
}
