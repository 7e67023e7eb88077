import * as v from 'valibot';
import type { Queries } from '#src/server/database/sql.ts';
import type { ReadNames } from '#src/server/notices/delivery.ts';
import type { Rows } from '#src/server/operations/ports.ts';
import type { Team } from '#src/server/team/team.ts';
import { COLLECTIONS, recipientId } from '#src/shared/contract/teamContract.ts';
import type { NoticeEvent } from '#src/shared/noticeEvents.ts';
import { parseExact } from '#src/shared/json/exactJson.ts';
import { withdrawalFieldsOf } from '#src/shared/operations/withdrawal.ts';

export interface NameParts {
  service: string;
  queries: Queries;
  rows: Pick<Rows, 'byKey' | 'keyOfResult'>;
  team: Pick<Team, 'read'>;
}

const WITHDRAWAL = 'withdrawal ';
const ABOUT_PEOPLE: ReadonlySet<NoticeEvent> = new Set([
  'person.changed',
  'access.reduced',
  'access.blocked',
  'role.waiting',
  'passkey.added',
  'email.changed',
]);

/** Looks up the names in a message when it is sent; stored notices have none. */
export function readNoticeNames({ service, queries, rows, team }: NameParts): ReadNames {
  async function recipientOf(account: string, key: string): Promise<string | undefined> {
    const record = (await rows.byKey(key))?.record;
    const fields = record?.service === service && record.account === account ? withdrawalFieldsOf(record) : null;
    if (fields === null) return undefined;
    return savedNameOf(account, recipientId(fields));
  }

  async function savedNameOf(account: string, id: string): Promise<string | undefined> {
    const item = await team.read({ service, account }, 'recipients', id);
    const saved =
      item === null || item.deleted ? null : v.safeParse(COLLECTIONS.recipients.value, parseExact(item.value));
    return saved?.success ? saved.output.name : undefined;
  }

  async function personOf(id: string): Promise<string | undefined> {
    const [row] = await queries.query<{ name: string }>(
      'select name from people.people where id = $1 and service = $2',
      [id, service],
    );
    return row?.name;
  }

  return async ({ account, event, subject }) => {
    if (event.startsWith('operation.')) return { recipient: await recipientOf(account, subject) };
    if (event.startsWith('recipient.')) return { recipient: await savedNameOf(account, subject) };
    if (subject.startsWith(WITHDRAWAL)) {
      const key = await rows.keyOfResult(service, subject.slice(WITHDRAWAL.length));
      return { recipient: key === null ? undefined : await recipientOf(account, key) };
    }
    return ABOUT_PEOPLE.has(event) ? { person: await personOf(subject) } : {};
  };
}
