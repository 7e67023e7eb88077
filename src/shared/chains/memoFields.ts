import { isExactNumber } from '#src/shared/json/exactJson.ts';
import { textOrJson } from '#src/shared/text.ts';

/** A memo, tag or similar field: on some chains payments to the address need it. */
export interface MemoField {
  name: string;
  value: string;
}

const MEMO_NAME =
  /^(?:comment|memo(?:_?(?:id|text))?|(?:dest(?:ination)?_?|(?:deposit_)?address_)?(?:tag|memo)|payment_?id|extra_?id)$/i;

export function memoFieldsOf(holder: object): MemoField[] {
  return Object.entries(holder).filter(isMemoEntry).map(memoFieldOf);
}

export function isMemoEntry([name, value]: [string, unknown]): boolean {
  return isMemoName(name) && value !== null && value !== '';
}

/** Whether a payment without this field would be lost. */
export function isMemoName(name: string): boolean {
  return MEMO_NAME.test(name);
}

export function memoFieldOf([name, value]: [string, unknown]): MemoField {
  const isPlain = typeof value === 'string' || typeof value === 'number' || isExactNumber(value);
  return { name, value: isPlain ? textOrJson(value) : 'as in the raw JSON' };
}

/** An address as it is copied: never without its memo or tag. */
export function withMemo(address: string, holder: object): string {
  return [address, ...memoFieldsOf(holder).map(({ name, value }) => `${name}: ${value}`)].join('\n');
}
