// Every state of an operation and everything that depends on the state alone. To add a state, add it to OPERATION_STATES;
// the compiler then names what it lacks here, in allowedActions and in operationStatus.

export const OPERATION_STATES = [
  'ready',
  'awaiting',
  'sending',
  'unconfirmed',
  'succeeded',
  'refused',
  'not-sent',
  'closed',
] as const;
export type OperationState = (typeof OPERATION_STATES)[number];

export const ACTIONS = [
  'send',
  'discard',
  'check',
  'resend',
  'close',
  'confirm-not-sent',
  'edit-as-new',
  'start-another',
] as const;
export type Action = (typeof ACTIONS)[number];

export type VerdictTone = 'plain' | 'motion' | 'open' | 'proof' | 'alarm';
export type VerdictIcon = 'dot' | 'plane' | 'question' | 'check' | 'cross' | 'slash' | 'dash' | 'triangle';

export interface StateMark {
  tone: VerdictTone;
  icon: VerdictIcon;
  chip: string;
}

/** 'send': send or discard it; 'outcome': find out what became of it. */
export type WaitsFor = 'send' | 'outcome';

export interface StateFacts {
  isFinal: boolean;
  /** Recorded to be sent at once, and not ended: in the banner and on Home. What waits in a batch is listed there as the batch. */
  isUnresolved: boolean;
  /** Whether money may have moved; false only with proof. */
  mayHavePaid: boolean;
  /** Whether it blocks other operations of the account with the same duplicate key; must agree with the unique index in SQL. */
  holdsDuplicateKey: boolean;
  /** Whether repeating it soon requires the second-send step, although the state proves no result. */
  countsAsDone: boolean;
  /** Whether it may have been sent, with an unknown outcome. */
  isOutcomeOpen: boolean;
  /** What a person must do next; null: nothing. */
  waitsFor: WaitsFor | null;
  /** Whether a server may hold a lease on it, because it is sending it or is about to. */
  isLeasable: boolean;
  mark: StateMark;
  /** For columns, if `mark.chip` is too long. */
  shortChip?: string;
  /** All actions that the state may allow; allowedActions decides in context. */
  actions: readonly Action[];
}

export const STATES: Readonly<Record<OperationState, StateFacts>> = {
  ready: {
    isFinal: false,
    isUnresolved: true,
    mayHavePaid: false,
    holdsDuplicateKey: true,
    countsAsDone: false,
    isOutcomeOpen: false,
    waitsFor: 'send',
    isLeasable: true,
    mark: { tone: 'plain', icon: 'dot', chip: 'Recorded, not sent' },
    actions: ['send', 'discard'],
  },
  awaiting: {
    isFinal: false,
    isUnresolved: false,
    mayHavePaid: false,
    holdsDuplicateKey: false,
    countsAsDone: false,
    isOutcomeOpen: false,
    waitsFor: null,
    isLeasable: false,
    mark: { tone: 'plain', icon: 'dot', chip: 'Waits in a batch' },
    actions: ['send', 'discard'],
  },
  sending: {
    isFinal: false,
    isUnresolved: true,
    mayHavePaid: true,
    holdsDuplicateKey: true,
    countsAsDone: false,
    isOutcomeOpen: true,
    waitsFor: null,
    isLeasable: true,
    mark: { tone: 'motion', icon: 'plane', chip: 'Sending' },
    actions: [],
  },
  unconfirmed: {
    isFinal: false,
    isUnresolved: true,
    mayHavePaid: true,
    holdsDuplicateKey: true,
    countsAsDone: false,
    isOutcomeOpen: true,
    waitsFor: 'outcome',
    isLeasable: false,
    mark: { tone: 'open', icon: 'question', chip: 'Unconfirmed' },
    actions: ['check', 'resend', 'confirm-not-sent', 'close'],
  },
  succeeded: {
    isFinal: true,
    isUnresolved: false,
    mayHavePaid: true,
    holdsDuplicateKey: false,
    countsAsDone: true,
    isOutcomeOpen: false,
    waitsFor: null,
    isLeasable: false,
    mark: { tone: 'proof', icon: 'check', chip: 'Accepted by the provider' },
    actions: ['check', 'start-another'],
  },
  refused: {
    isFinal: true,
    isUnresolved: false,
    mayHavePaid: false,
    holdsDuplicateKey: false,
    countsAsDone: false,
    isOutcomeOpen: false,
    waitsFor: null,
    isLeasable: false,
    mark: { tone: 'alarm', icon: 'cross', chip: 'Refused' },
    actions: ['edit-as-new'],
  },
  'not-sent': {
    isFinal: true,
    isUnresolved: false,
    mayHavePaid: false,
    holdsDuplicateKey: false,
    countsAsDone: false,
    isOutcomeOpen: false,
    waitsFor: null,
    isLeasable: false,
    mark: { tone: 'plain', icon: 'slash', chip: 'Not sent' },
    actions: ['start-another'],
  },
  closed: {
    isFinal: true,
    isUnresolved: false,
    mayHavePaid: true,
    holdsDuplicateKey: false,
    countsAsDone: true,
    isOutcomeOpen: true,
    waitsFor: null,
    isLeasable: false,
    mark: { tone: 'plain', icon: 'dash', chip: 'Closed manually, outcome not proven here' },
    shortChip: 'Closed manually',
    actions: ['start-another'],
  },
};

export const UNRESOLVED: readonly OperationState[] = OPERATION_STATES.filter(isUnresolved);

export function isUnresolved(state: OperationState): boolean {
  return STATES[state].isUnresolved;
}

export function isFinal(state: OperationState): boolean {
  return STATES[state].isFinal;
}

/** Whether it was never sent, and still can be. */
export function isUnsent(state: OperationState): boolean {
  return state === 'ready' || state === 'awaiting';
}

export function holdsDuplicateKey(state: OperationState): boolean {
  return STATES[state].holdsDuplicateKey;
}

/** Whether money may have moved; false only with proof. */
export function mayHavePaid({ state }: { state: OperationState }): boolean {
  return STATES[state].mayHavePaid;
}
