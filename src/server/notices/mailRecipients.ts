import type { MailPerson } from '#src/server/people/emails.ts';
import type { NoticeEvent } from '#src/shared/noticeEvents.ts';
import { noticeRule } from '#src/shared/notices.ts';
import { ABILITIES, type Permission } from '#src/shared/permissions.ts';

interface NoticeAbout {
  account: string | null;
  event: NoticeEvent;
  subject: string;
}

/** The people who can act on a notice now. `isSpared`: gets no mail, such as the maker of the payment. */
export type MailRecipients = (about: NoticeAbout) => Promise<(MailPerson & { isSpared: boolean })[]>;

interface MailRecipientsParts {
  peopleWith: (account: string | null, needs: readonly Permission[]) => Promise<MailPerson[]>;
  /** The person who prepared the payment or named the recipient; null if it was nobody here. */
  makerOf: (about: NoticeAbout) => Promise<string | null>;
}

export function createMailRecipients({ peopleWith, makerOf }: MailRecipientsParts): MailRecipients {
  return async (about) => {
    const { ability, maker: rule } = noticeRule(about.event);
    const { anyOf } = ABILITIES[ability];
    const people = await peopleWith(about.account, anyOf);
    const maker = people.length === 0 || rule === 'too' ? null : await makerOf(about);
    return people.map((person) => ({ ...person, isSpared: (person.id === maker) !== (rule === 'only') }));
  };
}
