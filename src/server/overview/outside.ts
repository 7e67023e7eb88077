import type { Queries } from '#src/server/database/sql.ts';
import type { AccountOwner, ListedRows, Rows } from '#src/server/operations/ports.ts';
import { mayBeSame } from '#src/shared/operations/compare.ts';
import { OPERATION_STATES, STATES } from '#src/shared/operations/states.ts';
import type { WithdrawalFields } from '#src/shared/operations/kind.ts';
import { withdrawalFieldsOf } from '#src/shared/operations/withdrawal.ts';
import { FAILED_DAYS } from '#src/shared/overview/openPayments.ts';
import type { Payment } from '#src/shared/overview/payment.ts';
import type { AccountSnapshot } from './overviews.ts';
import { rowsOf } from './paymentFacts.ts';

/** Only the newest withdrawals of the last days are searched. */
const OUTSIDE_MAX = 200;
const OUTSIDE_SECONDS = FAILED_DAYS * 86_400;
const PAGE = 100;
/** Far more operations than may be unresolved at a time; the rest was closed by people. */
const OPEN_PAGES_MAX = 20;
/** States in which a payment may have been made. */
const UNKNOWN = OPERATION_STATES.filter((state) => STATES[state].mayHavePaid && state !== 'succeeded');

/** Withdrawals in the provider's list that were not sent from here, newest first. Throws if the database fails. */
export type FindOutside = (snapshot: Pick<AccountSnapshot, 'reading'>, owner: AccountOwner) => Promise<Payment[]>;

/** For a server that doesn't search for them. */
export const findNothingOutside: FindOutside = async () => [];

export interface OutsideParts {
  queries: Queries;
  rows: Pick<Rows, 'list'>;
  /** The server's clock, ms. */
  wall: () => number;
}

/**
 * Finds withdrawals that no record here explains, that no operation with an unknown outcome could have made, and that are newer
 * than the account's first sign-in here.
 */
export function createFindOutside({ queries, rows, wall }: OutsideParts): FindOutside {
  return async ({ reading }, { service, account }) => {
    const { notOffered, back } = reading.lists.withdrawal;
    // Without the provider's list, the known withdrawals are those sent from here.
    if (notOffered) return [];
    const now = back.info()?.date ?? wall() / 1_000;
    const since = Math.max(now - OUTSIDE_SECONDS, await firstSeenAt(queries, { service, account }));
    const young = (rowsOf(reading, 'withdrawal') ?? [])
      .filter(({ created_at: at }) => typeof at === 'number' && at > since)
      .slice(0, OUTSIDE_MAX);
    if (young.length === 0) return [];
    const explained = await explainedIn(queries, service, young);
    const unexplained = young.filter(({ id }) => !explained.has(id));
    if (unexplained.length === 0) return [];
    const mayBeIt = await openSends(rows, { service, account });
    return unexplained.filter((payment) => !mayBeIt(payment));
  };
}

/** Unix seconds; 0 if unknown. */
async function firstSeenAt(queries: Queries, { service, account }: AccountOwner): Promise<number> {
  const [row] = await queries.query<{ since: string | null }>(
    'select min(since)::text as since from people.credentials where service = $1 and account = $2',
    [service, account],
  );
  return Number(row?.since ?? 0) / 1_000;
}

async function explainedIn(queries: Queries, service: string, payments: readonly Payment[]): Promise<Set<string>> {
  // Must match the expression of the index.
  const isOfService = service === 'sandbox' ? `(o.service = 'sandbox')` : `not (o.service = 'sandbox')`;
  const found = await queries.query<{ id: string }>(
    `select o.result_id as id from operations.operations o
     where ${isOfService} and o.kind = 'withdrawal' and not o.result_repeated
       and o.result_id in (select json_array_elements_text($1::text::json))
     union select a.result_id from operations.attempts a
     where a.result_id in (select json_array_elements_text($1::text::json))`,
    [JSON.stringify(payments.map(({ id }) => id))],
  );
  return new Set(found.map(({ id }) => id));
}

/** Returns a test for whether a payment may belong to an operation with an unknown outcome. */
async function openSends(rows: Pick<Rows, 'list'>, { service, account }: AccountOwner) {
  const query = { service, account, kind: 'withdrawal' as const, about: null, states: UNKNOWN, limit: PAGE };
  const sent: WithdrawalFields[] = [];
  let cursor: string | null = null;
  for (let page = 0; page < OPEN_PAGES_MAX; page += 1) {
    const { rows: open, next }: ListedRows = await rows.list({ ...query, cursor });
    sent.push(...open.flatMap(({ record }) => (record && withdrawalFieldsOf(record)) ?? []));
    cursor = next;
    if (cursor === null) break;
  }
  return ({ asset, chain, address, amount }: Payment): boolean =>
    sent.some((fields) => mayBeSame(fields, { asset, chain, address, amount }));
}
