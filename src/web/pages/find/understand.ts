import { type AmountQuery, amountQuery, identifiersIn, plainText } from '#src/shared/classifyQuery.ts';
import { type ChainId, chainId } from '#src/shared/chains/names.ts';
import { matchingAssetCodes } from '#src/shared/assetCode.ts';
import { knownStatus } from '#src/shared/paymentStatus.ts';
import { dateOf, type Zone } from '#src/shared/time.ts';
import type { PaymentKind } from '#src/shared/operations/paymentHistory.ts';
import { type Days, daysIn, IS_MONTH, type Read } from './days.ts';

export interface Understood {
  /** Ids, keys, addresses and hashes, as written in the text. */
  exact?: readonly string[];
  amount?: Read<AmountQuery>;
  /** A second amount, offered in place of the first. */
  further?: Read<AmountQuery>;
  asset?: Read<string>;
  /** A known chain, by its id. */
  chain?: Read<ChainId>;
  /** Other asset codes of the account that the text may mean. */
  otherCodes?: readonly string[];
  days?: Read<Days>;
  status?: Read<string>;
  list?: Read<PaymentKind>;
  words?: Read<string>;
}

/** The assets that the text may mean, the likeliest first; empty for any asset. */
export function codesOf({ amount, asset, otherCodes = [] }: Understood): string[] {
  const code = amount?.value.asset ?? asset?.value;
  return code == null ? [] : [code, ...otherCodes];
}

const CURRENCY = /^(?:(?!UTC|GMT)[A-Z]{2,5}|[$€£])$/;
const LISTS = /\b(deposits?|received|incoming|withdrawals?|sent|outgoing)\b/i;
/** Punctuation that plainText() leaves after a number. */
const ENDS = /[.,;:!?]+$/;
const IS_VERB = /^(?:received|incoming|sent|outgoing)$/i;
/** Words of a sentence, which don't occur in a bare query. */
const TELLS = /^(?:i|we|you|he|she|they|my|our|me|paid|was|is|are|have|has|had|not|but)$/i;
/** Other words that are ignored. */
const FILLERS = /^(?:pay|payment|of|on|at|the|a|an|hash|tx|txid|address|to|from|for|and|with)$/i;

const NO_NAMES = [LISTS, TELLS, FILLERS];

