import { isAmount } from '#src/shared/amount.ts';
import { listInWords, revealHidden } from '#src/shared/text.ts';
import { chainOfEvmId } from './evmChainIds.ts';
import { memoFieldsOf } from './memoFields.ts';
import { type ChainId, chainId, isEvm } from './names.ts';

export interface PaymentLink {
  kind: 'uri';
  /** The chain's id, or its name if it has no rules here. */
  chain: string;
  address: string;
  /** Amount of the chain's own coin, as a plain decimal. */
  amount?: string;
  /** Any other amount in words: its unit is unknown, so no form field is filled in. */
  otherAmount?: string;
  /** If the link asks for an asset other than the chain's own coin: its contract, or its code and issuer. */
  token?: string;
  label?: string;
}

export type Paste =
  | { kind: 'plain'; address: string }
  | PaymentLink
  /** Several words, possibly a name. */
  | { kind: 'ambiguous'; reason: string }
  /** A link or address of which a part would be lost. */
  | { kind: 'refused'; reason: string };

/** Chains without rules here whose links are known; `isPrefix`: their addresses begin with it. */
const OTHER_SCHEMES: Readonly<Record<string, { name: string; isPrefix?: true }>> = {
  bitcoincash: { name: 'Bitcoin Cash', isPrefix: true },
  ecash: { name: 'eCash', isPrefix: true },
  nexa: { name: 'Nexa', isPrefix: true },
  kaspa: { name: 'Kaspa', isPrefix: true },
  ripple: { name: 'XRP Ledger' },
  xrp: { name: 'XRP Ledger' },
  xrpl: { name: 'XRP Ledger' },
  stellar: { name: 'Stellar' },
  'web+stellar': { name: 'Stellar' },
  ton: { name: 'TON' },
  lightning: { name: 'Lightning' },
};

/** The name of the chain whose addresses begin with the prefix of this one. */
export function chainOfPrefix(address: string): string | undefined {
  const scheme = otherScheme(address.slice(0, address.indexOf(':')));
  return scheme?.isPrefix && scheme.name;
}

function otherScheme(scheme: string) {
  const name = scheme.toLowerCase();
  return Object.hasOwn(OTHER_SCHEMES, name) ? OTHER_SCHEMES[name] : undefined;
}

/** Whether a link may be for this chain: false if they differ or only one of them is a known chain. */
export function isOnChain({ chain }: PaymentLink, other: string): boolean {
  return chainId(chain) === chainId(other);
}

const EVM_ADDRESS = /^0x[0-9a-f]{40}$/i;

type Parameters = readonly (readonly [name: string, value: string])[];

/** By BIP 21 a wallet ignores unknown parameters. On other chains such a parameter may identify the payment. */
const IGNORES_UNKNOWN = new Set(['bitcoin', 'litecoin', 'dogecoin']);
const TOKENS = new Set(['spl-token', 'token', 'jetton', 'contract', 'asset_code', 'asset_issuer']);
const SMALLEST_UNITS = new Set(['value', 'uint256']);
const READ = new Set([
  ...TOKENS,
  ...SMALLEST_UNITS,
  'amount',
  'label',
  'message',
  'msg',
  'memo_type',
  'gas',
  'gaslimit',
  'gasprice',
  'exp',
  'origin_domain',
  'signature',
]);

/**
 * Parses a pasted text: an address alone stays unchanged, a payment link is split into its parts (BIP 21, EIP-681,
 * EIP-3770, SEP-7, Solana Pay, ton://). Refused if a part would be lost.
 */
