import { useMemo } from 'react';
import {
  type KnownAddressList,
  knownAddressesSchema,
  type Overview,
  overviewSchema,
} from '#src/shared/contract/overviewContract.ts';
import { parseWith } from '#src/shared/contract/rows.ts';
import { stringifyExact } from '#src/shared/json/exactJson.ts';
import type { PaymentKind } from '#src/shared/operations/paymentHistory.ts';
import type { LastMove, UsualTime } from '#src/shared/overview/usualTimes.ts';
import { KNOWN_ADDRESSES_PATH, OVERVIEW_PATH } from '#src/shared/serverPaths.ts';
import { zoneName } from '#src/shared/time.ts';
import { getPreferences } from '#src/web/storage/preferences.ts';
import { useZone } from '#src/web/ui/Time.tsx';
import { overviewKey } from './overviewParams.ts';
import { noteServerRead, useSession } from './session.ts';
import {
  errorInDeviceTime,
  infoInDeviceTime,
  listInDeviceTime,
  type Received,
  readingQuery,
  READING_POLL_MS,
  type SharedReading,
  useReading,
} from './sharedReading.ts';

const parseOverview = parseWith(overviewSchema);
const parseAddresses = parseWith(knownAddressesSchema);

/** The account data that Home and other pages show. */
function overviewReading(account: string, zone: string): SharedReading<Overview> {
  return {
    account,
    queryKey: overviewKey(account, zone),
    path: OVERVIEW_PATH,
    params: { zone },
    parse: parseOverview,
    inDeviceTime,
    onRead: ({ balances, balances_error: problem }) => {
      if (problem !== null || balances !== null) noteServerRead(problem);
    },
  };
}

export const overviewQuery = (account: string, zone = zoneName(getPreferences().zone)) =>
  readingQuery(overviewReading(account, zone));

function inDeviceTime(document: Overview, ahead: number): Overview {
  const payments = (list: Overview['deposits']): Overview['deposits'] => ({
    ...listInDeviceTime(list, ahead),
    open: infoInDeviceTime(list.open, ahead),
    open_error: errorInDeviceTime(list.open_error, ahead),
  });
  const { read_at: readAt, retry_at: retryAt } = document;
  return {
    ...document,
    read_at: readAt && readAt + ahead,
    retry_at: retryAt && retryAt + ahead,
    balances: infoInDeviceTime(document.balances, ahead),
    balances_error: errorInDeviceTime(document.balances_error, ahead),
    deposits: payments(document.deposits),
    withdrawals: payments(document.withdrawals),
    ledger: listInDeviceTime(document.ledger, ahead),
  };
}

export function useOverview(enabled = true) {
  const { account } = useSession();
  return useReading(overviewReading(account, zoneName(useZone())), enabled);
}

/** The addresses that the account's latest withdrawals paid; not in the contract, so the service may not offer that list. */
export function knownAddressesQuery(account: string) {
  const query = readingQuery<KnownAddressList>({
    account,
    queryKey: [account, 'overview', 'addresses'],
    path: KNOWN_ADDRESSES_PATH,
    params: {},
    parse: parseAddresses,
    inDeviceTime: listInDeviceTime,
  });
  return {
    ...query,
    refetchInterval: ({ state }: { state: { data: Received<KnownAddressList> | undefined } }) =>
      state.data?.is_reading === true ? READING_POLL_MS : false,
  };
}

export const overviewList = (overview: Overview, kind: PaymentKind): Overview['deposits'] =>
  kind === 'deposit' ? overview.deposits : overview.withdrawals;

const usualKey = (...parts: readonly (string | null)[]): string => stringifyExact(parts);

/** How long payments like a given one usually take, in seconds; null if unknown. */
export function useUsualTime(overview: Overview | undefined): UsualTime {
  return useMemo(() => {
    const seconds = new Map(
      overview?.usual.map(({ kind, asset, chain, seconds: usual }) => [usualKey(kind, asset, chain), usual]),
    );
    return ({ kind, asset, chain }) =>
      seconds.get(usualKey(kind, asset, chain)) ?? seconds.get(usualKey(kind, asset, null)) ?? null;
  }, [overview]);
}

/** When a failed payment's money last moved; null if it never did, undefined if the ledger wasn't read back far enough. */
export function useLastMove(overview: Overview | undefined): LastMove {
  return useMemo(() => {
    const last = new Map(overview?.last_moves);
    const { moved = null, reached = null } = overview?.ledger ?? {};
    return (id, since) => last.get(id) ?? (moved === null || (reached !== null && reached >= since) ? undefined : null);
  }, [overview]);
}
