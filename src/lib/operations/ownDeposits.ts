import { isObject, parseJson } from '#src/lib/answers.ts';
import { type Place, ownerKey } from '#src/lib/chains/lookAlike.ts';
import type { Operation } from './record.ts';

/** A place where this account receives; `at`: unix seconds, when its address was made here, else null. */
export interface OwnDeposit extends Place {
  at: number | null;
}

/** Own deposit addresses as far as they are known here: made here, or stated by deposits that lists have read. */
export function ownDeposits(
  operations: readonly Operation[],
  rows: readonly Record<string, unknown>[],
): (place: Place) => OwnDeposit | null {
  const made = operations.flatMap((record) =>
    placesMade(record).map((place) => ({ ...place, at: record.firstSent.service })),
  );
  const stated = rows
    .filter((row) => 'received_amount' in row || row['object'] === 'deposit_address')
    .flatMap((row) => depositAddressIn(row, row).map((place) => ({ ...place, at: null })));
  const byOwner = new Map([...stated, ...made].map((own) => [ownerKey(own), own]));
  return (place) => byOwner.get(ownerKey(place)) ?? null;
}

/** The addresses that a request for one made. */
export function placesMade({ kind, result, body }: Pick<Operation, 'kind' | 'result' | 'body'>): Place[] {
  if (kind !== 'deposit-address' || result === undefined) return [];
  return depositAddressIn(parseJson(result.text), parseJson(body));
}

function depositAddressIn(object: unknown, asked: unknown): Place[] {
  if (!isObject(object)) return [];
  const chain = object['chain'] ?? (isObject(asked) ? asked['chain'] : undefined);
  if (typeof chain !== 'string') return [];
  return [object['address'], object['deposit_address']].flatMap((address) =>
    typeof address === 'string' && address !== '' ? [{ chain, address }] : [],
  );
}
