import * as v from 'valibot';
import { isDay, isLastOfShorterMonth, type Rhythm, type Schedule } from '#src/shared/due/dueDates.ts';
import { rhythmWords } from '#src/shared/due/dueWords.ts';
import {
  amountField,
  assetRule,
  atMost,
  chainRule,
  recipientNameRule,
  ruledLater,
  ruledName,
  ruledText,
} from '#src/shared/fieldRules.ts';
import { recipientAddressRule } from '#src/shared/recipientRules.ts';
import type { StandingPayment } from '#src/web/api/standingPayments.ts';

export type StandingFields = Record<
  'name' | 'chain' | 'address' | 'asset' | 'amount' | 'reference' | 'first' | 'repeats' | 'monthEnd',
  string
>;

/** Intervals in weeks and months. */
const REPEATS = ['1 week', '2 week', '4 week', '1 month', '2 month', '3 month', '6 month', '12 month'];
/** The value of `monthEnd` for the last day of each month; empty means the same day of each month. */
export const MONTH_END = 'yes';

export const EMPTY: StandingFields = {
  name: '',
  chain: '',
  address: '',
  asset: '',
  amount: '',
  reference: '',
  first: '',
  repeats: '1 month',
  monthEnd: '',
};

export function fieldsFor(payment: StandingPayment): StandingFields {
  const { name, chain, address, asset, amount, reference, first, rhythm } = payment;
  const monthEnd = rhythm.unit === 'month' && rhythm.day === 31 && isLastOfShorterMonth(first) ? MONTH_END : '';
  return { name, chain, address, asset, amount, reference, first, repeats: repeatsOf(rhythm), monthEnd };
}

function repeatsOf({ count, unit }: Rhythm): string {
  return `${count} ${unit}`;
}

type Dates = Pick<StandingFields, 'first' | 'repeats' | 'monthEnd'>;

/** Whether the first day is the last of a month shorter than 31 days: the form then asks if every month's last day is meant. */
export function canBeMonthEnd({ first, repeats }: Dates): boolean {
  return repeats.endsWith('month') && isDay(first) && isLastOfShorterMonth(first);
}

export function scheduleOf(typed: Dates): Schedule | null {
  const { first, repeats, monthEnd } = typed;
  const [count = '1', unit] = repeats.split(' ');
  if (!isDay(first)) return null;
  if (unit === 'week') return { first, rhythm: { unit: 'week', count: Number(count) } };
  const day = canBeMonthEnd(typed) && monthEnd === MONTH_END ? 31 : Number(first.slice(-2));
  return { first, rhythm: { unit: 'month', count: Number(count), day } };
}

/** The choices for the interval, in words for this first day. `current` is included even if it isn't a usual one. */
export function repeatChoices(typed: Dates, current: string): { value: string; label: string }[] {
  return [...new Set([...REPEATS, current])].map((repeats) => {
    const schedule = scheduleOf({ ...typed, repeats });
    return { value: repeats, label: schedule === null ? usualWords(repeats) : rhythmWords(schedule) };
  });
}

function usualWords(repeats: string): string {
  const [count = '1', unit = ''] = repeats.split(' ');
  return count === '1' ? `Every ${unit}` : `Every ${count} ${unit}s`;
}

/** `earliest`: the earliest allowed first day. */
export function standingSchemas({ chain }: StandingFields, earliest: string) {
  return {
    name: ruledName(recipientNameRule),
    chain: ruledName(chainRule),
    address: ruledLater((address) => recipientAddressRule(chain, address)),
    asset: ruledName(assetRule),
    amount: amountField,
    reference: atMost(200),
    first: ruledText((day) => {
      if (!isDay(day)) return 'Enter a day.';
      return day >= earliest || 'Choose today or a later day.';
    }),
    repeats: v.string(),
    monthEnd: v.string(),
  };
}
