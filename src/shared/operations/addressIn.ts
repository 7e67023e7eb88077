import { isObject, parseJson } from '#src/shared/answers.ts';
import { isSameAddress } from '#src/shared/chains/lookAlike.ts';
import { chainForm } from '#src/shared/chains/names.ts';
import { type MemoField, memoFieldOf, isMemoEntry } from '#src/shared/chains/memoFields.ts';
import type { DepositAddressFields } from './kind.ts';
import { folded } from '#src/shared/text.ts';

// The contract doesn't show the response of POST /v1/deposits (4.6), so the address is searched for in it, never guessed.

export type FoundAddress =
  | { kind: 'one'; address: string; along: MemoField[] }
  | { kind: 'none' | 'several' }
  /** The response names another asset or chain than request; null if it names none. */
  | { kind: 'other'; asset: string | null; chain: string | null };

const NAMES = ['address', 'deposit_address'] as const;
const DEEPEST = 6;

/** The address in a response: at the top level, otherwise the only one deeper in it. */
export function addressIn(text: string, request: DepositAddressFields): FoundAddress {
  const answer = parseJson(text);
  const found = [...addressesIn(answer, 0)];
  const top = found.filter(({ holder }) => holder === answer);
  const [first, ...others] = top.length > 0 ? top : found;
  if (!first) return { kind: 'none' };
  const isOwn = (text: string) => isSameAddress(request.chain, text, first.address);
  if (!others.every(({ address }) => isOwn(address))) return { kind: 'several' };
  const asset = textAt(first.holder, 'asset') ?? textAt(answer, 'asset');
  const chain = textAt(first.holder, 'chain') ?? textAt(answer, 'chain');
  const differs =
    (asset !== null && folded(asset) !== folded(request.asset)) ||
    (chain !== null && chainForm(chain) !== chainForm(request.chain));
  if (differs) return { kind: 'other', asset, chain };
  // Fields nearest to the address first.
  const around = isObject(answer) ? { ...answer, ...first.holder } : first.holder;
  const fields = [...Object.entries(around), ...fieldsAbout(isOwn, answer, 0)];
  const all = [...fields.filter(isMemoEntry).map(memoFieldOf), ...otherTexts(around, request, isOwn)];
  const along = all.filter(({ name }, at) => all.findIndex((each) => each.name === name) === at);
  return { kind: 'one', address: first.address, along };
}

/** Every field of a response except those of another address. */
function* fieldsAbout(isOwn: (text: string) => boolean, value: unknown, depth: number): Generator<[string, unknown]> {
  if (typeof value !== 'object' || value === null || depth > DEEPEST) return;
  const addresses = NAMES.flatMap((name) => textAt(value, name) ?? []);
  if (!addresses.every(isOwn)) return;
  yield* Object.entries(value);
  for (const inner of Object.values(value)) yield* fieldsAbout(isOwn, inner, depth + 1);
}

/** Fields of no use to a payer: those of the contract, times, and the service's own ids. */
const OWN_FIELD = /^(?:object|status|asset|chain|id)$|(?:_id|Id|_at|At)$/;
/** Longer texts are images or the like. */
const TEXT_MAX = 300;

/** The contract doesn't say what a payment to an address needs, so any text that adds something may be needed. */
function otherTexts(holder: object, request: DepositAddressFields, isOwn: (text: string) => boolean): MemoField[] {
  const isSame = (text: string) =>
    isOwn(text) || folded(text) === folded(request.asset) || chainForm(text) === chainForm(request.chain);
  return Object.entries(holder).flatMap(([name, value]: [string, unknown]) => {
    if (typeof value !== 'string' || value === '' || value.length > TEXT_MAX) return [];
    return OWN_FIELD.test(name) || isSame(value) ? [] : [{ name, value }];
  });
}

function* addressesIn(value: unknown, depth: number): Generator<{ address: string; holder: object }> {
  if (typeof value !== 'object' || value === null || depth > DEEPEST) return;
  for (const name of NAMES) {
    const address = textAt(value, name);
    if (address !== null) yield { address, holder: value };
  }
  for (const inner of Object.values(value)) yield* addressesIn(inner, depth + 1);
}

function textAt(value: unknown, name: string): string | null {
  const text = isObject(value) && Object.hasOwn(value, name) ? value[name] : null;
  return typeof text === 'string' && text !== '' ? text : null;
}
