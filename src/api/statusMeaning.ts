// What the contract says about statuses (section 3), word for word; of all others it says nothing, and nobody here guesses.

type Resource = 'deposit' | 'withdrawal';

const WHERE = '(interface, section 3)';

const STATED: Record<Resource, ReadonlyMap<string, string>> = {
  withdrawal: new Map([['broadcasted', `“Returned for a withdrawal that has a transaction hash.” ${WHERE}`]]),
  deposit: new Map([
    ['completed', `“Accepted as a filter value and returned on deposits.” ${WHERE} Nothing more is said about it.`],
  ]),
};

/** What a status means, as far as the contract says so. */
export function statusMeaning(of: Resource, status: string | null): string {
  if (status === null) return 'The answer has no status.';
  return STATED[of].get(status) ?? 'The interface does not say what this status means.';
}

/** What the contract says of balances meanwhile; it ties that to no status. */
export const BALANCE_EFFECT: Record<Resource, string> = {
  withdrawal: `“While a withdrawal is in flight, its funds are counted in locked and are subtracted from available. When the withdrawal completes or fails, the locked funds are released from the locked amount.” ${WHERE}`,
  deposit: `“A deposit's funds are counted in pending until the confirmation threshold is met, then become available.” ${WHERE}`,
};
