import { isObject, parseJson } from '#src/lib/answers.ts';
import { chainForm } from '#src/lib/chains/names.ts';
import { isExactNumber } from '#src/lib/json/exactJson.ts';
import type { DepositAddressFields } from './depositAddress.ts';
import { asText, folded } from '#src/lib/text.ts';

// The contract does not show what POST /v1/deposits answers with (4.6): an address is looked for, never guessed.

export type FoundAddress =
  | { kind: 'one'; address: string; along: Along[] }
  | { kind: 'none' | 'several' }
  /** The answer names another asset or chain than was asked for; null where it does not say. */
  | { kind: 'other'; asset: string | null; chain: string | null };

/** What has to go with the address on some chains, such as a memo or a tag. */
export interface Along {
  name: string;
  value: string;
}

const NAMES = ['address', 'deposit_address'] as const;
const ALONG =
  /^(?:memo(?:_?(?:id|text))?|(?:dest(?:ination)?_?|(?:deposit_)?address_)?(?:tag|memo)|payment_?id|extra_?id)$/i;
const DEEPEST = 6;

/** The address in an answer: at its top, or else the only one deeper in it. */
export function addressIn(text: string, asked: DepositAddressFields): FoundAddress {
  const answer = parseJson(text);
  const found = [...addressesIn(answer, 0)];
  const top = found.filter(({ holder }) => holder === answer);
  const [first, ...others] = top.length > 0 ? top : found;
  if (!first) return { kind: 'none' };
  if (others.some(({ address }) => address !== first.address)) return { kind: 'several' };
  const asset = textAt(first.holder, 'asset') ?? textAt(answer, 'asset');
  const chain = textAt(first.holder, 'chain') ?? textAt(answer, 'chain');
  const differs =
    (asset !== null && folded(asset) !== folded(asked.asset)) ||
    (chain !== null && chainForm(chain) !== chainForm(asked.chain));
  return differs
    ? { kind: 'other', asset, chain }
    : { kind: 'one', address: first.address, along: alongOf({ ...(isObject(answer) ? answer : {}), ...first.holder }) };
}

function* addressesIn(value: unknown, depth: number): Generator<{ address: string; holder: object }> {
  if (typeof value !== 'object' || value === null || depth > DEEPEST) return;
  for (const name of NAMES) {
    const address = textAt(value, name);
    if (address !== null) yield { address, holder: value };
  }
  for (const inner of Object.values(value)) yield* addressesIn(inner, depth + 1);
}

export function alongOf(holder: object): Along[] {
  return Object.entries(holder).flatMap(([name, value]: [string, unknown]) => {
    if (!ALONG.test(name) || value === null || value === '') return [];
    const isPlain = typeof value === 'string' || typeof value === 'number' || isExactNumber(value);
    return [{ name, value: isPlain ? asText(value) : 'as in the raw JSON' }];
  });
}

/** An address as it is copied: never without its memo or tag. */
export function withAlong(address: string, holder: object): string {
  return [address, ...alongOf(holder).map(({ name, value }) => `${name}: ${value}`)].join('\n');
}

function textAt(value: unknown, name: string): string | null {
  const text = isObject(value) && Object.hasOwn(value, name) ? value[name] : null;
  return typeof text === 'string' && text !== '' ? text : null;
}