/** Extracts search terms from free text: "0.5 eth yesterday", "failed withdrawals", "I paid 0.5 ETH on 21 Nov, hash 0x…". */
export function understand(
  pasted: string,
  context: { assets: readonly string[]; zone: Zone; now: number },
): Understood {
  const text = plainText(pasted);
  if (text === '') return {};
  const { assets } = context;
  // Without punctuation the digits may be an id.
  if (/[.,'’]/.test(text) && amountOf(text, assets)) return terms(text, context);
  const exact = identifiersIn(
    text
      .split(' ')
      .filter((word) => !isCodeWord(word, assets))
      .join(' '),
  );
  if (exact.length > 0) return withAround(text, exact, context);
  return LONG_OR_CLIPPED.test(text) && !isHeld(text, assets) ? { exact: [text] } : terms(text, context);
}

/** An asset code of the account that contains a hash: "ibc/27394F…". A code that is a whole address is searched as one. */
function isCodeWord(word: string, assets: readonly string[]): boolean {
  const code = word.replace(ENDS, '');
  return isHeld(code, assets) && identifiersIn(word)[0] !== code;
}

/** A whole text that can only be an id: long, or clipped as in table rows ("dep_9fK…x7Qd"). */
const LONG_OR_CLIPPED = /^(?:\S{20,}|\w{3,}(?:…|\.{3})\w{3,})$/;

/** Maximum number of results, because people don't read more. */
export const MOST_SHOWN = 25;

/** Adds the terms of a sentence around an id or a hash. */
function withAround(text: string, exact: string[], context: Parameters<typeof understand>[1]): Understood {
  // Longest first, since one may be part of another.
  const longest = exact.toSorted((one, other) => other.length - one.length);
  const left = longest.reduce((rest, id) => rest.replaceAll(id, ' '), text);
  const around = left
    .split(' ')
    .map((word) => (isCodeWord(word, context.assets) ? word : word.replaceAll(/https?:|[;:=?!&@/]/g, ' ')))
    .join(' ');
  const { amount, days, chain, otherCodes } = terms(plainText(around), context);
  const aboutAmount = amount && {
    amount,
    ...(days && { days }),
    ...(chain && { chain }),
    ...(otherCodes && { otherCodes }),
  };
  return { ...aboutAmount, exact: exact.slice(0, MOST_SHOWN) };
}

function terms(text: string, { assets, zone, now }: Parameters<typeof understand>[1]): Understood {
  const found: Understood = {};
  let rest = text;
  const take = <T>(from: string, value: T): Read<T> => {
    rest = rest.replace(from, ' ').replaceAll(/\s+/g, ' ').trim();
    return { value, from };
  };
  const isOfAccount = (word: string) => isHeld(word, assets);
  const days = daysIn(
    rest,
    {
      isCode: (word) => isOfAccount(word) || CURRENCY.test(word),
      isNoName: (word) => isOfAccount(word) || NO_NAMES.some((each) => each.test(word)) || isStatus(word),
    },
    dateOf(now, zone),
  );
  if (days) found.days = take(days.from, days.value);
  const list = LISTS.exec(rest)?.[0];
  if (list) found.list = take(list, /^[dri]/i.test(list) ? 'deposit' : 'withdrawal');
  const status = rest.split(' ').find(isStatus);
  if (status) found.status = take(status, status.toLowerCase());
  const chain = chainIn(rest, assets);
  if (chain) found.chain = take(chain.from, chain.value);
  const amount = amountIn(rest, assets);
  if (amount) found.amount = take(amount.from, { ...amount.value, asset: heldAs(amount.value.asset, assets) });
  const further = amount && amountIn(rest, assets);
  if (further && isHeld(further.value.asset ?? '', assets)) found.further = further;
  const asset = found.amount?.value.asset ? undefined : rest.split(' ').find((word) => isHeld(word, assets));
  if (asset) found.asset = take(asset, heldAs(asset, assets) ?? asset);
  const [, ...otherCodes] = heldCodes(amount?.value.asset ?? asset ?? '', assets);
  if (otherCodes.length > 0) found.otherCodes = otherCodes;
  const others = rest.split(' ').flatMap((word) => word.replace(ENDS, '') || []);
  const words = others.filter((word) => !FILLERS.test(word) && !TELLS.test(word)).join(' ');
  if (words !== '') found.words = { value: words, from: rest };
  // A customer's view differs from ours: sent there is received here, pending there may be completed here.
  const isCustomersView = amount
    ? others.length > 0 || IS_VERB.test(list ?? '')
    : words !== '' && others.some((word) => TELLS.test(word));
  if (isCustomersView) {
    delete found.list;
    delete found.status;
  }
  return found;
}

function isStatus(word: string): boolean {
  return knownStatus(word.toLowerCase()) !== null;
}

/** Longest name of a chain, in words: "BNB Smart Chain". */
const CHAIN_WORDS = 3;

/** "on Tron", "via TRC20", "99 USDT Polygon"; but "0.1 bitcoin" and "ETH" are about an asset. */
function chainIn(text: string, assets: readonly string[]): Read<ChainId> | null {
  const words = text.split(' ');
  for (let length = CHAIN_WORDS; length > 0; length -= 1) {
    for (let at = 0; at + length <= words.length; at += 1) {
      const name = words.slice(at, at + length).join(' ');
      const id = chainId(name.replace(ENDS, ''));
      if (id === undefined) continue;
      const [before = '', after = ''] = [words[at - 1], words[at + length]];
      if (/^(?:on|via|over)$/i.test(before)) return { value: id, from: `${before} ${name}` };
      const isCode = isHeld(name, assets) || (name.length <= 5 && !/\d/.test(name) && name.toLowerCase() !== id);
      if (!isCode && !/\d$/.test(before) && !/^\d/.test(after)) return { value: id, from: name };
    }
  }
  return null;
}

function isHeld(word: string, assets: readonly string[]): boolean {
  return heldCodes(word, assets).length > 0;
}

/** The code as the account spells it: the service's codes are case-sensitive. */
function heldAs(code: string | null, assets: readonly string[]): string | null {
  return code === null ? null : (heldCodes(code, assets)[0] ?? code);
}

function heldCodes(code: string, assets: readonly string[]): string[] {
  const codes = matchingAssetCodes(code, assets);
  return codes.length > 0 ? codes : matchingAssetCodes(code.replace(/\.e$/i, ''), assets);
}

/** Patterns around a code with other characters or a leading digit; only the account's codes show where it ends. */
const WITH_ANY_CODE = [
  /^(?<figure>.*\S) (?<code>\S+)$/u,
  /^(?<figure>[~≈+−$€£-]*[\d.,'’]*\d)(?<code>\D\S*)$/u,
  /^(?<code>\S+) (?<figure>\S.*)$/u,
];

function amountOf(text: string, assets: readonly string[]): AmountQuery | null {
  const plain = amountQuery(text);
  if (plain) return plain;
  for (const pattern of WITH_ANY_CODE) {
    const { figure = '', code = '' } = pattern.exec(text)?.groups ?? {};
    const bare = isHeld(code, assets) ? amountQuery(figure) : null;
    if (bare?.asset === null) return { amount: bare.amount, asset: code };
  }
  return null;
}

/** A number and any code after it. Without a space or decimals, only upper case, since "4fCehOsg" is part of an id. */
const ANY_CODE = /^[~≈+−-]*(?:[\d.,].*\s|\d*[.,]\d|\d+[A-Z][A-Z\d]*$)/;

/** Splits into words, but keeps an order number with its label, and a number with spaces between thousands. */
const TOKENS =
  /(?:#|\b(?:order|invoice|ticket)(?: (?:no|nr|number|id))?) ?#?(?=\S*\d)\S+|(?<!\S)[~≈+−$€£-]*\d{1,3}(?: \d{3})+(?:[.,]\d+)?(?!\d)|\S+/gi;

/** A number with one of the account's assets if possible, otherwise alone. While the assets aren't loaded, any code counts. */
function amountIn(text: string, assets: readonly string[]): Read<AmountQuery> | null {
  const words = text.match(TOKENS) ?? [];
  const alone = amountOf(text, assets);
  if (alone && (alone.asset === null || isHeld(alone.asset, assets))) return { value: alone, from: text };
  let bare: Read<AmountQuery> | null = null;
  for (const [at, word] of words.entries()) {
    const beside = [`${word} ${words[at + 1] ?? ''}`, `${words[at - 1] ?? ''} ${word}`];
    for (const one of [...beside.filter((pair) => pair === pair.trim()), word]) {
      const from = one.replace(ENDS, '');
      const value = amountOf(from, assets);
      if (!value || (value.asset === null && !/[.$€£]/.test(from))) continue;
      if (value.asset === null) bare ??= { value, from };
      else if (isHeld(value.asset, assets)) return { value, from };
      else if (from === text && ANY_CODE.test(text) && !IS_MONTH.test(value.asset))
        return assets.length === 0 ? { value, from } : { value: { ...value, asset: null }, from: word };
    }
  }
  return bare;
}
