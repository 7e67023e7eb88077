import { isObject, parseJson } from '#src/lib/answers.ts';
import { paths } from '#src/lib/paths.ts';
import { assetAndChainForm } from './compare.ts';
import type { Kind } from './kind.ts';

const PATH = '/v1/deposits';
const MINUTES = 60;

export interface DepositAddressFields {
  asset: string;
  chain: string;
}

export function readDepositAddressBody(body: string): DepositAddressFields | null {
  const value = parseJson(body);
  if (!isObject(value)) return null;
  const { asset, chain } = value;
  return typeof asset === 'string' && typeof chain === 'string' ? { asset, chain } : null;
}

export const depositAddress: Kind = {
  faultIn: ({ path, body }) =>
    path === PATH && readDepositAddressBody(body) !== null ? null : 'This does not ask for a deposit address.',
  placeOf: ({ path, body }) => {
    const fields = path === PATH ? readDepositAddressBody(body) : null;
    return fields === null ? null : assetAndChainForm(fields);
  },
  aboutOf: ({ body }) => {
    const sent = readDepositAddressBody(body);
    return { amount: null, asset: null, place: sent === null ? null : `${sent.asset} on ${sent.chain}` };
  },
  asksAgainWithin: 10 * MINUTES,
  isCompared: false,
  mayBeEmpty: false,
  one: 'deposit address',
  many: 'deposit addresses',
  done: 'this deposit address was made',
  nothingDone: 'No address was made.',
  send: 'Create deposit address',
  newForm: paths.newDepositAddress,
  doNot: 'Ask for this address another way: there would be two',
  unseen: 'Whether an address exists, and which',
  closeFrees: 'Ask for another address only if that one was not made, or if two do no harm.',
  title: 'Deposit address',
};

export function depositAddressRequest({ asset, chain }: DepositAddressFields) {
  return { kind: 'deposit-address' as const, path: PATH, body: JSON.stringify({ asset, chain }) };
}
