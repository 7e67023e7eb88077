import type { PaymentKind } from '#src/shared/operations/paymentHistory.ts';
import { type Payment, paymentOf } from '#src/shared/overview/payment.ts';
import { type PaymentNote, subjectId } from '#src/shared/contract/teamContract.ts';
import { foldCode } from '#src/shared/assetCode.ts';
import { isAmount } from '#src/shared/amount.ts';
import { type AmountQuery, isPart, isSame } from '#src/shared/classifyQuery.ts';
import { ADDRESS_LENGTH_MIN, isSameAddress, normalAddress, addressKey } from '#src/shared/chains/lookAlike.ts';
import { add, compare, subtract } from '#src/shared/money.ts';
import { dateOf, isPlausibleTime, type Zone } from '#src/shared/time.ts';
import { searchForm, textOrNull } from '#src/shared/text.ts';
import { chainForm } from '#src/shared/chains/names.ts';
import { codesOf, type Understood } from './understand.ts';

export interface FoundPayment extends Payment {
  /** Who or what it was for: the team's recipient, label or note, otherwise the address. */
  name: string | null;
  /**
   * named: found by its ID, hash or address. near: by an amount within 1 %. elsewhere: as wanted, but on another chain.
   * other: another amount on the wanted days.
   */
  fit: 'named' | 'exact' | 'near' | 'elsewhere' | 'other';
  /** For near and other amounts of the wanted asset: the amount less the wanted one; negative if less. */
  difference?: string;
}

export interface PaymentNames {
  /** By addressKey(). */
  recipients: ReadonlyMap<string, string>;
  /** Labels of deposit addresses, from labelsOf(). */
  labels: ReadonlyMap<string, string>;
  /** By subjectId(), which is an operation's while its payment is unknown. */
  notes: ReadonlyMap<string, PaymentNote>;
}

type Row = Parameters<typeof paymentOf>[1];

export function paymentIn(
  kind: PaymentKind,
  row: Row,
  wanted: Understood,
  names: PaymentNames,
  zone: Zone,
): FoundPayment | null {
  if (wanted.list !== undefined && wanted.list.value !== kind) return null;
  const fit = fitOf(row, wanted, namesOf(kind, row, names), zone);
  if (fit === null) return null;
  const payment = foundPayment(kind, row, names, fit);
  // Amounts of different assets can't be compared.
  if ((fit !== 'other' && fit !== 'near') || codesOf(wanted).length === 0) return payment;
  const differences = amountsIn(row).flatMap((own) =>
    readings(wanted.amount?.value.amount ?? '').map((each) => subtract(own, each)),
  );
  const [difference] = differences.toSorted((a, b) => compare(absolute(a), absolute(b)));
  return { ...payment, ...(difference !== undefined && { difference }) };
}

export function foundPayment(
  kind: PaymentKind,
  row: Row,
  names: PaymentNames,
  fit: FoundPayment['fit'] = 'exact',
): FoundPayment {
  const payment = paymentOf(kind, row);
  return { ...payment, name: namesOf(kind, row, names)[0] ?? payment.address, fit };
}

function namesOf(kind: PaymentKind, row: Row, { recipients, labels, notes }: PaymentNames): string[] {
  const { id, chain, address } = row;
  const to =
    typeof chain === 'string' && typeof address === 'string' ? recipients.get(addressKey({ chain, address })) : '';
  const note = notes.get(subjectId({ kind, id }));
  const on = typeof chain === 'string' ? chain : '';
  const texts = labels.size > 0 ? Object.values(row).filter((value) => typeof value === 'string') : [];
  const label = texts.map((value) => labels.get(normalAddress(on, value))).find((each) => each !== undefined);
  const [reference = '', ...more] = note ? wordsOf(note) : [];
  return [to ?? '', reference, label ?? '', ...more].filter((name) => name !== '');
}

/** Labels by the normal form of their address. */
export function labelsOf(
  addresses: readonly { chain: string; address: string | null; label: string }[],
): PaymentNames['labels'] {
  return new Map(
    addresses.flatMap(({ chain, address, label }) =>
      address === null ? [] : [[normalAddress(chain, address), label]],
    ),
  );
}

/** Whether a value is the text, or another spelling of the same account on its chain. */
export function isNamedBy(value: unknown, text: string, chain: unknown): boolean {
  if (isSame(value, text)) return true;
  if (typeof value !== 'string' || text.length < ADDRESS_LENGTH_MIN || value.length < ADDRESS_LENGTH_MIN) return false;
  return isSameAddress(typeof chain === 'string' ? chain : '', value, text);
}

/** The team's text about a payment, the reference first. */
export function wordsOf({ reference, note, ticket = '', customer = '' }: PaymentNote): string[] {
  return [reference, note, ticket, customer];
}

export function namesIn({ exact, amount, words }: Understood): readonly string[] {
  if (exact) return exact;
  // A plain number may be an order or ticket number.
  return [...(words ? [words.value, words.from] : []), ...(amount?.value.asset === null ? [amount.from] : [])];
}

