import { KeyRound } from 'lucide-react';
import { Link } from 'react-router';
import { paths } from '#src/shared/paths.ts';
import { useServerKeyRefused, useSession } from '#src/web/api/session.ts';

/** With passkeys the API key is the server's: people can't replace it, so they stay signed in and see this banner. */
export function ProviderKeyBanner() {
  const isRefused = useServerKeyRefused();
  const { accounts, accountName } = useSession();
  return isRefused && <RefusedKeyBanner account={accounts.length > 1 ? accountName : null} />;
}

/** `account`: its name, if the person has several. */
export function RefusedKeyBanner({ account }: { account: string | null }) {
  return (
    <div
      className="flex min-h-10 items-center gap-3 border-b border-b-open-rule bg-open-tint px-gutter py-2 text-ink [&_.lucide]:text-open"
      role="alert"
    >
      <KeyRound className="icon-s" aria-hidden />
      <span className="min-w-0">
        <b>
          The provider no longer accepts the API key of{' '}
          {account === null ? (
            'this account'
          ) : (
            <>
              account <bdi translate="no">{account}</bdi>
            </>
          )}
          .
        </b>{' '}
        Whoever runs the server must replace it. What was recorded here stays in{' '}
        <Link to={paths.operations}>Operations</Link>.
      </span>
    </div>
  );
}
