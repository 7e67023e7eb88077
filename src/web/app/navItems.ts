import type { Ability } from '#src/shared/permissions.ts';
import { can } from '#src/web/api/permissions.ts';
import {
  Bell,
  BookUser,
  Clock,
  Download,
  FlaskConical,
  History,
  House,
  KeyRound,
  Layers,
  List,
  QrCode,
  Scale,
  ShieldCheck,
  Stamp,
  Users,
  Wallet,
} from 'lucide-react';
import type { Session } from '#src/web/api/session.ts';
import { paths } from '#src/shared/paths.ts';
import type { PageLink } from '#src/web/pages/find/options.ts';
import { FORM_ENTRIES } from './forms.tsx';
import { LIST_ROUTES } from './listRoutes.tsx';

export interface NavItem extends PageLink {
  /** Without this, the link isn't in the navigation. */
  needs?: Ability | 'sandbox' | 'person' | 'notices';
}

interface NavGroup {
  /** Null: the first group has no title. */
  title: string | null;
  items: readonly NavItem[];
}

function listsIn(of: 'Money' | 'Reports'): NavItem[] {
  return Object.values(LIST_ROUTES).filter(({ group }) => group === of);
}

const NAV_GROUPS: readonly NavGroup[] = [
  {
    title: null,
    items: [
      { to: paths.home, label: 'Home', Icon: House, keys: 'G H' },
      { to: paths.balances, label: 'Balances', Icon: Wallet, keys: 'G B' },
      ...listsIn('Money'),
      { to: paths.addresses, label: 'Addresses', Icon: QrCode, keys: 'G A' },
      { to: paths.recipients, label: 'Recipients', Icon: BookUser, keys: 'G R' },
      { to: paths.approvals, label: 'Approvals', Icon: Stamp, keys: 'G V', needs: 'person' },
      { to: paths.batches, label: 'Batches', Icon: Layers, keys: 'G T' },
      { to: paths.standingPayments, label: 'Standing payments', Icon: Clock, keys: 'G F' },
    ],
  },
  {
    title: 'Reports',
    items: [
      { to: paths.monthClose, label: 'Month close', Icon: Scale, keys: 'G M' },
      ...listsIn('Reports'),
      { to: paths.exports, label: 'My exports', Icon: Download, keys: 'G E' },
    ],
  },
  {
    title: 'Team',
    items: [
      { to: paths.people, label: 'People', Icon: Users, keys: 'G P', needs: 'person' },
      { to: paths.policy, label: 'Approval rules', Icon: ShieldCheck, keys: 'G U', needs: 'person' },
      { to: paths.activity, label: 'Activity', Icon: History, keys: 'G Y' },
      { to: paths.notices, label: 'Notices', Icon: Bell, keys: 'G N', needs: 'notices' },
    ],
  },
  {
    title: 'Developers',
    items: [
      { to: paths.apiLog(), label: 'API log', Icon: List, keys: 'G I' },
      { to: paths.operations, label: 'Operations', Icon: KeyRound, keys: 'G O' },
      FORM_ENTRIES['webhook-replay'],
      FORM_ENTRIES.charge,
      { to: paths.simulator, label: 'Simulator', Icon: FlaskConical, keys: 'G S', needs: 'sandbox' },
    ],
  },
];

const FORMS: readonly NavItem[] = [
  ...Object.values(FORM_ENTRIES),
  { to: paths.newBatch(), label: 'New batch', Icon: Layers, keys: 'C B', needs: 'prepare' },
];

function isAvailable(session: Session, { needs }: NavItem): boolean {
  if (needs === undefined) return true;
  if (needs === 'sandbox') return session.sandbox !== null;
  // With SIGN_IN=key, only if the server sends notices.
  if (needs === 'notices') return (session.person !== null || session.hasNotices) && can(session, 'read-notices');
  return needs === 'person' ? session.person !== null : can(session, needs);
}

export function navGroups(session: Session): NavGroup[] {
  const groups = NAV_GROUPS.map((group) => ({
    ...group,
    items: group.items.filter((item) => isAvailable(session, item)),
  }));
  return groups.filter(({ items }) => items.length > 0);
}

export function formItems(session: Session): NavItem[] {
  return FORMS.filter((item) => isAvailable(session, item));
}

const ALL_ITEMS = [...NAV_GROUPS.flatMap(({ items }) => items), ...FORMS];

export function keysTo(path: string): string | undefined {
  return ALL_ITEMS.find(({ to }) => to === path)?.keys;
}

/** The label of a page, or of the page that it belongs to. */
export function pageName(path: string): string | undefined {
  return ALL_ITEMS.findLast(({ to }) => path === to || path.startsWith(`${to}/`))?.label;
}
