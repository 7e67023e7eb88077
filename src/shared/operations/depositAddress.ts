import { isObject, parseJson } from '#src/shared/answers.ts';
import { visibleCode } from '#src/shared/text.ts';
import { chainLabel } from '#src/shared/chains/names.ts';
import { assetAndChainForm } from './compare.ts';
import type { DepositAddressFields, Kind } from './kind.ts';

const PATH = '/v1/deposits';
const MINUTES = 60;

export function readDepositAddressBody(body: string): DepositAddressFields | null {
  const value = parseJson(body);
  if (!isObject(value)) return null;
  const { asset, chain } = value;
  return typeof asset === 'string' && typeof chain === 'string' ? { asset, chain } : null;
}

export const depositAddress: Kind = {
  path: /^\/v1\/deposits$/,
  faultIn: ({ body }) => (readDepositAddressBody(body) ? null : 'This does not ask for a deposit address.'),
  duplicateKeyOf: ({ body }) => {
    const fields = readDepositAddressBody(body);
    return fields === null ? null : assetAndChainForm(fields);
  },
  aboutOf: ({ body }) => {
    const sent = readDepositAddressBody(body);
    return {
      amount: null,
      asset: null,
      destination: sent === null ? null : `${visibleCode(sent.asset)} on ${chainLabel(sent.chain)}`,
    };
  },
  fieldsOf: ({ body }) => {
    const sent = readDepositAddressBody(body);
    if (sent === null) return [];
    return [
      { as: 'text', label: 'Asset', value: visibleCode(sent.asset) },
      { as: 'text', label: 'Chain', value: chainLabel(sent.chain) },
    ];
  },
  formOf: ({ body }) => readDepositAddressBody(body),
  destinationIs: 'words',
  result: 'deposit-address',
  asksAgainWithin: 10 * MINUTES,
  asksAgainIfClosed: 10 * MINUTES,
  pays: false,
  isCompared: false,
  mayBeEmpty: false,
  one: 'deposit address',
  many: 'deposit addresses',
  outcomeClause: 'this deposit address was created',
  nothingDone: 'No address was created.',
  accepted: '',
  send: 'Create deposit address',
  duplicatingAction: 'Ask for this address another way: there would be two',
  unknownFact: 'Whether an address exists, and which',
  afterManualClose: 'Ask for another address only if that one was not made, or if two do no harm.',
  doneBefore: 'An address of this asset and chain was created',
  doneElsewhere: 'Somebody else may be creating this deposit address.',
  confirmAgainLabel: 'This isn’t a duplicate. Create another address.',
  title: 'Deposit address',
};

export function depositAddressRequest({ asset, chain }: DepositAddressFields) {
  return { kind: 'deposit-address' as const, path: PATH, body: JSON.stringify({ asset, chain }) };
}