/** The words without punctuation, with spaces around each: " tck 4711 re " for "[#TCK-4711] Re:". */
function spaced(text: string): string {
  return ` ${searchForm(text)
    .replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
    .trim()} `;
}

/** Matches a saved name with a text when one contains the other, or both have the same word with a digit. */
export function nameMatcher(texts: readonly string[]): (saved: string) => boolean {
  const searched = texts.map(spaced).filter((text) => text.trim() !== '');
  const codes = texts.flatMap((text) => text.split(' ')).filter((word) => word.length > 2 && /\d/.test(word));
  const parts = [...searched.map((text) => (/^[\d ]+$/.test(text) ? text : text.trim())), ...codes.map(spaced)];
  return (saved) => {
    const own = spaced(saved);
    return parts.some((part) => own.includes(part)) || (own.length > 4 && searched.some((text) => text.includes(own)));
  };
}

/** Fields whose values people copy in part. */
const IS_ID = /(?:^|_)id$|hash|address|tx/i;

function fitOf(row: Row, wanted: Understood, rowNames: readonly string[], zone: Zone): FoundPayment['fit'] | null {
  const { exact, amount, asset, chain, days, status, words } = wanted;
  const isElsewhere = chain !== undefined && chainForm(textOrNull(row['chain']) ?? '') !== chain.value;
  const isNamed = (texts: readonly string[]): boolean => {
    // Created on first use: most rows have no name.
    let matchesText: ReturnType<typeof nameMatcher> | undefined;
    return (
      rowNames.some((name) => (matchesText ??= nameMatcher(texts))(name)) ||
      Object.entries(row).some(([name, value]) =>
        texts.some((text) => isNamedBy(value, text, row['chain']) || (IS_ID.test(name) && isPart(value, text))),
      )
    );
  };
  if (exact && isNamed(exact)) return 'named';
  if (exact && !amount) return null;
  if (asset && !codesOf(wanted).some((code) => code === row['asset'])) return null;
  if (status && row['status'] !== status.value) return null;
  if (days) {
    const { created_at: at } = row;
    const date = isPlausibleTime(at) ? dateOf(at, zone) : '';
    if (date < days.value.from || date > days.value.to) return null;
  }
  if (amount?.value.asset === null && isNamed([amount.from])) return 'exact';
  if (amount) {
    const fit = amountFit(row, amount.value, { hasAsset: codesOf(wanted).length > 0, hasDays: days !== undefined });
    return isElsewhere && fit !== null ? (fit === 'exact' ? 'elsewhere' : null) : fit;
  }
  if (isElsewhere) return null;
  if (!words) return asset || status || days || chain ? 'exact' : null;
  return isNamed(namesIn(wanted)) ? 'exact' : null;
}

/**
 * An amount of a known asset may also be off by 1 %: people round, and fees are deducted. On given days, other amounts are
 * listed too: there are few, and a customer may have mistyped.
 */
function amountFit(
  row: Row,
  { amount, asset }: AmountQuery,
  { hasAsset, hasDays }: { hasAsset: boolean; hasDays: boolean },
): FoundPayment['fit'] | null {
  const { asset: its } = row;
  if (asset !== null && (typeof its !== 'string' || foldCode(its) !== foldCode(asset))) return null;
  const amounts = amountsIn(row);
  const fits = (least: string, most: string) =>
    amounts.some((each) => compare(each, least) >= 0 && compare(each, most) <= 0);
  if (readings(amount).some((one) => fits(one, one))) return 'exact';
  if (hasAsset && readings(amount).some((one) => fits(...within1Percent(one)))) return 'near';
  return hasDays ? 'other' : null;
}

function amountsIn(row: Row): string[] {
  return [row['received_amount'], row['amount']].filter(isAmount);
}

/** True if the row's amount and time are readable, where the search names them. */
export function isComparable(row: Row, wanted: Understood): boolean {
  const { exact, amount, days } = wanted;
  const codes = codesOf(wanted);
  const isOfOtherAsset = codes.length > 0 && typeof row['asset'] === 'string' && !codes.includes(row['asset']);
  if (isOfOtherAsset || (exact && !amount)) return true;
  return (amount === undefined || amountsIn(row).length > 0) && (days === undefined || isPlausibleTime(row.created_at));
}

function absolute(amount: string): string {
  return amount.replace('-', '');
}

/** The possible meanings of a typed amount: "1.250" is also 1,250 if the dot separates thousands. */
export function readings(amount: string): string[] {
  return /^[1-9]\d{0,2}\.\d{3}$/.test(amount) ? [amount, amount.replace('.', '')] : [amount];
}

export function within1Percent(amount: string): [least: string, most: string] {
  const [whole = '', rest = ''] = amount.split('.');
  const digits = whole.padStart(3, '0');
  const hundredth = `${digits.slice(0, -2)}.${digits.slice(-2)}${rest}`;
  return [subtract(amount, hundredth), add(amount, hundredth)];
}
