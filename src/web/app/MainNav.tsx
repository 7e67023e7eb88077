import { Link, useLocation } from 'react-router';
import { useSession } from '#src/web/api/session.ts';
import { paths } from '#src/shared/paths.ts';
import { ErrorBoundary } from '#src/web/ui/ErrorBoundary.tsx';
import { Keys, useSingleKeys } from '#src/web/ui/Keys.tsx';
import { deferred } from '#src/web/ui/useLoaded.ts';
import { indexFor, type NavItem } from './places.ts';

const UnsettledCount = deferred(() =>
  import('#src/web/pages/operations/Banner.tsx').then((read) => read.UnsettledCount),
);

export function MainNav({ onGo }: { onGo: () => void }) {
  const session = useSession();
  return (
    <nav aria-label="Main">
      {indexFor(session).map(({ title, places }) => (
        <div key={title} role="group" aria-label={title ?? 'Money'}>
          {title !== null && (
            <p className="nav-head" aria-hidden>
              {title}
            </p>
          )}
          {places.map((place) => (
            <Tab key={place.to} place={place} onGo={onGo} />
          ))}
        </div>
      ))}
    </nav>
  );
}

function Tab({ place: { to, label, Icon, keys }, onGo }: { place: NavItem; onGo: () => void }) {
  const { pathname } = useLocation();
  const showKeys = useSingleKeys();
  const isHere = pathname === to || pathname.startsWith(`${to}/`);
  return (
    <Link
      to={to}
      className="tab forced-colors:border-[Canvas]"
      aria-current={isHere ? 'page' : undefined}
      onClick={onGo}
    >
      <Icon aria-hidden />
      {label}
      {showKeys && <Keys keys={keys} className="tab-keys" />}
      {to === paths.operations && (
        // Should it break, it is left out and the shell stays.
        <ErrorBoundary renderError={() => null}>
          <UnsettledCount />
        </ErrorBoundary>
      )}
    </Link>
  );
}
