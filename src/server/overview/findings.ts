import type { OverviewError } from '#src/shared/contract/overviewContract.ts';
import type { Attention } from '#src/shared/overview/attention.ts';
import { homeAttention } from '#src/shared/overview/homeAttention.ts';
import type { FindOutside } from './outside.ts';
import type { Overviews, ReadAccount } from './overviews.ts';
import { isMeasuring, ledgerFacts, openOf } from './paymentFacts.ts';
import { PAYMENT_KINDS, PAYMENT_LISTS } from './providerLists.ts';
import { type HomeFactsParts, readHomeFacts } from './readHomeFacts.ts';

/** Something that needs a person's attention. */
export interface Finding {
  kind: Attention['kind'];
  /** Identifies the problem while it lasts. `id`: the service's id, an operation's key, a batch's id, or an asset. */
  subject: { kind: 'operation' | 'batch' | 'deposit' | 'withdrawal' | 'balance'; id: string };
  /** The item on Home, but with one finding for each failed deposit and each withdrawal from outside. */
  attention: Exclude<Attention, { kind: 'failed-deposits' }>;
}

/** The provider's lists that findings come from. */
export const FINDING_LISTS = ['balances', 'deposits', 'withdrawals'] as const;
export type FindingList = (typeof FINDING_LISTS)[number];

export interface FindingsResult {
  findings: readonly Finding[];
  /** Everything could be read, so a problem that isn't among the findings is over. */
  isComplete: boolean;
  /** Errors of failed reads. */
  errors: readonly OverviewError[];
  /** The lists that were never read, so nothing in them was found. */
  unread: readonly FindingList[];
  /** Whether the provider refused the API key for every list, by its own answer; null if that can't be told. */
  isKeyRefused: boolean | null;
}

export interface FindingsParts extends HomeFactsParts {
  overviews: Pick<Overviews, 'readWhole'>;
  findOutside: FindOutside;
}

/** The items that need attention on an account's Home, from a reading of the last minute. Throws if the database fails. */
export async function findings(parts: FindingsParts, account: ReadAccount): Promise<FindingsResult> {
  const { service, account: id } = account;
  const [snapshot, facts] = await Promise.all([
    parts.overviews.readWhole(account),
    readHomeFacts(parts, { service, account: id }),
  ]);
  const { reading } = snapshot;
  const open = PAYMENT_KINDS.map((kind) => ({ isOffered: !reading.lists[kind].notOffered, ...openOf(reading, kind) }));
  const balances = reading.balances();
  const { attention, guesses } = homeAttention({
    operations: facts.operations,
    batches: facts.batches,
    payments: open.flatMap(({ read }) => read ?? []),
    balances: balances ?? undefined,
    outside: await parts.findOutside(snapshot, { service, account: id }),
    handled: facts.handled,
    expected: facts.expected,
    threshold: facts.threshold,
    ...ledgerFacts(reading),
    isMeasuring: isMeasuring(snapshot),
  });
  const certain = attention.filter((each) => !guesses.has(each));
  const ends = [reading.balancesError(), ...open.flatMap(({ isOffered, error }) => (isOffered ? [error] : []))];
  const errors = ends.filter((error) => error !== null);
  return {
    findings: certain.flatMap(findingsOf),
    isComplete:
      errors.length === 0 &&
      !facts.isPartly &&
      guesses.size === 0 &&
      balances?.complete === true &&
      open.every(({ read }) => read !== null && read.partly.length === 0),
    errors,
    unread: [
      ...(balances === null ? (['balances'] as const) : []),
      ...PAYMENT_KINDS.flatMap((kind, index) => (open[index]?.read === null ? PAYMENT_LISTS[kind] : [])),
    ],
    isKeyRefused: ends.includes(null) ? false : ends.every(isKeyRefusal) || null,
  };
}

/** A refusal without the provider's envelope may be from something in front of it. */
function isKeyRefusal(error: OverviewError | null): boolean {
  return error !== null && error.code !== null && (error.status === 401 || error.status === 403);
}

function findingsOf(attention: Attention): Finding[] {
  switch (attention.kind) {
    case 'operation':
      return [{ kind: attention.kind, subject: { kind: 'operation', id: attention.operation.key }, attention }];
    case 'batch':
      return [{ kind: attention.kind, subject: { kind: 'batch', id: attention.batch.id }, attention }];
    case 'failed':
    case 'stuck': {
      const { kind, id } = attention.payment;
      return [{ kind: attention.kind, subject: { kind, id }, attention }];
    }
    case 'failed-deposits':
      return attention.payments.flatMap((payment) => findingsOf({ kind: 'failed', payment, at: null }));
    case 'outside':
      return attention.payments.map((payment) => ({
        kind: attention.kind,
        subject: { kind: payment.kind, id: payment.id },
        attention: { kind: attention.kind, payments: [payment] },
      }));
    case 'balance':
      return [{ kind: attention.kind, subject: { kind: 'balance', id: attention.balance.asset }, attention }];
  }
}
