import { isObject, parseJson } from '#src/lib/answers.ts';
import { formatAmount, isAmount } from '#src/lib/amount.ts';
import { paths } from '#src/lib/paths.ts';
import { shorten, visible } from '#src/lib/text.ts';
import { readWithdrawalBody } from './body.ts';
import { deliveryOf, readDepositAddressBody } from './kinds.ts';
import type { OperationKind, OperationRecord } from './record.ts';

interface KindWords {
  one: string;
  many: string;
  /** Goes on after "Nobody knows yet whether". */
  done: string;
  /** What a final no means. */
  nothingDone: string;
  /** The button that sends it for the first time. */
  send: string;
  newForm: string;
  /** What would do it twice. */
  doNot: string;
  /** What nobody has seen of it yet. */
  unseen: string;
}

export const KIND_WORDS: Record<OperationKind, KindWords> = {
  withdrawal: {
    one: 'withdrawal',
    many: 'withdrawals',
    done: 'this withdrawal was made',
    nothingDone: 'Nothing was paid.',
    send: 'Send withdrawal',
    newForm: paths.newWithdrawal,
    doNot: 'Pay this another way, or from another browser',
    unseen: 'Whether a withdrawal id or a transaction hash exists',
  },
  'deposit-address': {
    one: 'deposit address',
    many: 'deposit addresses',
    done: 'this deposit address was made',
    nothingDone: 'No address was made.',
    send: 'Create deposit address',
    newForm: paths.newDepositAddress,
    doNot: 'Ask for this address another way: there would be two',
    unseen: 'Whether an address exists, and which',
  },
  charge: {
    one: 'charge',
    many: 'charges',
    done: 'this charge was created',
    nothingDone: 'No charge was created.',
    send: 'Create charge',
    newForm: paths.newCharge,
    doNot: 'Create this charge another way: there would be two',
    unseen: 'Whether a charge exists, and its id',
  },
  'webhook-replay': {
    one: 'webhook replay',
    many: 'webhook replays',
    done: 'this webhook delivery was replayed',
    nothingDone: 'Nothing was replayed.',
    send: 'Replay delivery',
    newForm: paths.replayDelivery,
    doNot: 'Replay this delivery another way: the shop would get it twice',
    unseen: 'Whether the shop received the delivery again',
  },
};

/** A page's heading: kind and what it is about. `hidden`: without digits, for a shared screen. */
export function titleOf(record: OperationRecord, hidden: boolean): string {
  return TITLES[record.kind](aboutOf(record), hidden);
}

const TITLES: Record<OperationKind, (about: About, hidden: boolean) => string> = {
  withdrawal: (about, hidden) => (about.amount === null ? 'Withdrawal' : `Withdrawal of ${amountText(about, hidden)}`),
  'deposit-address': ({ place }) => (place === null ? 'Deposit address' : `Deposit address, ${visible(place)}`),
  charge: (about, hidden) => (about.amount === null ? 'Charge' : `Charge of ${amountText(about, hidden)}`),
  'webhook-replay': ({ place }) => (place === null ? 'Webhook replay' : `Replay of ${visible(shorten(place))}`),
};

interface About {
  /** A decimal string; null where the kind or the body has none. */
  amount: string | null;
  asset: string | null;
  /** Where it goes: an address, asset and chain, a webhook delivery. */
  place: string | null;
}

/** What an operation is about, as recorded. */
export function aboutOf(request: Request): About {
  return ABOUT[request.kind](request);
}

type Request = Pick<OperationRecord, 'kind' | 'body' | 'path'>;

const NOTHING: About = { amount: null, asset: null, place: null };

const ABOUT: Record<OperationKind, (request: Request) => About> = {
  withdrawal: ({ body }) => {
    const sent = readWithdrawalBody(body);
    return sent ? { amount: amountOrNull(sent.amount), asset: sent.asset, place: sent.address } : NOTHING;
  },
  'deposit-address': ({ body }) => {
    const sent = readDepositAddressBody(body);
    return sent ? { ...NOTHING, place: `${sent.asset} on ${sent.chain}` } : NOTHING;
  },
  charge: ({ body }) => {
    const sent = parseJson(body);
    if (!isObject(sent)) return NOTHING;
    const asset = typeof sent['asset'] === 'string' ? sent['asset'] : null;
    return { amount: amountOrNull(sent['amount']), asset, place: null };
  },
  'webhook-replay': ({ path }) => ({ ...NOTHING, place: deliveryOf({ path }) }),
};

function amountOrNull(value: unknown): string | null {
  return typeof value === 'string' && isAmount(value) ? value : null;
}

function amountText({ amount, asset }: About, hidden: boolean): string {
  return `${amount === null ? '' : hidden ? '•••••' : formatAmount(amount)} ${asset === null ? '' : visible(asset)}`.trim();
}
