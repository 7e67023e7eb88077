/** Every kind of POST that is an operation (contract 4.6). */
export const KINDS = ['withdrawal', 'deposit-address', 'charge', 'webhook-replay'] as const;
export type OperationKind = (typeof KINDS)[number];

/** What a request is made of beside its key. */
export interface Sent {
  kind: OperationKind;
  path: string;
  /** The exact text that every attempt sends. */
  body: string;
}

/** What an operation is about, as recorded. */
export interface About {
  /** A decimal string; null where the kind or the body has none. */
  amount: string | null;
  asset: string | null;
  /** Where it goes: an address, asset and chain, a webhook delivery. */
  place: string | null;
}

/** One kind, declared in one place: whoever adds one is told by the compiler what it lacks. */
export interface Kind {
  /** Why these bytes, made now, are none of this kind, in plain words; null: they are. */
  faultIn: (sent: Sent) => string | null;
  /** The normal form of what must not be done twice unnoticed; null: the bytes cannot be read. */
  placeOf: (sent: Sent) => string | null;
  aboutOf: (sent: Sent) => About;
  /** A finished one for the same place asks for the second-send step for so long; seconds. */
  asksAgainWithin: number;
  /** Whether the answer repeats what was sent, and is compared with it; else it is shown as it came. */
  isCompared: boolean;
  /** Whether a 204 says that it was done. */
  mayBeEmpty: boolean;
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
  /** What closing by hand allows again. */
  closeFrees: string;
  /** A page's heading, without its figures. */
  title: string;
}
