import type { Session } from '#src/web/api/session.ts';
import { shorten } from '#src/shared/text.ts';
import { accountName, usePreferences } from '#src/web/storage/preferences.ts';

export function AccountName({ session }: { session: Session }) {
  const saved = accountName(usePreferences(), session.service, session.account);
  const name = session.accountName ?? saved;
  if (name !== undefined)
    return (
      <bdi className="who-name" translate="no">
        {name}
      </bdi>
    );
  return (
    <span className="mono who-name">
      <span className="vh">Account {session.account}</span>
      <span aria-hidden>{shorten(session.account)}</span>
    </span>
  );
}
