import type { QueryClient } from '@tanstack/react-query';
import { isDay } from '#src/shared/due/dueDates.ts';
import { dayAndDistance } from '#src/shared/due/dueWords.ts';
import { changeItem, keepItem } from '#src/web/api/team.ts';
import { saveWithStart } from './saveWithStart.ts';

export const ENTER_A_DAY = 'Enter a day, or leave it empty.';

/** Help text below the field of a pay-by date. */
export function payByHelp(date: string, today: string): string {
  return isDay(date) ? `${dayAndDistance(date, today)}.` : 'Approvers see it and what is due first.';
}

/** Saves the pay-by date of an operation or batch that was just recorded. `id`: the operation's key or the batch's id. */
export function savePayBy(
  client: QueryClient,
  account: string,
  { id, date, where }: { id: string; date: string; where: 'the payment' | 'the batch' },
): Promise<void> {
  const save = async () => {
    const item = await changeItem(account, 'pay-by', { id, value: { date }, revision: 0 });
    await keepItem(client, account, 'pay-by', item);
  };
  return saveWithStart(save, { what: 'The pay-by date', where });
}
