import { isExactNumber } from '#src/shared/json/exactJson.ts';
import { textOrJson } from '#src/shared/text.ts';

/** A memo, tag or similar field: on some chains payments to the address need it. */
export interface MemoField {
  name: string;
  value: string;
}

const ALONG =
  /^(?:comment|memo(?:_?(?:id|text))?|(?:dest(?:ination)?_?|(?:deposit_)?address_)?(?:tag|memo)|payment_?id|extra_?id)$/i;

export function alongOf(holder: object): MemoField[] {
  return Object.entries(holder).filter(isAlong).map(alongFrom);
}

export function isAlong([name, value]: [string, unknown]): boolean {
  return isNeeded(name) && value !== null && value !== '';
}

/** Whether a payment without this field would be lost. */
export function isNeeded(name: string): boolean {
  return ALONG.test(name);
}

export function alongFrom([name, value]: [string, unknown]): MemoField {
  const isPlain = typeof value === 'string' || typeof value === 'number' || isExactNumber(value);
  return { name, value: isPlain ? textOrJson(value) : 'as in the raw JSON' };
}

/** An address as it is copied: never without its memo or tag. */
export function withAlong(address: string, holder: object): string {
  return [address, ...alongOf(holder).map(({ name, value }) => `${name}: ${value}`)].join('\n');
}