export function parsePaymentUri(paste: string): Paste {
  const text = paste.trim();
  if (/\s/.test(text)) return parseWords(text);
  const [, before = '', query] = /^([^?]*)(?:\?(.*))?$/s.exec(text) ?? [];
  const parameters = parametersIn(query ?? '');
  const lost = tagsIn(parameters);
  if (lost.length > 0) return refused(tagReason(lost));
  const [, appended] = /^[a-z0-9]{20,}[:#/,;|](.+)$/i.exec(before) ?? [];
  if (appended !== undefined) return refused(appendedReason(appended));
  const [, scheme = '', path = ''] = /^([a-z][a-z0-9+.-]*):(.*)$/i.exec(before) ?? [];
  if (scheme !== '') return parseScheme({ paste, text, scheme, path, query, parameters });
  if (query === undefined) return { kind: 'plain', address: paste };
  const unknown = parameters.find(([name]) => !READ.has(name));
  return refused(unknown ? unknownReason(unknown) : 'Paste only the address.');
}

interface Split {
  paste: string;
  text: string;
  scheme: string;
  path: string;
  query: string | undefined;
  parameters: Parameters;
}

function parseScheme({ paste, text, scheme, path, query, parameters }: Split): Paste {
  const target = path.replace(/^\/\//, '');
  const id = chainId(scheme);
  if (id !== undefined) return isEvm(id) ? parseEvm(id, scheme, target, parameters) : link(id, target, parameters);
  if (scheme.toLowerCase() === 'eip155') return parseEvm('ethereum', 'ethereum', caip10Target(target), parameters);
  const other = otherScheme(scheme);
  if (query === undefined && (!other || other.isPrefix) && /^[a-z0-9][a-z0-9:._-]{19,}$/i.test(path)) {
    if (!EVM_ADDRESS.test(path)) return { kind: 'plain', address: paste };
    return refused(
      `“${scheme}:” names a chain that isn’t known here. Paste the address from 0x on, and enter the chain.`,
    );
  }
  if (!other) return refused(`“${cut(scheme)}:” is not the link of a known chain. Paste only the address.`);
  if (other.isPrefix) return link(other.name, text.split('?', 1).join(), parameters);
  if (scheme.toLowerCase() === 'web+stellar') {
    if (target !== 'pay') return refused('This link asks for a signature, not for a payment to an address.');
    const rest = parameters.filter(([name]) => name !== 'destination');
    return link(other.name, valueOf(parameters, 'destination') ?? '', rest);
  }
  return link(other.name, target.replace(/^transfer\//, ''), parameters);
}

/** "1:0x…" as EIP-681 writes it. */
function caip10Target(target: string): string {
  return target.replace(/^([^:]*):(.*)$/, '$2@$1');
}

/** EIP-681; EIP-3770 is its form without parameters. */
function parseEvm(ofScheme: ChainId, scheme: string, target: string, parameters: Parameters): Paste {
  const [, to = '', id, method] = /^(?:pay-)?([^@/]*)(?:@([^@/]*))?(?:\/(.*))?$/.exec(target) ?? [];
  const chain = id === undefined ? ofScheme : chainOfEvmId(id);
  if (chain === undefined)
    return refused(`This link is for the chain with the ID ${cut(id ?? '')}, which isn’t known here.`);
  if (scheme.toLowerCase() !== 'ethereum' && chain !== ofScheme) return refused('This link names two chains.');
  if (method !== undefined && method !== 'transfer')
    return refused(`This link calls “${cut(method)}” on a contract. A withdrawal can’t do that.`);
  const isTransfer = method === 'transfer';
  const recipient = isTransfer ? (valueOf(parameters, 'address') ?? '') : to;
  const named = [recipient, ...(isTransfer ? [to] : [])].find((each) => each !== '' && !EVM_ADDRESS.test(each));
  if (named !== undefined)
    return refused(`“${cut(named)}” in this link is not an address. Ask for the address that starts with 0x.`);
  if (!isTransfer) return link(chain, recipient, parameters);
  return link(chain, recipient, [...parameters.filter(([name]) => name !== 'address'), ['contract', to]]);
}

function link(chain: string, address: string, parameters: Parameters): Paste {
  const [demand] = parameters.find(([name]) => name.startsWith('req-')) ?? [];
  if (demand !== undefined) return refused(`This link demands “${cut(demand)}”, which cannot be met here.`);
  const unknown = IGNORES_UNKNOWN.has(chain) ? undefined : parameters.find(([name]) => !READ.has(name));
  if (unknown !== undefined) return refused(unknownReason(unknown));
  if (address === '') {
    const isLightning = parameters.some(([name]) => name === 'lightning' || name === 'lno');
    return refused(isLightning ? LIGHTNING : 'This link holds no address.');
  }
  // TON addresses use base64.
  if (!(chain === 'TON' ? /^[\w:+/-]+$/ : /^[\w:-]+$/).test(address))
    return refused('This link asks for more than a plain payment to an address.');
  const token = parameters.flatMap(([name, value]) => (TOKENS.has(name) ? [value] : [])).join(' ');
  const amounts = parameters.filter(([name]) => name === 'amount' || SMALLEST_UNITS.has(name));
  if (amounts.length > 1) return refused('This link names more than one amount.');
  const [name, amount] = amounts[0] ?? [];
  const isSmallest = name !== undefined && (SMALLEST_UNITS.has(name) || chain === 'TON');
  const isOther = isSmallest || token !== '';
  if (amount !== undefined && !isOther && !isAmount(amount))
    return refused('The amount in this link is not a plain decimal number.');
  const label = valueOf(parameters, 'label') ?? valueOf(parameters, 'message') ?? valueOf(parameters, 'msg');
  return {
    kind: 'uri',
    chain,
    address,
    ...(amount !== undefined && !isOther && { amount }),
    ...(amount !== undefined && isOther && { otherAmount: `${amount}${isSmallest ? SMALLEST : ' of the token'}` }),
    ...(token !== '' && { token }),
    ...(label !== undefined && { label }),
  };
}

const SMALLEST = ', in the smallest unit';

/** Why a Lightning invoice is refused as an address. */
export const LIGHTNING = 'This is a payment request of the Lightning network. Ask for an address on the chain itself.';

function parametersIn(query: string): Parameters {
  // In these links a plus is a plus (RFC 3986), and "&amp;" comes from links copied out of HTML.
  const search = query.replaceAll('&amp;', '&').replaceAll('+', '%2B');
  const parameters = [...new URLSearchParams(search)].map(([name, value]) => [name.toLowerCase(), value] as const);
  return parameters.filter(([name, value]) => value !== '' || name.startsWith('req-'));
}

function valueOf(parameters: Parameters, name: string): string | undefined {
  return parameters.find((each) => each[0] === name)?.[1];
}

export interface Tag {
  label: string;
  value: string;
}

/** Names that links use for memos and tags beyond those of isMemoName(), and parameters that identify a payment on its chain. */
const TAG_LABELS: ReadonlyMap<string, string> = new Map([
  ['dt', 'destination tag'],
  ['destinationtag', 'destination tag'],
  ['text', 'comment'],
  ['comment', 'comment'],
  ['note', 'note'],
  ['xnote', 'note'],
  ['reference', 'reference'],
  ['tx_payment_id', 'payment id'],
  ['bin', 'data'],
  ['data', 'data'],
]);

function tagsIn(parameters: Parameters): Tag[] {
  return parameters.flatMap(([name, value]) => {
    const isTag = TAG_LABELS.has(name) || memoFieldsOf({ [name]: value }).length > 0;
    return isTag ? [{ label: TAG_LABELS.get(name) ?? name.replaceAll('_', ' '), value }] : [];
  });
}

const TAG_IN_WORDS =
  /\b((?:(?:destination|dest|deposit)[ _-]?)?tag|memo(?:[ _-]?(?:id|text))?|payment[ _-]?id|comment|dt)\b\s*(?:\([^)]*\)\s*)?(?:is\b|[:=#])?\s*(\S+)/gi;
/** A word of this length with a digit can only be an address or an id. */
const LONG_WORD = /^(?=\D*\d)[\w:]{20,}$/;

function parseWords(text: string): Paste {
  const words = text.split(/\s+/);
  if (words.some((word) => LONG_WORD.test(word))) {
    const tags = [...text.matchAll(TAG_IN_WORDS)].map(([, label = '', value = '']) => ({ label, value }));
    if (tags.length > 0) return refused(tagReason(tags.map((tag) => ({ ...tag, label: tag.label.toLowerCase() }))));
    const number = words.find((word) => /^\d{1,20}$/.test(word));
    if (words.length === 2 && number !== undefined) return refused(appendedReason(number));
  }
  const reason = 'Paste only the address. If a tag or memo belongs to it, withdrawals here can’t carry one.';
  return { kind: 'ambiguous', reason };
}

function refused(reason: string): Paste {
  return { kind: 'refused', reason };
}

const MOST_NAMED = 3;

/** Why an address with these tags is refused. */
export function tagReason(tags: readonly Tag[]): string {
  const named = tags.slice(0, MOST_NAMED).map(({ label, value }) => `the ${cut(label)} “${cut(value)}”`);
  const pronoun = tags.length > 1 ? 'them' : 'it';
  return `The recipient asks for ${listInWords(named)}. Withdrawals here can’t carry ${pronoun}, and without ${pronoun} the money may not be credited. Ask for an address that needs none.`;
}

function appendedReason(text: string): string {
  return `“${cut(text)}” after the address may be a tag or memo. Withdrawals here can’t carry one. Paste only the address if it needs none.`;
}

function unknownReason([name, value]: readonly [string, string]): string {
  return `This link also says “${cut(`${name}=${value}`)}”, and withdrawals here can’t carry that. Ask for an address that needs nothing more.`;
}

const LENGTH_MAX = 60;

/** Text from a link is untrusted: makes it visible and clips it. */
function cut(text: string): string {
  const letters = Array.from(revealHidden(text));
  return letters.length > LENGTH_MAX ? `${letters.slice(0, LENGTH_MAX).join('')}…` : letters.join('');
}
