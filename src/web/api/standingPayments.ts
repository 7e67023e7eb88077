import type { QueryClient } from '@tanstack/react-query';
import { addressKey, type ChainAddress } from '#src/shared/chains/lookAlike.ts';
import type { TeamItem, TeamValue } from '#src/shared/contract/teamContract.ts';
import { nextDay } from '#src/shared/due/dueDates.ts';
import { type LocationState, locationState } from '#src/web/storage/locationState.ts';
import { changeItem, findItem, keepItem, EditConflictError, teamQuery, useTeam } from './team.ts';

export type StandingPayment = TeamValue<'standing-payments'>;
export type StandingPaymentItem = TeamItem<StandingPayment>;

/** A standing payment and its next date that nobody has prepared or skipped. */
export interface NextPayment {
  item: StandingPaymentItem;
  date: string;
}

export function useStandingPayments(enabled = true) {
  const query = useTeam('standing-payments', enabled);
  const payments = query.data?.items.map((item): NextPayment => ({ item, date: nextDateOf(item.value) }));
  return { query, payments };
}

export function nextDateOf(payment: StandingPayment): string {
  return nextDay(payment, payment.handled_through);
}

export function isHandled({ handled_through: through }: StandingPayment, date: string): boolean {
  return through !== null && through >= date;
}

/** Parses the `standing` field of a form that was filled in for a standing payment; null if it isn't one. */
export function readStandingDate(text: string): { id: string; date: string } | null {
  const [, date, id] = /^(\d{4}-\d\d-\d\d) (.+)$/.exec(text) ?? [];
  return date === undefined || id === undefined ? null : { id, date };
}

/** Fills in a new withdrawal for this date. */
export function preparedFrom({ item: { id, value }, date }: NextPayment): LocationState {
  const { asset, chain, amount, address, reference } = value;
  return locationState({
    prefill: { asset, chain, amount, address, reference, standing: `${date} ${id}`, payBy: date },
  });
}

const TRIES = 3;

/**
 * Marks this date as paid, so that its reminder ends. Does nothing if the payment went to another address: then the person
 * used the form for something else.
 */
export async function markPrepared(
  { client, account }: { client: QueryClient; account: string },
  { id, date }: { id: string; date: string },
  paid: ChainAddress,
): Promise<void> {
  const loaded = client.getQueryData(teamQuery(account, 'standing-payments').queryKey);
  let item: StandingPaymentItem | null =
    loaded?.items.find((each) => each.id === id) ?? (await findItem('standing-payments', id, { account }));
  for (let tries = 1; ; tries += 1) {
    if (item === null || isHandled(item.value, date) || addressKey(item.value) !== addressKey(paid)) return;
    const value = { ...item.value, handled_through: date };
    try {
      const changed = await changeItem(account, 'standing-payments', { id, value, revision: item.revision });
      return await keepItem(client, account, 'standing-payments', changed);
    } catch (error) {
      // A colleague changed the item meanwhile: try again with its current version.
      if (!(error instanceof EditConflictError) || tries === TRIES) throw error;
      item = error.item;
    }
  }
}
