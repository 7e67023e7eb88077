import type { Session } from '#src/api/session.ts';
import { shorten } from '#src/lib/text.ts';
import { accountName, usePreferences } from '#src/storage/preferences.ts';

/** The person's own name for the account, or the start and end of its id. */
export function AccountName({ session }: { session: Session }) {
  const name = accountName(usePreferences(), session.service, session.account);
  if (name === undefined) return <span className="mono who-name">{shorten(session.account)}</span>;
  return <bdi className="who-name">{name}</bdi>;
}
