import { type AddressPayments, addressPaymentsSchema } from '#src/shared/contract/overviewContract.ts';
import { parseWith } from '#src/shared/contract/rows.ts';
import type { Payment } from '#src/shared/overview/payment.ts';
import { segment } from '#src/shared/paths.ts';
import { ADDRESS_DEPOSITS_PATH, RECIPIENT_PAYMENTS_PATH } from '#src/shared/serverPaths.ts';
import { saysNotFound } from './errors.ts';
import { noteServerRead, useSession } from './session.ts';
import {
  listInDeviceTime,
  type ReadProgress,
  readProgressOf,
  type SharedReading,
  noReadProgress,
  useReading,
} from './sharedReading.ts';

const parsePayments = parseWith(addressPaymentsSchema);

/** The payments to some addresses that are in the part of the list that the server has read. */
export interface PaymentsTo extends ReadProgress {
  /** Newest first; null before anything was read. */
  payments: readonly Payment[] | null;
  /** Payments without an address, which may have gone to these addresses, too. */
  unnamed: number;
  /** Items without a readable ID, which may be such payments, too. */
  malformed: number;
  areAllUnnamed: boolean;
  isFetching: boolean;
  refresh: () => void;
  loadMore: () => void;
}

/** False if a payment to these addresses may be missing although the list was read that far. */
export const namesEveryPayment = ({ unnamed, malformed }: PaymentsTo): boolean => unnamed + malformed === 0;

/** The withdrawals to a recipient. `addresses`: the IDs of all its addresses. */
export function useRecipientPayments(addresses: readonly string[]): PaymentsTo {
  return usePaymentsTo(`${RECIPIENT_PAYMENTS_PATH}/${segment(addresses[0] ?? '')}`, addresses);
}

/** The deposits to an address that was created here. */
export function useAddressDeposits(id: string, enabled: boolean): PaymentsTo {
  return usePaymentsTo(`${ADDRESS_DEPOSITS_PATH}/${segment(id)}`, [id], enabled);
}

function usePaymentsTo(path: string, addresses: readonly string[], enabled = true): PaymentsTo {
  const { account } = useSession();
  const reading: SharedReading<AddressPayments> = {
    account,
    queryKey: [account, 'overview', path, ...addresses],
    path,
    params: {},
    parse: parsePayments,
    inDeviceTime: (document, ahead) => ({
      ...listInDeviceTime(document, ahead),
      retry_at: document.retry_at && document.retry_at + ahead,
    }),
    onRead: ({ info, error }) => {
      if (info !== null || error !== null) noteServerRead(error);
    },
  };
  const { data, error: lost, isFetching, refresh, loadMore } = useReading(reading, enabled);
  const progress = data ? readProgressOf(data) : noReadProgress(lost);
  return {
    ...progress,
    error: lost ?? progress.error,
    // A 404 from a proxy doesn't show that the provider has no such list.
    notOffered: progress.notOffered && saysNotFound(progress.error),
    payments: data && data.info !== null ? data.payments : null,
    unnamed: data?.unnamed ?? 0,
    malformed: data?.malformed ?? 0,
    areAllUnnamed: data?.are_all_unnamed ?? false,
    isFetching,
    refresh,
    loadMore,
  };
}
