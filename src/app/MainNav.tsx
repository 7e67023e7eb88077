import { ArrowDownLeft, ArrowUpRight, Plus, Wallet } from 'lucide-react';
import { Link, useLocation } from 'react-router';
import { useSession } from '#src/api/session.ts';
import { paths } from '#src/lib/paths.ts';

const places = [
  { to: paths.balances, label: 'Balances', Icon: Wallet },
  { to: paths.deposits(), label: 'Deposits', Icon: ArrowDownLeft },
  { to: paths.withdrawals(), label: 'Withdrawals', Icon: ArrowUpRight },
] as const;

const newWithdrawal = { to: paths.newWithdrawal, label: 'New withdrawal', Icon: Plus } as const;

function isHere(to: string, pathname: string): boolean {
  if (to !== paths.newWithdrawal && pathname.startsWith(paths.newWithdrawal)) return false;
  return pathname === to || pathname.startsWith(`${to}/`);
}

export function MainNav({ onGo }: { onGo: () => void }) {
  const { pathname } = useLocation();
  const session = useSession();
  // Whoever may not move money is not shown the way to do it.
  const shown = session?.read_only ? places : [...places, newWithdrawal];
  return (
    <nav aria-label="Main">
      <p className="nav-head">Money</p>
      {shown.map(({ to, label, Icon }) => {
        const here = isHere(to, pathname);
        return (
          <Link key={to} to={to} className="tab" aria-current={here ? 'page' : undefined} onClick={onGo}>
            <Icon aria-hidden />
            {label}
          </Link>
        );
      })}
    </nav>
  );
}
