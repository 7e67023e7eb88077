/** Every kind of POST that is an operation (contract 4.6). */
export const KINDS = ['withdrawal', 'deposit-address', 'charge', 'webhook-replay'] as const;
export type OperationKind = (typeof KINDS)[number];

export const START_PATHS = {
  withdrawal: '/withdrawals/new',
  'deposit-address': '/deposits/new-address',
  charge: '/charges/new',
  'webhook-replay': '/webhook-deliveries/replay',
} as const satisfies Record<OperationKind, string>;

/** The file of that page, below src/. */
export const START_PAGES: Readonly<Record<OperationKind, string>> = {
  withdrawal: 'pages/withdrawals/NewWithdrawalPage',
  'deposit-address': 'pages/deposits/NewAddressPage',
  charge: 'pages/charges/NewChargePage',
  'webhook-replay': 'pages/webhook-deliveries/ReplayPage',
};

export interface Sent {
  kind: OperationKind;
  path: string;
  /** The exact text that every attempt sends. */
  body: string;
}

/** Fields that a response must repeat as sent, if it states them. */
export const COMPARED = ['asset', 'chain', 'amount', 'address'] as const;
export type ComparedField = (typeof COMPARED)[number];

/** The fields of a withdrawal; the amount is a decimal string. */
export type WithdrawalFields = Record<ComparedField, string>;

export type DepositAddressFields = Record<'asset' | 'chain', string>;

export interface About {
  /** A decimal string; null where the kind or the body has none. */
  amount: string | null;
  asset: string | null;
  /** Where it goes: an address, asset and chain, a webhook delivery. */
  place: string | null;
}

/** One thing that a body says, and how it is shown; `others`: a JSON object whose fields the contract does not state. */
export type SentField =
  | { as: 'amount'; label: string; value: unknown; asset?: string }
  | { as: 'address' | 'id' | 'text'; label: string; value: string }
  | { as: 'others'; value: object };

/** All that differs from kind to kind, in one place each: the compiler names what a new one lacks. */
export interface Kind {
  path: RegExp;
  /** Why these bytes, made now, are none of this kind, in plain words; null: they are. */
  faultIn: (sent: Sent) => string | null;
  /** The normal form of what must not be done twice unnoticed; null: the bytes cannot be read. */
  duplicateKeyOf: (sent: Sent) => string | null;
  aboutOf: (sent: Sent) => About;
  /** What the operation's page shows about the body. */
  fieldsOf: (sent: Sent) => SentField[];
  /** Form values restored from the body; null if it can't be read. */
  formOf: (sent: Sent) => Record<string, string> | null;
  /** How `about.place` is shown: shortened as an address or an id, or as it is. */
  placeIs: 'address' | 'id' | 'words';
  result: 'withdrawal' | 'deposit-address' | 'as-it-came';
  /** A finished one for the same place asks for the second-send step for so long; seconds. */
  asksAgainWithin: number;
  /** Whether it takes money out of the account. */
  pays: boolean;
  /** Whether the response is compared with what was sent; otherwise it is shown as received. */
  isCompared: boolean;
  /** Whether a 204 means success. */
  mayBeEmpty: boolean;
  one: string;
  many: string;
  /** Continues "Nobody knows yet whether". */
  done: string;
  /** What a refusal means. */
  nothingDone: string;
  /** What remains open after the service accepted it. */
  accepted: string;
  /** The button that sends it for the first time. */
  send: string;
  /** What would execute it twice. */
  doNot: string;
  /** What has not been observed yet. */
  unseen: string;
  /** What becomes possible after closing it manually. */
  closeFrees: string;
  /** The second-send step: the same was done, somebody else may be doing it, and what confirming says. */
  doneBefore: string;
  doneElsewhere: string;
  meantAgain: string;
  /** A page's heading, without its figures. */
  title: string;
}
