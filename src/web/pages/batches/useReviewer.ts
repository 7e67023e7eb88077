import { useMemo } from 'react';
import type { BatchPayment } from '#src/shared/batches/batchPayments.ts';
import { reviewPayments, type ReviewedPayment } from '#src/shared/batches/unusual.ts';
import { dayWords } from '#src/shared/createdRange.ts';
import type { KnownAddresses } from '#src/shared/operations/knownAddresses.ts';
import { dateOf } from '#src/shared/time.ts';
import type { BatchReviewed } from '#src/shared/contract/batchContract.ts';
import { chainChoices, type ChainChoices } from '#src/web/list/chainChoices.ts';
import type { AddressHistory } from '#src/web/list/useKnownAddresses.ts';
import { useKnownChains } from '#src/web/report/ExplorerLink.tsx';
import { useAmountsHidden } from '#src/web/ui/Amount.tsx';
import { useZone } from '#src/web/ui/Time.tsx';
import type { FreshBalances } from '#src/web/send/PaymentTotals.tsx';

type Rows = readonly Record<string, unknown>[];

/** Chains to choose from for an asset, by its earlier use. */
export function choicesOf(asset: string, { all }: KnownAddresses, rows: Rows): ChainChoices {
  return chainChoices([...rows, ...all.flatMap(({ last }) => last ?? [])], asset);
}

/** Finds what is unusual, using the data loaded so far; null until the address rules are loaded. */
export function useReviewer(history: AddressHistory, { balances }: FreshBalances, rows: Rows) {
  const chains = useKnownChains();
  const zone = useZone();
  const amountsHidden = useAmountsHidden();
  const { known, ownDeposit, list } = history;
  const areKnown = list.status === 'read' && list.complete;
  return useMemo(() => {
    if (chains === null) return null;
    return (payments: readonly BatchPayment[], reviewed: Pick<BatchReviewed, 'lines'>): ReviewedPayment[] =>
      reviewPayments(payments, {
        known,
        areKnown,
        ownDeposit,
        held: balances.map(({ asset }) => asset),
        fits: (asset, chain) => choicesOf(asset, known, rows).fits(chain),
        checkAddress: chains.checkAddress,
        reviewed,
        dateWords: (ms) => dayWords(dateOf(Math.floor(ms / 1000), zone)),
        amountsHidden,
      });
  }, [chains, known, areKnown, ownDeposit, balances, rows, zone, amountsHidden]);
}
