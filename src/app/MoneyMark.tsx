import { serviceHost, useSession } from '#src/api/session.ts';
import { AccountName } from './AccountName.tsx';

/** Which money this is, on every page: the sandbox's or a service's; with `account`, whose as well. */
export function MoneyMark({ account = false }: { account?: boolean }) {
  const session = useSession();
  return (
    <p className="money-mark">
      {session.sandbox === null ? <bdi>{serviceHost(session)}</bdi> : 'Sandbox: not real money'}
      {session.read_only && <span className="read-only">{session.journal_only ? 'Records only' : 'Read only'}</span>}
      {account && <AccountName session={session} />}
    </p>
  );
}
