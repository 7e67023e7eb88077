import { ChevronsUpDown, User } from 'lucide-react';
import { useRef, useState } from 'react';
import { serviceHost, useSession } from '#src/web/api/session.ts';
import { revealHidden } from '#src/shared/text.ts';
import { zoneName } from '#src/shared/time.ts';
import { usePreferences } from '#src/web/storage/preferences.ts';
import { AccountName } from './AccountName.tsx';
import { useLoaded } from '#src/web/ui/useLoaded.ts';

const loadPanel = () => import('./AccountPanel.tsx');

/** The menu at the foot of the navigation: account, appearance, sign-out. */
export function AccountMenu({ onShortcuts }: { onShortcuts: () => void }) {
  const session = useSession();
  const { zone } = usePreferences();
  const { value: loaded, failed } = useLoaded(loadPanel);
  const popover = useRef<HTMLDivElement>(null);
  const [renaming, setRenaming] = useState(false);
  // Close before a dialog opens, so that the dialog returns the focus to the menu’s button.
  const close = () => popover.current?.hidePopover();
  return (
    <div className="foot">
      <button type="button" className="account" popoverTarget="account-menu" aria-haspopup="dialog">
        <User aria-hidden />
        <span className="vh">Account menu, </span>
        <bdi className="account-who" translate={session.name === null ? undefined : 'no'}>
          {session.name === null ? 'Account' : revealHidden(session.name)}
        </bdi>{' '}
        <span className="account-zone">{zoneName(zone)}</span>
        <ChevronsUpDown className="icon-s" aria-hidden />
      </button>
      <div id="account-menu" className="account-menu" popover="auto" role="dialog" aria-label="Account" ref={popover}>
        {loaded ? (
          <loaded.AccountPanel
            onDetails={() => {
              close();
              setRenaming(true);
            }}
            onShortcuts={() => {
              close();
              onShortcuts();
            }}
            onClose={close}
          />
        ) : (
          <p className="px-3 py-2">{failed ? 'Couldn’t load the menu. Reload the page.' : 'Loading…'}</p>
        )}
      </div>
      {loaded && <loaded.AccountDetails open={renaming} onClose={() => setRenaming(false)} />}
    </div>
  );
}

/** On every page: sandbox or provider, and the account. */
export function EnvironmentBadge() {
  const session = useSession();
  const { keyRefused, readOnly } = session.rights;
  return (
    <p className="money-mark">
      {session.sandbox === null ? <bdi translate="no">{serviceHost(session)}</bdi> : 'Sandbox · no real money'}
      {(keyRefused || readOnly) && <span className="read-only">{keyRefused ? 'Records only' : 'Read only'}</span>}
      <AccountName session={session} />
    </p>
  );
}
