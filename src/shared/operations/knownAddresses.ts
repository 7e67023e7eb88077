import { type ChainAddress, isSameAddress, lookKey, ownerKey, addressKey } from '#src/shared/chains/lookAlike.ts';
import { isPlausibleTime } from '#src/shared/time.ts';
import { isObject, parseJson } from '#src/shared/answers.ts';
import { searchForm } from '#src/shared/text.ts';
import { groupBy } from '#src/shared/groupBy.ts';
import { outcomeOf, withdrawalFieldsOf } from './withdrawal.ts';
import { type Operation, knownResultId } from './record.ts';
import { mayHavePaid } from './states.ts';

/** An address that was paid, may have been paid, or is a saved recipient's. */
export interface KnownAddress extends ChainAddress {
  /** The saved recipient's name; null for any other address. */
  name: string | null;
  /** The latest withdrawal to it; null if none was found. */
  last: AddressUse | null;
}

export interface KnownAddresses {
  all: readonly KnownAddress[];
  /** The same recipient in any spelling. */
  find: (target: ChainAddress) => KnownAddress | null;
  /** The same address on other chains, where it may belong to somebody else. */
  elsewhere: (target: ChainAddress) => KnownAddress[];
  lookAlikes: (target: ChainAddress) => KnownAddress[];
}

export function knownAddresses(
  named: readonly (ChainAddress & { name: string })[],
  uses: readonly AddressUse[],
): KnownAddresses {
  const byAddress = new Map<string, KnownAddress>();
  for (const { name, chain, address } of named) {
    byAddress.set(addressKey({ chain, address }), { chain, address, name, last: null });
  }
  for (const use of uses) {
    const { chain, address } = use;
    const key = addressKey(use);
    const known = byAddress.get(key) ?? { chain, address, name: null, last: null };
    byAddress.set(key, { ...known, last: laterOf(known.last, use) });
  }
  const all = [...byAddress.values()];
  const byOwner = groupBy(all, ownerKey);
  const byLook = groupBy(all, lookKey);
  return {
    all,
    find: (target) => byAddress.get(addressKey(target)) ?? null,
    elsewhere: (target) =>
      (byOwner.get(ownerKey(target)) ?? []).filter((known) => addressKey(known) !== addressKey(target)),
    lookAlikes: (target) => {
      const key = lookKey(target);
      const alike = key === null ? [] : (byLook.get(key) ?? []);
      return alike.filter((known) => ownerKey(known) !== ownerKey(target));
    },
  };
}

/** The known addresses that this one imitates. None for a saved recipient, as saving it required a comparison. */
export function mistakenFor(known: KnownAddresses, place: ChainAddress): KnownAddress[] {
  const same = [known.find(place), ...known.elsewhere(place)];
  return same.some((each) => each?.name != null) ? [] : known.lookAlikes(place);
}

function laterOf(one: AddressUse | null, other: AddressUse): AddressUse {
  if (one === null) return other;
  // The same withdrawal, as listed by the service: its status says more than the operation's state.
  if (one.id !== null && one.id === other.id) return { ...one, status: other.status ?? one.status };
  return (other.at ?? 0) > (one.at ?? 0) ? other : one;
}

export interface AddressUse extends ChainAddress {
  source: 'journal' | 'service';
  id: string | null;
  asset: string | null;
  amount: string | null;
  /** Unix seconds by the service's clock; null if not stated. */
  at: number | null;
  /** The withdrawal's status as received, otherwise the state of its operation. */
  status: string | null;
}

export function recordedUses(operations: readonly Operation[]): AddressUse[] {
  return operations.flatMap((record) => {
    const sent = mayHavePaid(record) ? withdrawalFieldsOf(record) : null;
    if (sent === null) return [];
    const at = record.firstSent.service;
    return [{ ...sent, source: 'journal' as const, id: knownResultId(record), at, status: outcomeOf(record) }];
  });
}

/** The withdrawals among loaded rows. */
export function listedUses(rows: readonly Record<string, unknown>[]): AddressUse[] {
  return rows.flatMap((row) => {
    const { id, chain, address, asset, amount, status, created_at: at } = row;
    if (typeof id !== 'string' || !id.startsWith('wd_')) return [];
    if (typeof chain !== 'string' || typeof address !== 'string' || address === '') return [];
    return [
      {
        id,
        chain,
        address,
        asset: typeof asset === 'string' ? asset : null,
        amount: typeof amount === 'string' ? amount : null,
        source: 'service' as const,
        at: isPlausibleTime(at) ? at : null,
        status: typeof status === 'string' ? status : null,
      },
    ];
  });
}

/** A deposit address of this account; `at`: when it was created here, Unix seconds, otherwise null. */
export interface OwnDeposit extends ChainAddress {
  at: number | null;
}

/** Finds the account's own deposit addresses: those created here and those of loaded deposits. */
export function ownDeposits(
  operations: readonly Operation[],
  rows: readonly Record<string, unknown>[],
): (target: ChainAddress) => OwnDeposit | null {
  const made = operations.flatMap((record) =>
    addressesMade(record).map((target) => ({ ...target, at: record.firstSent.service })),
  );
  const stated = rows
    .filter((row) => 'received_amount' in row || row['object'] === 'deposit_address')
    .flatMap((row) => depositAddressIn(row, row).map((target) => ({ ...target, at: null })));
  const byOwner = new Map([...stated, ...made].map((own) => [ownerKey(own), own]));
  return (target) => byOwner.get(ownerKey(target)) ?? null;
}

export function addressesMade({ kind, result, body }: Pick<Operation, 'kind' | 'result' | 'body'>): ChainAddress[] {
  if (kind !== 'deposit-address' || result === undefined) return [];
  return depositAddressIn(parseJson(result.text), parseJson(body));
}

function depositAddressIn(object: unknown, asked: unknown): ChainAddress[] {
  if (!isObject(object)) return [];
  const chain = object['chain'] ?? (isObject(asked) ? asked['chain'] : undefined);
  if (typeof chain !== 'string') return [];
  return [object['address'], object['deposit_address']].flatMap((address) =>
    typeof address === 'string' && address !== '' ? [{ chain, address }] : [],
  );
}

const byName = new Intl.Collator('en', { sensitivity: 'base', numeric: true });

export function searchEntries<T extends { name: string; chain: string; address: string }>(
  entries: readonly T[],
  typed: string,
): T[] {
  const words = searchForm(typed).split(/\s+/).filter(Boolean);
  const holds = ({ name, chain, address }: T) => {
    const text = searchForm(`${name} ${chain} ${address}`);
    return words.every((word) => text.includes(word)) || isSameAddress(chain, address, typed);
  };
  // Names first, since Enter takes the first entry: an address contains almost any letter or digit.
  const text = words.join(' ');
  const rank = ({ name }: T) => {
    const form = searchForm(name);
    return form === text ? 0 : form.includes(text) ? 1 : 2;
  };
  return entries.filter(holds).sort((a, b) => rank(a) - rank(b) || byName.compare(a.name, b.name));
}
