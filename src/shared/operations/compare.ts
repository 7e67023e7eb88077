import { compareAmounts, isAmount } from '#src/shared/amount.ts';
import { folded } from '#src/shared/text.ts';
import { normalAddress } from '#src/shared/chains/lookAlike.ts';
import { chainForm } from '#src/shared/chains/names.ts';
import { isExactNumber } from '#src/shared/json/exactJson.ts';
import { COMPARED, type ComparedField, type WithdrawalFields } from './kind.ts';

export type Destination = Pick<WithdrawalFields, 'asset' | 'chain' | 'address'>;

/** Equal for equal destinations: asset and chain in lower case, the address in its chain's normal form. */
export function destinationForm({ asset, chain, address }: Destination): string {
  return JSON.stringify([folded(asset), chainForm(chain), normalAddress(chain, address)]);
}

export function assetAndChainForm({ asset, chain }: Pick<Destination, 'asset' | 'chain'>): string {
  return JSON.stringify([folded(asset), chainForm(chain)]);
}

/** Whether two amounts are equal as decimals, ignoring trailing zeros. False if either isn't an amount. */
export function sameAmount(a: unknown, b: unknown): boolean {
  return isAmount(a) && isAmount(b) && compareAmounts(a, b) === 0;
}

/** Which fields of the service's object equal what was sent, and which differ; absent and null fields count as neither. */
export function compareWithSent(
  sent: WithdrawalFields,
  came: Record<string, unknown>,
): { differing: ComparedField[]; equal: ComparedField[] } {
  const differing: ComparedField[] = [];
  const equal: ComparedField[] = [];
  for (const field of COMPARED) {
    const value = Object.hasOwn(came, field) ? came[field] : undefined;
    if (value === undefined || value === null) continue;
    (sameField(field, value, sent) ? equal : differing).push(field);
  }
  return { differing, equal };
}

export function isToSame(sent: Destination, came: Record<string, unknown>): boolean {
  const { asset, chain, address } = came;
  if (typeof asset !== 'string' || typeof chain !== 'string' || typeof address !== 'string') return false;
  return destinationForm({ asset, chain, address }) === destinationForm(sent);
}

/** Whether no readable field of an object differs from what was sent. */
export function mayBeSame(sent: WithdrawalFields, came: Record<string, unknown>): boolean {
  return compareWithSent(sent, came).differing.every((field) => {
    const value = came[field];
    return field === 'amount' ? !isAmount(value) : typeof value !== 'string';
  });
}

function sameField(field: ComparedField, value: unknown, sent: WithdrawalFields): boolean {
  if (field === 'amount') return sameAmount(value, sent.amount);
  if (typeof value !== 'string') return false;
  if (field === 'address') return normalAddress(sent.chain, value) === normalAddress(sent.chain, sent.address);
  if (field === 'chain') return chainForm(value) === chainForm(sent.chain);
  return folded(value) === folded(sent.asset);
}

/** A JSON value as text with sorted members, so that equal values have equal texts. */
export function canonicalJson(value: unknown): string {
  if (isExactNumber(value)) return String(value);
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const entries = Object.entries(value).filter(([, part]) => part !== undefined);
  entries.sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([name, part]) => `${JSON.stringify(name)}:${canonicalJson(part)}`).join(',')}}`;
}
