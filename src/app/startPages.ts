import { type LucideIcon, Receipt, Webhook } from 'lucide-react';
import type { ComponentType } from 'react';
import type { OperationKind } from '#src/lib/operations/kind.ts';

interface StartPage {
  load: () => Promise<{ Component: ComponentType }>;
  /** Its place among the tools; null: a list or another page leads there. */
  nav: { label: string; Icon: LucideIcon } | null;
}

/** The page with the form of each kind of operation. */
export const START_PAGES = {
  withdrawal: { load: () => import('#src/pages/withdrawals/NewWithdrawalPage.tsx'), nav: null },
  'deposit-address': { load: () => import('#src/pages/deposits/NewAddressPage.tsx'), nav: null },
  charge: {
    load: () => import('#src/pages/charges/NewChargePage.tsx'),
    nav: { label: 'New charge', Icon: Receipt },
  },
  'webhook-replay': {
    load: () => import('#src/pages/webhook-deliveries/ReplayPage.tsx'),
    nav: { label: 'Webhook replay', Icon: Webhook },
  },
} satisfies Record<OperationKind, StartPage>;
