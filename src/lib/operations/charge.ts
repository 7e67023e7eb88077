import { isAmount } from '#src/lib/amount.ts';
import { isObject, parseJson } from '#src/lib/answers.ts';
import { paths } from '#src/lib/paths.ts';
import { canonicalJson } from './canonicalJson.ts';
import type { Kind } from './kind.ts';

const PATH = '/v1/charges';
const MINUTES = 60;

export const charge: Kind = {
  faultIn: ({ path, body }) => (path === PATH && isObject(parseJson(body)) ? null : 'This is not a JSON object.'),
  placeOf: ({ path, body }) => {
    const value = path === PATH ? parseJson(body) : undefined;
    return isObject(value) ? canonicalJson(value) : null;
  },
  aboutOf: ({ body }) => {
    const sent = parseJson(body);
    if (!isObject(sent)) return { amount: null, asset: null, place: null };
    const { amount, asset } = sent;
    return {
      amount: isAmount(amount) ? amount : null,
      asset: typeof asset === 'string' ? asset : null,
      place: null,
    };
  },
  asksAgainWithin: 10 * MINUTES,
  isCompared: false,
  mayBeEmpty: false,
  one: 'charge',
  many: 'charges',
  done: 'this charge was created',
  nothingDone: 'No charge was created.',
  send: 'Create charge',
  newForm: paths.newCharge,
  doNot: 'Create this charge another way: there would be two',
  unseen: 'Whether a charge exists, and its id',
  closeFrees: 'Create another charge only if that one was not created: a customer could pay both.',
  title: 'Charge',
};

/** `body`: a JSON object as text, sent as it is; the contract does not show its fields. */
export function chargeRequest(body: string) {
  return { kind: 'charge' as const, path: PATH, body };
}
