import { ArrowDownLeft, ArrowUpRight, Wallet } from 'lucide-react';
import { Link, useLocation } from 'react-router';
import { paths } from '#src/lib/paths.ts';

const places = [
  { to: paths.balances, label: 'Balances', Icon: Wallet },
  { to: paths.deposits(), label: 'Deposits', Icon: ArrowDownLeft },
  { to: paths.withdrawals(), label: 'Withdrawals', Icon: ArrowUpRight },
] as const;

function isHere(to: string, pathname: string): boolean {
  return pathname === to || pathname.startsWith(`${to}/`);
}

export function MainNav({ onGo }: { onGo: () => void }) {
  const { pathname } = useLocation();
  return (
    <nav aria-label="Main">
      <p className="nav-head">Money</p>
      {places.map(({ to, label, Icon }) => {
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
