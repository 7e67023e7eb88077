import { isObject, parseJson } from '#src/lib/answers.ts';
import { PATHS } from '#src/api/contract.ts';
import { isAmount } from '#src/lib/amount.ts';
import { segment } from '#src/lib/paths.ts';
import { type WithdrawalFields, readWithdrawalBody, withdrawalBody } from './body.ts';
import type { StartRequest } from './outcomes.ts';
import type { OperationKind, OperationRecord } from './record.ts';
import { destinationForm } from './sameSend.ts';

// The four kinds (contract 4.6). A request is made here, once, from what a person reviewed; its bytes never change again.

export function withdrawalRequest(key: string, fields: WithdrawalFields, secondSendOf: string[]): StartRequest {
  return { kind: 'withdrawal', key, path: PATHS.withdrawals, body: withdrawalBody(fields), secondSendOf };
}

export function depositAddressRequest(key: string, fields: { asset: string; chain: string }): StartRequest {
  const { asset, chain } = fields;
  const body = JSON.stringify({ asset, chain });
  return { kind: 'deposit-address', key, path: PATHS.deposits, body, secondSendOf: [] };
}

/** `body`: a JSON object as text, sent as it is; the contract does not show its fields. */
export function chargeRequest(key: string, body: string): StartRequest {
  return { kind: 'charge', key, path: PATHS.charges, body, secondSendOf: [] };
}

export function webhookReplayRequest(key: string, deliveryId: string, secondSendOf: string[]): StartRequest {
  const path = `${PATHS.webhookDeliveries}/${segment(deliveryId)}/replay`;
  return { kind: 'webhook-replay', key, path, body: '{}', secondSendOf };
}

type Sent = Pick<OperationRecord, 'kind' | 'path' | 'body'>;

/** Why these bytes, made now, are none of their kind, in plain words; null: they are. */
export function faultIn(sent: Sent): string | null {
  if (!isOfKind(sent)) return NOT[sent.kind];
  const fields = sent.kind === 'withdrawal' ? readWithdrawalBody(sent.body) : null;
  if (fields === null) return null;
  // What a person reviewed is all that is sent.
  if (withdrawalBody(fields) !== sent.body) return NOT.withdrawal;
  return isAmount(fields.amount) ? null : 'The amount is not a decimal number.';
}

const NOT: Record<OperationKind, string> = {
  withdrawal: 'This is not a withdrawal.',
  'deposit-address': 'This does not ask for a deposit address.',
  charge: 'This is not a JSON object.',
  'webhook-replay': 'This does not replay a webhook delivery.',
};

/** Whether a recorded request reads as its kind, in whichever form the build that made it wrote it. */
export function isOfKind(sent: Sent): boolean {
  return READS_AS[sent.kind](sent);
}

const READS_AS: Record<OperationKind, (sent: Sent) => boolean> = {
  withdrawal: ({ path, body }) => path === PATHS.withdrawals && readWithdrawalBody(body) !== null,
  'deposit-address': ({ path, body }) => path === PATHS.deposits && readDepositAddressBody(body) !== null,
  charge: ({ path, body }) => path === PATHS.charges && isObject(parseJson(body)),
  'webhook-replay': ({ path, body }) => deliveryOf({ path }) !== null && isObject(parseJson(body)),
};

export function readDepositAddressBody(body: string): { asset: string; chain: string } | null {
  const value = parseJson(body);
  if (!isObject(value)) return null;
  const { asset, chain } = value;
  return typeof asset === 'string' && typeof chain === 'string' ? { asset, chain } : null;
}

/** The delivery that a path replays; null for any other path. */
export function deliveryOf({ path }: Pick<OperationRecord, 'path'>): string | null {
  const match = /^\/v1\/webhook-deliveries\/([^/]+)\/replay$/.exec(path);
  if (!match?.[1]) return null;
  try {
    return decodeURIComponent(match[1]);
  } catch {
    return null;
  }
}

/** What only one operation at a time may be open for, and a second one asks first; null: the kind has no such place. */
export function placeOf(sent: Sent): string | null {
  return PLACES[sent.kind](sent);
}

const PLACES: Record<OperationKind, (sent: Sent) => string | null> = {
  withdrawal: ({ body }) => {
    const fields = readWithdrawalBody(body);
    return fields === null ? null : destinationForm(fields);
  },
  'deposit-address': () => null,
  charge: () => null,
  'webhook-replay': ({ path }) => path,
};
