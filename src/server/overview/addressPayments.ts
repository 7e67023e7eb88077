import type { AddressPayments } from '#src/shared/contract/overviewContract.ts';
import { addressKey, type ChainAddress } from '#src/shared/chains/lookAlike.ts';
import { chainForm } from '#src/shared/chains/names.ts';
import type { PaymentKind } from '#src/shared/operations/paymentHistory.ts';
import type { AccountSnapshot } from './overviews.ts';
import { reachOf } from './reach.ts';

/** Covers twelve months. */
export const ADDRESS_DAYS = 366;

/** The payments of a kind to any of these addresses, in any spelling, whatever the asset. */
export function addressPaymentsOf(
  { reading, isReading, limited }: AccountSnapshot,
  kind: PaymentKind,
  addresses: readonly ChainAddress[],
): AddressPayments {
  const list = reading.lists[kind];
  const rows = list.back.rows() ?? [];
  const keys = new Set(addresses.map(addressKey));
  const chains = new Set(addresses.map(({ chain }) => chainForm(chain)));
  const unnamed = rows.filter(({ address }) => address === null);
  return {
    object: 'address-payments',
    is_reading: isReading,
    retry_at: limited?.retry_at ?? null,
    ...reachOf(list, isReading),
    payments: rows.filter(
      ({ chain, address }) => chain !== null && address !== null && keys.has(addressKey({ chain, address })),
    ),
    unnamed: unnamed.filter(({ chain }) => chain === null || chains.has(chainForm(chain))).length,
    malformed: list.back.malformed(),
    are_all_unnamed: rows.length > 0 && unnamed.length === rows.length,
  };
}
