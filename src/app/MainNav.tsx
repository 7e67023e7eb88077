import { Component, type ReactNode, lazy, Suspense } from 'react';
import {
  ArrowDownLeft,
  ArrowUpRight,
  BookOpen,
  BookUser,
  FlaskConical,
  House,
  KeyRound,
  List,
  QrCode,
  type LucideIcon,
  Scale,
  Wallet,
} from 'lucide-react';
import { Link, useLocation } from 'react-router';
import { useSession } from '#src/api/session.ts';
import { KINDS, START_PATHS } from '#src/lib/operations/kind.ts';
import { paths } from '#src/lib/paths.ts';
import { START_PAGES } from './startPages.ts';

// No first paint waits for it.
const UnsettledCount = lazy(() =>
  import('#src/pages/operations/Banner.tsx').then((module) => ({ default: module.UnsettledCount })),
);

interface Place {
  to: string;
  label: string;
  Icon: LucideIcon;
  /** At the right end of the tab. */
  count?: ReactNode;
}

const money: readonly Place[] = [
  { to: paths.home, label: 'Home', Icon: House },
  { to: paths.balances, label: 'Balances', Icon: Wallet },
  { to: paths.deposits(), label: 'Deposits', Icon: ArrowDownLeft },
  { to: paths.withdrawals(), label: 'Withdrawals', Icon: ArrowUpRight },
  { to: paths.addresses, label: 'Addresses', Icon: QrCode },
  { to: paths.addressBook, label: 'Recipients', Icon: BookUser },
  { to: paths.ledger(), label: 'Ledger', Icon: BookOpen },
];
/** What these start changes something at the service. */
const tools: readonly Place[] = KINDS.flatMap((kind) => {
  const { nav } = START_PAGES[kind];
  return nav ? [{ to: START_PATHS[kind], ...nav }] : [];
});
const evidence: readonly Place[] = [
  { to: paths.reconcile, label: 'Reconcile', Icon: Scale },
  { to: paths.operations, label: 'Operations', Icon: KeyRound, count: <UnsettledCount /> },
  { to: paths.requests(), label: 'Requests', Icon: List },
];
const sandbox: readonly Place[] = [{ to: paths.rehearsal, label: 'Rehearsal', Icon: FlaskConical }];

function isHere(to: string, pathname: string): boolean {
  return pathname === to || pathname.startsWith(`${to}/`);
}

export function MainNav({ onGo }: { onGo: () => void }) {
  const session = useSession();
  return (
    <nav aria-label="Main">
      <Group title="Money" places={money} onGo={onGo} />
      {!session.read_only && <Group title="Tools" places={tools} onGo={onGo} />}
      <Group title="Evidence" places={evidence} onGo={onGo} />
      {session.sandbox !== null && <Group title="Sandbox" places={sandbox} onGo={onGo} />}
    </nav>
  );
}

function Group({ title, places, onGo }: { title: string; places: readonly Place[]; onGo: () => void }) {
  const { pathname } = useLocation();
  return (
    <>
      <p className="nav-head">{title}</p>
      {places.map(({ to, label, Icon, count }) => {
        const here = isHere(to, pathname);
        return (
          <Link key={to} to={to} className="tab" aria-current={here ? 'page' : undefined} onClick={onGo}>
            <Icon aria-hidden />
            {label}
            {count && (
              <OptionalBoundary>
                <Suspense>{count}</Suspense>
              </OptionalBoundary>
            )}
          </Link>
        );
      })}
    </>
  );
}

/** Should a small extra of the shell break, it is left out and the shell stays. */
export class OptionalBoundary extends Component<{ children: ReactNode }, { broken: boolean }> {
  override state = { broken: false };

  static getDerivedStateFromError() {
    return { broken: true };
  }

  override render(): ReactNode {
    return this.state.broken ? null : this.props.children;
  }
}
