import { Plus, QrCode, Receipt, Webhook } from 'lucide-react';
import type { RouteObject } from 'react-router';
import { type OperationKind, START_PATHS } from '#src/shared/operations/kind.ts';
import type { PageLink } from '#src/web/pages/find/options.ts';
import { firstPaint } from '#src/web/ui/firstPaint.ts';
import { pageRoute, type PageModule } from './page.tsx';

interface FormEntry extends PageLink {
  route: RouteObject;
  needs: 'prepare';
}

export const loadOperation = () => import('#src/web/pages/operations/OperationPage.tsx');

/** Loads the operation's page, too, after the app's first paint, so that sending leads there even when offline. */
function form(
  kind: OperationKind,
  load: () => Promise<PageModule>,
  link: Pick<FormEntry, 'label' | 'Icon' | 'keys'>,
): FormEntry {
  const to = START_PATHS[kind];
  const route = pageRoute(to, () => {
    void firstPaint.then(loadOperation).catch(() => undefined);
    return load();
  });
  return { to, route, ...link, needs: 'prepare' };
}

export const FORM_ENTRIES: Readonly<Record<OperationKind, FormEntry>> = {
  withdrawal: form('withdrawal', () => import('#src/web/pages/withdrawals/NewWithdrawalPage.tsx'), {
    label: 'New withdrawal',
    Icon: Plus,
    keys: 'C W',
  }),
  'deposit-address': form('deposit-address', () => import('#src/web/pages/deposits/NewAddressPage.tsx'), {
    label: 'New deposit address',
    Icon: QrCode,
    keys: 'C A',
  }),
  charge: form('charge', () => import('#src/web/pages/charges/NewChargePage.tsx'), {
    label: 'New charge',
    Icon: Receipt,
    keys: 'C C',
  }),
  'webhook-replay': form('webhook-replay', () => import('#src/web/pages/webhook-deliveries/ReplayPage.tsx'), {
    label: 'Webhook replay',
    Icon: Webhook,
    keys: 'C R',
  }),
};
