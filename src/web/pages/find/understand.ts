import { type AmountQuery, amountQuery, identifiersIn, plainText } from '#src/shared/classifyQuery.ts';
import { type ChainId, chainId } from '#src/shared/chains/names.ts';
import { codesMeant } from '#src/shared/assetCode.ts';
import { knownStatus } from '#src/shared/paymentStatus.ts';
import { dateOf, daysBefore, MONTHS, type Zone } from '#src/shared/time.ts';
import type { PaymentKind } from '#src/shared/operations/paymentHistory.ts';
import type { DayRange } from '#src/web/list/createdRange.ts';
import { daysOfPeriod, type Period, PERIOD_NAMES, PERIODS } from '#src/web/list/filters/periods.ts';
import { readDay } from '#src/web/list/filters/readDay.ts';

/** A term and the part of the text it came from, so that it can be removed from the text. */
interface Read<T> {
  value: T;
  from: string;
}

/** Whole days, both included. `period`: its name in the text, such as "last month". */
export interface Days extends DayRange {
  period?: Period;
}

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

const MONTH = '(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*';
const IS_MONTH = new RegExp(`^${MONTH}$`, 'i');
const PERIOD = new RegExp(`\\b(?:${Object.values(PERIODS).join('|')})\\b`, 'i');
/** A date without a year, only where it can't be an amount at the end of a sentence: "20.11. 5 ETH", "on 20.11. I paid". */
const SHORT = String.raw`(?<=(?:^|\b(?:on|am|vom|el) )\d+\.\d+\.)(?= )`;
/** With slashes only if the first number can't be a month: 18/11/2026. */
const DOTTED = String.raw`(\d{1,2}(?=\.)|(?:1[3-9]|2\d|3[01])(?=/))[./](0?[1-9]|1[0-2])[./](?:(\d{4})\b|${SHORT})`;
const YEAR = String.raw`(?:,? (20\d\d)(?![.,]?\d))?`;
const ORDINAL = String.raw`\d{1,2}(?:st|nd|rd|th)?\.?`;
const DATE = new RegExp(String.raw`\b(?:\d{4}-\d\d-\d\d\b|${DOTTED}|${ORDINAL} (?:of )?${MONTH}${YEAR}\b)`, 'i');
/** "Nov 21" for "21 Nov". */
const MONTH_FIRST = new RegExp(String.raw`\b(${MONTH}) (\d{1,2})(?:st|nd|rd|th)?${YEAR}\b(?![.,]\d)`, 'i');
const WHOLE_DAY = String.raw`(?:\d{4}-\d\d-\d\d|${ORDINAL} (?:of )?${MONTH}${YEAR}|${MONTH} ${ORDINAL}${YEAR})`;
/** "between 20 and 23 Nov", "20–23 Nov", "22 Nov or 23 Nov". */
const SPAN = new RegExp(
  String.raw`(?:\b(?:between|from) )?(?<![\w.,#-]|\b(?:order|invoice|ticket) )(?<one>${WHOLE_DAY}|${ORDINAL})(?: ?[-–—] ?| (?:and|or|to|until|till) )(?<other>${WHOLE_DAY})\b`,
  'i',
);
/** "Nov 20–23". */
const SPAN_IN_MONTH = new RegExp(
  String.raw`\b(?<one>${MONTH} ${ORDINAL})(?: ?[-–—] ?| to )(?<other>${ORDINAL})(?!\w|[.,]\d)`,
  'i',
);
const WEEKDAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];
const COUNTS = ['one', 'two', 'three', 'four', 'five', 'six'];
/** "3 days ago", "last week", "on Sunday". */
const RELATIVE = new RegExp(
  String.raw`\b(?:(\d{1,3}|a|${COUNTS.join('|')}) (day|week)s? ago|(last|this) week|(?:on|last|this) (${WEEKDAYS.join('|')}))(?![\w-]|\.\w)`,
  'i',
);

/** A number that may be a year, and the next word. */
const YEAR_AND_WORD = /\b20\d\d (\S+)/g;
const CURRENCY = /^(?:(?!UTC|GMT)[A-Z]{2,5}|[$€£])$/;
const LISTS = /\b(deposits?|received|incoming|withdrawals?|sent|outgoing)\b/i;
/** Punctuation that plainText() leaves after a number. */
const ENDS = /[.,;:!?]+$/;
const IS_VERB = /^(?:received|incoming|sent|outgoing)$/i;
/** Words of a sentence, which don't occur in a bare query. */
const TELLS = /^(?:i|we|you|he|she|they|my|our|me|paid|was|is|are|have|has|had|not|but)$/i;
/** Other words that are ignored. */
const FILLERS = /^(?:pay|payment|of|on|at|the|a|an|hash|tx|txid|address|to|from|for|and|with)$/i;

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

