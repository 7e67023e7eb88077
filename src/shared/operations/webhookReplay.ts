import { isObject, parseJson } from '#src/shared/answers.ts';
import { isPathParameter, segment } from '#src/shared/paths.ts';
import type { Kind, OperationRequest } from './kind.ts';

const PATH = /^\/v1\/webhook-deliveries\/([^/]+)\/replay$/;

export function deliveryOf({ path }: Pick<OperationRequest, 'path'>): string | null {
  const match = PATH.exec(path);
  if (!match?.[1]) return null;
  try {
    const id = decodeURIComponent(match[1]);
    // Only in the encoding that we write: a service that decodes first could read another encoding as another path.
    return segment(id) === match[1] ? id : null;
  } catch {
    return null;
  }
}

export const webhookReplay: Kind = {
  path: PATH,
  faultIn: (sent) => {
    const delivery = deliveryOf(sent);
    const isReplay = delivery !== null && isPathParameter(delivery) && isObject(parseJson(sent.body));
    return isReplay ? null : 'This does not replay a webhook delivery.';
  },
  duplicateKeyOf: deliveryOf,
  aboutOf: (sent) => ({ amount: null, asset: null, destination: deliveryOf(sent) }),
  fieldsOf: (sent) => {
    const delivery = deliveryOf(sent);
    return delivery === null ? [] : [{ as: 'id', label: 'Delivery', value: delivery }];
  },
  formOf: (sent) => {
    const delivery = deliveryOf(sent);
    return delivery === null ? null : { delivery };
  },
  destinationIs: 'id',
  result: 'as-it-came',
  // An earlier replay of the delivery is always shown, however old.
  asksAgainWithin: Number.POSITIVE_INFINITY,
  asksAgainIfClosed: Number.POSITIVE_INFINITY,
  pays: false,
  isCompared: false,
  mayBeEmpty: true,
  one: 'webhook replay',
  many: 'webhook replays',
  outcomeClause: 'this webhook delivery was replayed',
  nothingDone: 'Nothing was replayed.',
  accepted: 'Whether the shop took the delivery again is not known here.',
  send: 'Replay delivery',
  duplicatingAction: 'Replay this delivery another way: the shop would get it twice',
  unknownFact: 'Whether the shop received the delivery again',
  afterManualClose: 'The same delivery can be replayed again then: if this one arrived, the shop gets it once more.',
  doneBefore: 'This delivery was replayed',
  doneElsewhere: 'Somebody else may be replaying this delivery.',
  confirmAgainLabel: 'Replay this delivery once more.',
  title: 'Webhook replay',
};

export function webhookReplayRequest(deliveryId: string) {
  const path = `/v1/webhook-deliveries/${segment(deliveryId)}/replay`;
  return { kind: 'webhook-replay' as const, path, body: '{}' };
}
