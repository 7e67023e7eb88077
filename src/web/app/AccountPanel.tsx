import { ArrowLeftRight, Eye, EyeOff, Keyboard, LogOut, UserCog } from 'lucide-react';
import type { FormEvent, ReactNode } from 'react';
import { Link } from 'react-router';
import { useMutation } from '@tanstack/react-query';
import { paths } from '#src/shared/paths.ts';
import { describeError } from '#src/web/api/errors.ts';
import { refreshSession, switchAccount, useSession } from '#src/web/api/session.ts';
import { useSignOut } from '#src/web/api/signOut.ts';
import { zoneName } from '#src/shared/time.ts';
import {
  accountName,
  setAccountName,
  setPreferences,
  type Theme,
  usePreferences,
} from '#src/web/storage/preferences.ts';
import { announce } from '#src/web/ui/announce.tsx';
import { Button } from '#src/web/ui/Button.tsx';
import { CopyButton } from '#src/web/ui/CopyButton.tsx';
import { Dialog } from '#src/web/ui/Dialog.tsx';
import { Fact, Facts } from '#src/web/ui/Facts.tsx';
import { InputField } from '#src/web/ui/Field.tsx';
import { Segmented } from '#src/web/ui/Segmented.tsx';
import { AccountName } from './AccountName.tsx';

const THEMES: Readonly<Record<Theme, string>> = { system: 'System', light: 'Light', dark: 'Dark' };

interface AccountPanelProps {
  onDetails: () => void;
  onShortcuts: () => void;
  onClose: () => void;
}

const LINE = 'flex min-h-10 flex-wrap items-center justify-between gap-x-2 gap-y-1 px-3 py-1';

const ITEM =
  'flex min-h-9 w-full items-center gap-2 px-3 py-1 text-left hover:bg-hover focus-visible:-outline-offset-2 [&_.lucide]:text-ink-3 [div+&]:mt-1 [div+&]:border-t [div+&]:border-rule';

export function AccountPanel({ onDetails, onShortcuts, onClose }: AccountPanelProps) {
  const session = useSession();
  const { zone, theme, hideAmounts } = usePreferences();
  const leaving = useSignOut();
  const Hide = hideAmounts ? Eye : EyeOff;
  return (
    <>
      <div className={LINE}>
        <span className="min-w-0">
          <AccountName session={session} />
        </span>
        <Button size="small" onClick={onDetails}>
          Account details
        </Button>
      </div>
      {session.accounts.length > 1 && <AccountSwitcher />}
      {session.person !== null && (
        <Link className={ITEM} to={paths.ownAccount} onClick={onClose}>
          <UserCog aria-hidden />
          Your account
        </Link>
      )}
      <div className={LINE}>
        <span aria-hidden>Times</span>
        <Segmented
          label="Times in"
          value={zone}
          options={{ utc: 'UTC', local: 'Local' }}
          tips={{ local: zoneName('local') }}
          onChange={(value) => setPreferences({ zone: value })}
        />
      </div>
      <div className={LINE}>
        <span aria-hidden>Theme</span>
        <Segmented
          label="Theme"
          value={theme}
          options={THEMES}
          onChange={(value) => setPreferences({ theme: value })}
        />
      </div>
      <Item
        icon={<Hide aria-hidden />}
        onClick={() => {
          setPreferences({ hideAmounts: !hideAmounts });
          announce(hideAmounts ? 'Amounts are shown' : 'Amounts are hidden');
          onClose();
        }}
      >
        {hideAmounts ? 'Show amounts' : 'Hide amounts'}
      </Item>
      <Item icon={<Keyboard aria-hidden />} onClick={onShortcuts}>
        Keyboard shortcuts
      </Item>
      <Item icon={<LogOut aria-hidden />} onClick={() => leaving.mutate()}>
        {leaving.isPending ? 'Signing out…' : 'Sign out'}
      </Item>
      {leaving.isError && (
        <p className="msg msg-alarm px-3 py-2" role="alert">
          Couldn’t sign out (no connection). You may still be signed in here.
        </p>
      )}
    </>
  );
}

/** The person's other accounts. */
function AccountSwitcher() {
  const { account, accounts } = useSession();
  const others = accounts.filter((one) => one.account !== account);
  // If no response came, the account may have been switched.
  const switching = useMutation({ mutationFn: switchAccount, onError: () => refreshSession().catch(() => null) });
  return (
    <>
      <ul className="border-y border-rule py-1" aria-label="Other accounts">
        {others.map((one) => (
          <li key={one.account}>
            <Item icon={<ArrowLeftRight aria-hidden />} onClick={() => switching.mutate(one.account)}>
              <span>
                Switch to <bdi translate="no">{one.name}</bdi>
              </span>
              {switching.isPending && switching.variables === one.account && <span className="sub">Switching…</span>}
            </Item>
          </li>
        ))}
      </ul>
      {switching.isError && (
        <p className="msg msg-alarm px-3 py-2" role="alert">
          {describeError(switching.error).message}
        </p>
      )}
    </>
  );
}

function Item({ icon, onClick, children }: { icon: ReactNode; onClick: () => void; children: ReactNode }) {
  return (
    <button type="button" className={ITEM} onClick={onClick}>
      {icon}
      {children}
    </button>
  );
}

export function AccountDetails({ open, onClose }: { open: boolean; onClose: () => void }) {
  const { service, account, accountName: settingsName, sandbox } = useSession();
  const name = accountName(usePreferences(), service, account);
  const save = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const typed = new FormData(event.currentTarget).get('account-name');
    setAccountName(service, account, typeof typed === 'string' ? typed : '');
    onClose();
  };
  return (
    <Dialog open={open} onClose={onClose} title="Account details">
      <form className="form" onSubmit={save}>
        <Facts>
          {settingsName !== null && (
            <Fact label="Account">
              <bdi translate="no">{settingsName}</bdi>
            </Fact>
          )}
          <Fact label="Provider" action={<CopyButton value={service} label="Copy provider" />}>
            <bdi translate="no">{service}</bdi>
          </Fact>
          <Fact label="Account ID" mono action={<CopyButton value={account} label="Copy account ID" />}>
            {account}
          </Fact>
          {sandbox !== null && (
            <Fact label="Sandbox ID" mono action={<CopyButton value={sandbox} label="Copy sandbox ID" />}>
              <bdi>{sandbox}</bdi>
            </Fact>
          )}
        </Facts>
        {settingsName === null && (
          <InputField
            label="Account name"
            hint="(optional)"
            help="Saved in this browser only, not shared with the provider."
            name="account-name"
            defaultValue={name ?? ''}
            maxLength={60}
          />
        )}
        <div className="acts-row">
          {settingsName === null && (
            <Button type="submit" variant="primary">
              Save name
            </Button>
          )}
          <Button variant="quiet" onClick={onClose}>
            Close
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
