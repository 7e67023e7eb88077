import { isAmount } from '#src/lib/amount.ts';
import { isObject, parseJson } from '#src/lib/answers.ts';
import { paths } from '#src/lib/paths.ts';
import { destinationForm } from './compare.ts';
import type { Kind } from './kind.ts';

const PATH = '/v1/withdrawals';

/** What a withdrawal asks for; the amount is a decimal string. */
export interface WithdrawalFields {
  asset: string;
  chain: string;
  amount: string;
  address: string;
}

/** The exact bytes to be sent: review shows this text, the record keeps it, every attempt sends it. */
export function withdrawalBody({ asset, chain, amount, address }: WithdrawalFields): string {
  return JSON.stringify({ asset, chain, amount, address });
}

/** The fields of a recorded body, whichever version wrote it; null where they cannot be read. */
export function readWithdrawalBody(body: string): WithdrawalFields | null {
  const value = parseJson(body);
  if (!isObject(value)) return null;
  const { asset, chain, amount, address } = value;
  if (typeof asset !== 'string' || typeof chain !== 'string') return null;
  if (typeof amount !== 'string' || typeof address !== 'string') return null;
  return { asset, chain, amount, address };
}

export const withdrawal: Kind = {
  faultIn: ({ path, body }) => {
    const fields = readWithdrawalBody(body);
    // What a person reviewed is all that is sent.
    if (path !== PATH || fields === null || withdrawalBody(fields) !== body) return 'This is not a withdrawal.';
    return isAmount(fields.amount) ? null : 'The amount is not a decimal number.';
  },
  placeOf: ({ path, body }) => {
    const fields = path === PATH ? readWithdrawalBody(body) : null;
    return fields === null ? null : destinationForm(fields);
  },
  aboutOf: ({ body }) => {
    const sent = readWithdrawalBody(body);
    if (sent === null) return { amount: null, asset: null, place: null };
    return { amount: isAmount(sent.amount) ? sent.amount : null, asset: sent.asset, place: sent.address };
  },
  asksAgainWithin: 24 * 60 * 60,
  isCompared: true,
  mayBeEmpty: false,
  one: 'withdrawal',
  many: 'withdrawals',
  done: 'this withdrawal was made',
  nothingDone: 'Nothing was paid.',
  send: 'Send withdrawal',
  newForm: paths.newWithdrawal,
  doNot: 'Pay this another way',
  unseen: 'Whether a withdrawal id or a transaction hash exists',
  closeFrees: 'The same destination can be paid again then: if this one was carried out, that pays twice.',
  title: 'Withdrawal',
};

/** A request for a withdrawal, from what a person reviewed; its bytes never change again. */
export function withdrawalRequest(fields: WithdrawalFields) {
  return { kind: 'withdrawal' as const, path: PATH, body: withdrawalBody(fields) };
}
