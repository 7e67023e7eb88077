/** Every kind of POST that is an operation (contract 4.6). */
export const KINDS = ['withdrawal', 'deposit-address', 'charge', 'webhook-replay'] as const;
export type OperationKind = (typeof KINDS)[number];

export const START_PATHS = {
  withdrawal: '/withdrawals/new',
  'deposit-address': '/deposits/new-address',
  charge: '/charges/new',
  'webhook-replay': '/webhook-deliveries/replay',
} as const satisfies Record<OperationKind, string>;

/** The page that starts each kind: a file below src/web/, without extension. */
export const START_PAGES: Readonly<Record<OperationKind, string>> = {
  withdrawal: 'pages/withdrawals/NewWithdrawalPage',
  'deposit-address': 'pages/deposits/NewAddressPage',
  charge: 'pages/charges/NewChargePage',
  'webhook-replay': 'pages/webhook-deliveries/ReplayPage',
};

export interface OperationRequest {
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
  /** A decimal string; null if the kind or the body has none. */
  amount: string | null;
  asset: string | null;
  /** The destination: an address, an asset and chain, or a webhook delivery. */
  destination: string | null;
}

/** A field of a body and how to show it; `others`: a JSON object whose fields the contract doesn't state. */
export type SentField =
  | { as: 'amount'; label: string; value: unknown; asset?: string }
  | { as: 'address' | 'id' | 'text'; label: string; value: string }
  | { as: 'others'; value: object };

/** Everything that differs between kinds. The compiler names what a new kind lacks. */
export interface Kind {
  path: RegExp;
  /** Why a new request isn't a valid one of this kind, in plain words; null if it is. */
  faultIn: (sent: OperationRequest) => string | null;
  /** Identifies what must not be done twice unnoticed; null if the bytes can't be read. */
  duplicateKeyOf: (sent: OperationRequest) => string | null;
  aboutOf: (sent: OperationRequest) => About;
  /** What the operation's page shows about the body. */
  fieldsOf: (sent: OperationRequest) => SentField[];
  /** Form values restored from the body; null if it can't be read. */
  formOf: (sent: OperationRequest) => Record<string, string> | null;
  /** How to show `about.destination`: shortened as an address or an id, or in full. */
  destinationIs: 'address' | 'id' | 'words';
  result: 'withdrawal' | 'deposit-address' | 'as-it-came';
  /** For how many seconds a finished operation with the same duplicate key still requires the second-send step. */
  asksAgainWithin: number;
  /** The same for one that a person closed: nobody knows its outcome. */
  asksAgainIfClosed: number;
  /** Whether it takes money out of the account. */
  pays: boolean;
  /** Whether the response is compared with what was sent; otherwise it is shown as received. */
  isCompared: boolean;
  /** Whether a 204 means success. */
  mayBeEmpty: boolean;
  one: string;
  many: string;
  /** Continues "Nobody knows yet whether". */
  outcomeClause: string;
  /** Says what a refusal means. */
  nothingDone: string;
  /** What remains open after the service accepted it. */
  accepted: string;
  /** The button that sends it for the first time. */
  send: string;
  /** What would execute it twice. */
  duplicatingAction: string;
  /** What has not been observed yet. */
  unknownFact: string;
  /** What becomes possible after closing it manually. */
  afterManualClose: string;
  /** The second-send step: the same was done before ("9 hours ago" follows), somebody else may be doing it, and the label for confirming. */
  doneBefore: string;
  doneElsewhere: string;
  confirmAgainLabel: string;
  /** A page's heading, without its figures. */
  title: string;
}
