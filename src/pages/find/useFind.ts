import { useEffect, useEffectEvent, useMemo, useState } from 'react';
import type { ListFilters } from '#src/api/contract.ts';
import { listDeposits } from '#src/api/deposits.ts';
import { useJob } from '#src/api/job.ts';
import { useSession } from '#src/api/session.ts';
import { listWithdrawals } from '#src/api/withdrawals.ts';
import { classifyQuery } from '#src/lib/classifyQuery.ts';
import { boundsOfDays } from '#src/list/createdRange.ts';
import type { Zone } from '#src/lib/time.ts';
import { useZone } from '#src/ui/Time.tsx';
import { type Payment, paymentIn } from './match.ts';
import { newScan, type ReadList, type Scan, scanOn } from './scan.ts';
import { type Understood, understand } from './understand.ts';
import { useKnown } from './useKnown.ts';

/** Milliseconds without a key before the lists are searched for what was typed. */
const STILL = 350;

/** What is looked for, what is known of it, and the search through the provider's lists. */
export function useFind(text: string) {
  const { account } = useSession();
  const zone = useZone();
  const known = useKnown();
  const { assets } = known;
  const [now] = useState(() => Date.now() / 1000);
  const wanted = useMemo(() => understand(text, { assets, zone, now }), [text, assets, zone, now]);
  const { job, progress: scan, running, error } = useJob<Scan | null>(null);
  const ofAccount =
    (list: ReadList): ReadList =>
    (filters, cursor, options) =>
      list(filters, cursor, { ...options, account });
  const go = (from: Scan): void => {
    job.reset(from);
    const search = {
      filters: filtersOf(wanted, assets, zone),
      lists: { deposits: ofAccount(listDeposits), withdrawals: ofAccount(listWithdrawals) },
      match: (list: Payment['list'], row: unknown) => paymentIn(list, row, wanted, known.names, zone),
    };
    void job.run((signal, show) => scanOn(from, search, signal, show));
  };
  const begin = () => go(newScan(wanted.list ? [wanted.list.value] : ['withdrawals', 'deposits']));
  const auto = searchesItself(wanted) ? text : '';
  const beginNow = useEffectEvent(begin);
  useEffect(() => {
    if (auto === '') return undefined;
    const timer = setTimeout(() => beginNow(), STILL);
    return () => clearTimeout(timer);
  }, [auto]);
  return {
    wanted,
    known,
    zone,
    scan,
    running,
    error,
    begin,
    goOn: () => scan && go(scan),
    /** Another text is another search. */
    forget: () => job.reset(null),
    stop: job.cancel,
  };
}

/** What only the lists can answer is searched for without being asked; an id leads somewhere by itself. */
function searchesItself({ exact, amount }: Understood): boolean {
  if (amount) return true;
  return exact !== undefined && classifyQuery(exact.value).kind === 'text';
}

/** What the provider can narrow down itself; with an id or a hash nothing, since that may be anywhere. */
function filtersOf(wanted: Understood, assets: readonly string[], zone: Zone): ListFilters {
  const { exact, amount, asset, status, days } = wanted;
  if (exact) return {};
  const code = amount?.value.asset ?? asset?.value ?? '';
  return {
    // Codes are taken letter by letter: one that the account has never held may be written in another case.
    ...(assets.includes(code) && { asset: code }),
    ...(status && { status: status.value }),
    ...(days && boundsOfDays(days.value, zone)),
  };
}
