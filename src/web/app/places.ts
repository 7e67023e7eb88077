import { BookUser, FlaskConical, House, KeyRound, List, QrCode, Scale, Wallet } from 'lucide-react';
import type { Session } from '#src/web/api/session.ts';
import { paths } from '#src/shared/paths.ts';
import type { PageLink } from '#src/web/pages/find/options.ts';
import { FORM_ENTRIES } from './forms.tsx';
import { LIST_ENTRIES } from './lists.tsx';

export interface NavItem extends PageLink {
  needs?: 'writing' | 'sandbox';
}

interface Group {
  /** Over the links; null: they are the first and need none. */
  title: string | null;
  places: readonly NavItem[];
}

function listsIn(of: 'Money' | 'Reports'): NavItem[] {
  return Object.values(LIST_ENTRIES).filter(({ group }) => group === of);
}

const INDEX: readonly Group[] = [
  {
    title: null,
    places: [
      { to: paths.home, label: 'Home', Icon: House, keys: 'G H' },
      { to: paths.balances, label: 'Balances', Icon: Wallet, keys: 'G B' },
      ...listsIn('Money'),
      { to: paths.addresses, label: 'Addresses', Icon: QrCode, keys: 'G A' },
      { to: paths.recipients, label: 'Recipients', Icon: BookUser, keys: 'G R' },
    ],
  },
  {
    title: 'Reports',
    places: [{ to: paths.monthClose, label: 'Month close', Icon: Scale, keys: 'G M' }, ...listsIn('Reports')],
  },
  {
    title: 'Developers',
    places: [
      { to: paths.apiLog(), label: 'API log', Icon: List, keys: 'G I' },
      { to: paths.operations, label: 'Operations', Icon: KeyRound, keys: 'G O' },
      FORM_ENTRIES['webhook-replay'],
      FORM_ENTRIES.charge,
      { to: paths.simulator, label: 'Simulator', Icon: FlaskConical, keys: 'G S', needs: 'sandbox' },
    ],
  },
];

const CREATES: readonly NavItem[] = Object.values(FORM_ENTRIES);

function isOpenTo(session: Session, { needs }: NavItem): boolean {
  return needs === 'sandbox' ? session.sandbox !== null : needs !== 'writing' || !session.read_only;
}

export function indexFor(session: Session): Group[] {
  return INDEX.map(({ title, places }) => ({ title, places: places.filter((place) => isOpenTo(session, place)) }));
}

export function createsFor(session: Session): NavItem[] {
  return CREATES.filter((place) => isOpenTo(session, place));
}

const EVERY = [...INDEX.flatMap(({ places }) => places), ...CREATES];

export function keysTo(path: string): string | undefined {
  return EVERY.find(({ to }) => to === path)?.keys;
}

/** What a page is called, or else the one that it belongs to. */
export function nameOf(path: string): string | undefined {
  return EVERY.findLast(({ to }) => path === to || path.startsWith(`${to}/`))?.label;
}
