import { NavLink } from 'react-router';
import { useSession } from '#src/web/api/session.ts';
import { paths } from '#src/shared/paths.ts';
import { ErrorBoundary } from '#src/web/ui/ErrorBoundary.tsx';
import { Keys, useSingleKeys } from '#src/web/ui/Keys.tsx';
import { deferred } from '#src/web/ui/useLoaded.ts';
import { navGroups, type NavItem } from './navItems.ts';

const UnsettledCount = deferred(() =>
  import('#src/web/pages/operations/Banner.tsx').then((read) => read.UnsettledCount),
);

const ApprovalsCount = deferred(() =>
  import('#src/web/pages/approvals/ApprovalsCount.tsx').then((read) => read.ApprovalsCount),
);

const RunningBatch = deferred(() =>
  import('#src/web/pages/batches/RunningBatch.tsx').then((read) => read.RunningBatch),
);

export function MainNav({ onGo }: { onGo: () => void }) {
  const session = useSession();
  return (
    <nav aria-label="Main">
      {navGroups(session).map(({ title, items }) => (
        <div key={title} role="group" aria-label={title ?? 'Money'}>
          {title !== null && (
            <p className="nav-head" aria-hidden>
              {title}
            </p>
          )}
          {items.map((item) => (
            <Tab key={item.to} item={item} onGo={onGo} />
          ))}
        </div>
      ))}
    </nav>
  );
}

function Tab({ item: { to, label, Icon, keys }, onGo }: { item: NavItem; onGo: () => void }) {
  const showKeys = useSingleKeys();
  return (
    <NavLink
      to={to}
      className="tab forced-colors:border-[Canvas]"
      onClick={onGo}
      aria-keyshortcuts={showKeys ? keys : undefined}
    >
      <Icon aria-hidden />
      {label}
      {showKeys && <Keys keys={keys} className="tab-keys" />}
      <Count path={to} />
    </NavLink>
  );
}

/** Number of items in progress on a page. If it fails, only the count is missing. */
function Count({ path }: { path: string }) {
  const PageCount = COUNTS[path];
  return (
    PageCount && (
      <ErrorBoundary renderError={() => null}>
        <PageCount />
      </ErrorBoundary>
    )
  );
}

const COUNTS: Readonly<Record<string, typeof UnsettledCount>> = {
  [paths.operations]: UnsettledCount,
  [paths.approvals]: ApprovalsCount,
  [paths.batches]: RunningBatch,
};
