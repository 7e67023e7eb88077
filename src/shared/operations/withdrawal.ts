import { isAmount, isPositive } from '#src/shared/amount.ts';
import { isObject, parseJson } from '#src/shared/answers.ts';
import { chainLabel } from '#src/shared/chains/names.ts';
import { destinationForm } from './compare.ts';
import type { Kind, OperationRequest, WithdrawalFields } from './kind.ts';
import type { Operation } from './record.ts';

export const WITHDRAWALS_PATH = '/v1/withdrawals';

const DAY_SECONDS = 24 * 60 * 60;

/** The exact bytes to send: shown in review, stored in the record, sent by every attempt. */
export function withdrawalBody({ asset, chain, amount, address }: WithdrawalFields): string {
  return JSON.stringify({ asset, chain, amount, address });
}

/** The fields of a recorded body, whichever version wrote it; null if they can't be read. */
export function readWithdrawalBody(body: string): WithdrawalFields | null {
  const value = parseJson(body);
  if (!isObject(value)) return null;
  const { asset, chain, amount, address } = value;
  if (typeof asset !== 'string' || typeof chain !== 'string') return null;
  if (typeof amount !== 'string' || typeof address !== 'string') return null;
  return { asset, chain, amount, address };
}

export function withdrawalFieldsOf({ kind, body }: Pick<OperationRequest, 'kind' | 'body'>): WithdrawalFields | null {
  return kind === 'withdrawal' ? readWithdrawalBody(body) : null;
}

/** A withdrawal's status from the service's response or the last check; null if none, or not certainly of this payment. */
export function statusStated(result: Operation['result']): string | null {
  if (!result?.confirmed.includes('amount') || !result.confirmed.includes('address')) return null;
  const object = parseJson(result.text);
  return isObject(object) && typeof object['status'] === 'string' ? object['status'] : null;
}

/** The outcome in one word; for an accepted withdrawal, the service's last status. */
export function outcomeOf({ state, result }: Pick<Operation, 'state' | 'result'>): string {
  return result || state === 'succeeded' ? (statusStated(result) ?? 'accepted') : state;
}

export const withdrawal: Kind = {
  path: /^\/v1\/withdrawals$/,
  faultIn: ({ body }) => {
    const fields = readWithdrawalBody(body);
    // Only what was reviewed may be sent.
    if (fields === null || withdrawalBody(fields) !== body) return 'This is not a withdrawal.';
    if (!isAmount(fields.amount)) return 'The amount is not a decimal number.';
    return isPositive(fields.amount) ? null : 'The amount must be more than zero.';
  },
  duplicateKeyOf: ({ body }) => {
    const fields = readWithdrawalBody(body);
    return fields === null ? null : destinationForm(fields);
  },
  aboutOf: ({ body }) => {
    const sent = readWithdrawalBody(body);
    if (sent === null) return { amount: null, asset: null, destination: null };
    return { amount: isAmount(sent.amount) ? sent.amount : null, asset: sent.asset, destination: sent.address };
  },
  fieldsOf: ({ body }) => {
    const sent = readWithdrawalBody(body);
    if (sent === null) return [];
    return [
      { as: 'amount', label: 'Amount', value: sent.amount, asset: sent.asset },
      { as: 'address', label: 'To', value: sent.address },
      { as: 'text', label: 'Chain', value: chainLabel(sent.chain) },
    ];
  },
  formOf: ({ body }) => readWithdrawalBody(body),
  destinationIs: 'address',
  result: 'withdrawal',
  asksAgainWithin: DAY_SECONDS,
  asksAgainIfClosed: 35 * DAY_SECONDS,
  pays: true,
  isCompared: true,
  mayBeEmpty: false,
  one: 'withdrawal',
  many: 'withdrawals',
  outcomeClause: 'this withdrawal went through',
  nothingDone: 'Nothing was paid.',
  accepted: 'Lists and balances may take a moment to show it.',
  send: 'Send withdrawal',
  duplicatingAction: 'Pay this another way',
  unknownFact: 'Whether a withdrawal ID or a transaction hash exists',
  afterManualClose: 'The same recipient can be paid again then: if this one went through, that pays twice.',
  doneBefore: 'A withdrawal to this recipient was made',
  doneElsewhere: 'Somebody else may be paying this recipient.',
  confirmAgainLabel: 'This isn’t a duplicate. Send it too.',
  title: 'Withdrawal',
};

/** A withdrawal request from what a person reviewed; its bytes never change again. */
export function withdrawalRequest(fields: WithdrawalFields) {
  return { kind: 'withdrawal' as const, path: WITHDRAWALS_PATH, body: withdrawalBody(fields) };
}
