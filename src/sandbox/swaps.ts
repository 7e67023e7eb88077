import type { Queries } from '#src/database/sql.ts';
import type { Account } from './accounts.ts';
import { amountField, decimalsOf, stringField, type JsonObject } from './body.ts';
import { newId } from './ids.ts';
import { post } from './ledger.ts';
import { insufficientFunds, invalid } from './refusal.ts';

/** Its shape is ours: the contract shows no field of a swap (2.6). */
export interface Swap {
  id: string;
  object: 'swap';
  from: { asset: string; amount: string };
  to: { asset: string; amount: string };
}

type Books = { asset: string; available: string; decimals: number; enough: boolean };

/**
 * Moves value between two balances with no transaction on a chain (contract 1): one entry each, both of one source.
 * The caller holds the account's row.
 */
export async function swap(tx: Queries, account: Account, at: number, body: JsonObject): Promise<Swap> {
  const side = (name: 'from' | 'to') => ({
    asset: stringField(body, name, 64),
    amount: amountField(body, `${name}_amount`),
  });
  const [from, to] = [side('from'), side('to')];
  if (from.asset === to.asset) throw invalid('to', 'must be another asset.');
  const books = await tx.query<Books>(
    `select asset, available::text, scale(available) as decimals, available >= $3::numeric as enough
     from balances where account = $1 and asset in ($2, $4) order by asset for update`,
    [account.id, from.asset, from.amount, to.asset],
  );
  for (const [name, { asset, amount }] of Object.entries({ from, to })) {
    const held = books.find((one) => one.asset === asset);
    if (held === undefined) throw invalid(name, `this account never held ${asset}.`);
    if (decimalsOf(amount) > held.decimals) throw invalid(`${name}_amount`, `${asset} has ${held.decimals} decimals.`);
    if (name === 'from' && !held.enough) {
      throw insufficientFunds(`from_amount: insufficient funds, ${held.available} ${asset} is available for a swap.`);
    }
  }
  const id = newId('swp_');
  const move = { account: account.id, type: 'swap' as const, source: id, at };
  await post(tx, { ...move, asset: from.asset, from: 'available', to: [{ book: 'swaps', amount: from.amount }] });
  await post(tx, { ...move, asset: to.asset, from: 'swaps', to: [{ book: 'available', amount: to.amount }] });
  return { id, object: 'swap', from, to };
}