/** Maximum results: nobody looks through more. */
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
  const days = daysIn(rest, assets, dateOf(now, zone));
  if (days) found.days = take(days.from, days.value);
  const list = LISTS.exec(rest)?.[0];
  if (list) found.list = take(list, /^[dri]/i.test(list) ? 'deposit' : 'withdrawal');
  const status = rest.split(' ').find((word) => knownStatus(word.toLowerCase()) !== null);
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
  const isTold = amount
    ? others.length > 0 || IS_VERB.test(list ?? '')
    : words !== '' && others.some((word) => TELLS.test(word));
  if (isTold) {
    delete found.list;
    delete found.status;
  }
  return found;
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
  const codes = codesMeant(code, assets);
  return codes.length > 0 ? codes : codesMeant(code.replace(/\.e$/i, ''), assets);
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

function daysIn(whole: string, assets: readonly string[], today: string): Read<Days> | null {
  const isCode = (word: string) => isHeld(word, assets) || CURRENCY.test(word);
  // In "20 Nov 2000 USDT", 2000 is an amount, not a year.
  const text = whole.replace(YEAR_AND_WORD, (pair, word: string) => (isCode(word.replace(ENDS, '')) ? '#' : pair));
  const [named] = PERIOD.exec(text) ?? [];
  const period = PERIOD_NAMES.find((name) => PERIODS[name].toLowerCase() === named?.toLowerCase());
  if (named !== undefined && period) return { value: { ...daysOfPeriod(period, today), period }, from: named };
  return spanIn(text, today) ?? dayIn(text, today) ?? relativeIn(text, today);
}

function spanIn(text: string, today: string): Read<Days> | null {
  const match = SPAN.exec(text) ?? SPAN_IN_MONTH.exec(text);
  const { one = '', other = '' } = match?.groups ?? {};
  const parts = [one, other];
  const dated = parts.find((part) => /\b20\d\d\b/.test(part)) ?? parts.find((part) => dayIn(part, today)) ?? '';
  const anchor = dayIn(dated, today)?.value.from;
  if (!match || anchor === undefined) return null;
  // A day without a year or month is the one nearest to the other end.
  const until = daysBefore(anchor, -182);
  const days = parts.flatMap((part) => {
    const number = /\d+/.exec(part)?.[0] ?? '';
    return dayIn(part, until)?.value.from ?? readDay(anchor.slice(0, 8) + number.padStart(2, '0'), today) ?? [];
  });
  const [from, to] = days.toSorted();
  return from !== undefined && to !== undefined ? { value: { from, to }, from: match[0] } : null;
}

function relativeIn(text: string, today: string): Read<Days> | null {
  const [from, count, unit, week, weekday] = RELATIVE.exec(text) ?? [];
  if (from === undefined) return null;
  const weekdayNow = new Date(`${today}T00:00:00Z`).getUTCDay();
  const back = (days: number, length = 1): Read<Days> => ({
    value: { from: daysBefore(today, days), to: daysBefore(today, days - length + 1) },
    from,
  });
  // Weeks begin on Monday.
  const monday = (weekdayNow + 6) % 7;
  if (week) return week.toLowerCase() === 'this' ? back(monday, monday + 1) : back(monday + 7, 7);
  if (weekday) {
    const days = (weekdayNow - WEEKDAYS.indexOf(weekday.toLowerCase()) + 7) % 7;
    return back(days === 0 && /^last/i.test(from) ? 7 : days);
  }
  const ago = Number(count) || COUNTS.indexOf((count ?? '').toLowerCase()) + 1 || 1;
  return unit?.toLowerCase() === 'week' ? back(ago * 7) : back(ago);
}

function dayIn(text: string, today: string): Read<Days> | null {
  const [turned, month, day, year = ''] = MONTH_FIRST.exec(text) ?? [];
  const [from = turned ?? '', d, m, y = ''] = DATE.exec(text) ?? [];
  const plain =
    from === turned ? `${day} ${month} ${year}` : from.replace(/(\d)(?:st|nd|rd|th)/i, '$1').replace(/of /i, '');
  const date = readDay(d === undefined ? plain : `${d} ${MONTHS[Number(m) - 1]} ${y}`, today);
  return date ? { value: { from: date, to: date }, from } : null;
}
