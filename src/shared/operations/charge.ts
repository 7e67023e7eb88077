import { isAmount } from '#src/shared/amount.ts';
import { isObject, parseJson } from '#src/shared/answers.ts';
import { canonicalJson } from './compare.ts';
import type { Kind, SentField } from './kind.ts';

const PATH = '/v1/charges';
const MINUTES = 60;

export const charge: Kind = {
  path: /^\/v1\/charges$/,
  faultIn: ({ body }) => (isObject(parseJson(body)) ? null : 'This is not a JSON object.'),
  duplicateKeyOf: ({ body }) => {
    const value = parseJson(body);
    return isObject(value) ? canonicalJson(value) : null;
  },
  aboutOf: ({ body }) => {
    const sent = parseJson(body);
    if (!isObject(sent)) return { amount: null, asset: null, destination: null };
    const { amount, asset } = sent;
    return {
      amount: isAmount(amount) ? amount : null,
      asset: typeof asset === 'string' ? asset : null,
      destination: null,
    };
  },
  // With their own names and unchanged values: the contract doesn't state the fields.
  fieldsOf: ({ body }) => {
    const sent = parseJson(body);
    if (!isObject(sent)) return [];
    const { amount, ...others } = sent;
    const stated: SentField[] = amount === undefined ? [] : [{ as: 'amount', label: 'amount', value: amount }];
    return [...stated, { as: 'others', value: others }];
  },
  formOf: ({ body }) => ({ body }),
  destinationIs: 'id',
  result: 'as-it-came',
  asksAgainWithin: 10 * MINUTES,
  asksAgainIfClosed: 10 * MINUTES,
  pays: false,
  isCompared: false,
  mayBeEmpty: false,
  one: 'charge',
  many: 'charges',
  outcomeClause: 'this charge was created',
  nothingDone: 'No charge was created.',
  accepted: 'The response is shown as it came.',
  send: 'Create charge',
  duplicatingAction: 'Create this charge another way: there would be two',
  unknownFact: 'Whether a charge exists, and its ID',
  afterManualClose: 'Create another charge only if that one was not created: a customer could pay both.',
  doneBefore: 'The same charge was created',
  doneElsewhere: 'Somebody else may be creating this charge.',
  confirmAgainLabel: 'This isn’t a duplicate. Create it too.',
  title: 'Charge',
};

/** `body`: a JSON object as text, sent unchanged; the contract doesn't show its fields. */
export function chargeRequest(body: string) {
  return { kind: 'charge' as const, path: PATH, body };
}
