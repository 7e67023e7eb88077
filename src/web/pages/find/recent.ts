import { getSession, subscribeSession } from '#src/web/api/session.ts';
import { decoded } from '#src/shared/paths.ts';

export interface RecentPage {
  path: string;
  title: string;
  kind: string;
}

const KINDS = new Map([
  ['deposits', 'deposit'],
  ['withdrawals', 'withdrawal'],
  ['operations', 'operation'],
  ['balances', 'balance'],
  ['ledger', 'ledger entry'],
]);
const FORMS = new Set(['new', 'new-address']);
const RECENT_MAX = 8;

/** In memory only: payment IDs stay out of browser storage. */
let recent: readonly RecentPage[] = [];
let owner: string | null = null;

export function rememberPath(path: string): void {
  const session = getSession();
  const now = session === null ? null : `${session.service} ${session.account}`;
  if (owner !== now) recent = [];
  owner = now;
  const [, area = '', id = '', more] = path.split('/');
  const kind = KINDS.get(area);
  if (now === null || kind === undefined || id === '' || more !== undefined || FORMS.has(id)) return;
  recent = [{ path, title: decoded(id), kind }, ...recent.filter((page) => page.path !== path)].slice(0, RECENT_MAX);
}

export function recentPages(): readonly RecentPage[] {
  return recent;
}

subscribeSession(() => {
  if (getSession() === null) recent = [];
});
