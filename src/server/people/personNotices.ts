import type { RaiseNotice } from '#src/server/activity/raiseNotice.ts';
import type { Queries } from '#src/server/database/sql.ts';
import type { NoticeEvent } from '#src/shared/noticeEvents.ts';
import type { PersonRows } from './personRows.ts';

interface PersonNoticesParts {
  service: string;
  raise: RaiseNotice;
  rows: Pick<PersonRows, 'readPersonRow'>;
}

export type PersonNotices = ReturnType<typeof createPersonNotices>;

/** Notices to one person about themselves. */
export function createPersonNotices({ service, raise, rows }: PersonNoticesParts) {
  return {
    /** Sends it to the e-mail address that the person has now, even if they may not do anything here any more. */
    async raiseToPerson(
      tx: Queries,
      { account, person, event }: { account: string; person: string; event: NoticeEvent },
      now: string,
    ): Promise<void> {
      const { email = null } = (await rows.readPersonRow(tx, person)) ?? {};
      if (email === null) return;
      const notice = { service, account, event, subject: person, episode: `own ${now}` };
      await raise(tx, { ...notice, to: { person, email } }, Number(now));
    },
  };
}
