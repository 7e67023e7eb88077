import { isObject } from '#src/lib/answers.ts';
import type { WithdrawalFields } from '#src/lib/operations/withdrawal.ts';

export const EMPTY: WithdrawalFields = { asset: '', chain: '', amount: '', address: '' };

/** The values that another page handed over for a new form; a form without any starts empty. */
export function prefillOf(state: unknown): WithdrawalFields {
  const prefill = isObject(state) ? state['prefill'] : undefined;
  if (!isObject(prefill)) return EMPTY;
  const text = (name: keyof WithdrawalFields) => {
    const value = prefill[name];
    return typeof value === 'string' ? value : '';
  };
  return { asset: text('asset'), chain: text('chain'), amount: text('amount'), address: text('address') };
}

/** What is reviewed and sent: names without the spaces around them, amount and address exactly as typed. */
export function reviewed(values: WithdrawalFields): WithdrawalFields {
  return { ...values, asset: values.asset.trim(), chain: values.chain.trim() };
}
