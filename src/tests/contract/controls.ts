import { bodyOf, type HttpAnswer, type Client, type Item } from './http.ts';
import { client, sendToService } from './service.ts';

/** A new account of the sandbox with its clock stopped: it only changes by controls. */
export interface Account extends Client {
  account: string;
}

/** Funds of a fresh account, each a completed deposit. */
export interface Funds {
  asset: string;
  chain: string;
  amount: string;
}

export const BTC: Funds = { asset: 'BTC', chain: 'bitcoin', amount: '1' };
export const ETH: Funds = { asset: 'ETH', chain: 'ethereum', amount: '10' };

/** External addresses, valid on their chains. */
export const ADDRESSES: Record<string, string> = {
  bitcoin: 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
  ethereum: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
};

/** Posts to a control; throws unless it answers 201. */
export async function control(path: string, body: unknown): Promise<HttpAnswer> {
  const answer = await sendToService(path, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json' },
  });
  if (answer.status !== 201) throw new Error(`POST ${path}: ${answer.status} ${answer.text}`);
  return answer;
}

/** A new account holding these funds. */
export async function accountWith(...funds: Funds[]): Promise<Account> {
  const account = await newAccount({ deposits: 0, assets: 0 });
  for (const { asset, chain, amount } of funds) {
    await addDeposit(account, { asset, chain, amount, status: 'completed' });
  }
  return account;
}

/** A new account with a number of deposits. */
export async function newAccount(seed: { deposits?: number; assets?: number }): Promise<Account> {
  const { account, key } = bodyOf<{ account: string; key: string }>(await control('/sandbox/accounts', seed));
  return { account, ...client(key) };
}

/** Lets a deposit arrive, and returns it. */
export async function addDeposit(
  account: Account,
  deposit: Funds & { status?: string; created_at?: number },
): Promise<Item> {
  return bodyOf<Item>(await control('/sandbox/deposits', { account: account.account, ...deposit }));
}

/** Moves the account's clock by a number of seconds, which may be negative. */
export async function advance(account: Account, seconds: number): Promise<void> {
  await control('/sandbox/clock', { account: account.account, advance: seconds });
}

/** Gives a withdrawal its next status. */
export async function setWithdrawal(
  account: Account,
  id: string,
  change: { status: string; tx_hash?: string },
): Promise<HttpAnswer> {
  return control(`/sandbox/withdrawals/${id}`, { account: account.account, ...change });
}

/** Sets a fault for this account. */
export async function setFault(account: Account, fault: Record<string, unknown>): Promise<HttpAnswer> {
  return control('/sandbox/faults', { account: account.account, ...fault });
}

/** The requests of this account in /sandbox/requests, oldest first. */
export async function receivedRequests(
  account: Account,
): Promise<{ method: string; path: string; key?: string | null }[]> {
  const answer = await sendToService(`/sandbox/requests?account=${account.account}`, {});
  return bodyOf<{ data: { method: string; path: string }[] }>(answer).data;
}

/** The account's complete ledger: the number of entries, and their sum per asset. */
export async function ledger(account: Account): Promise<{ entries: number; sums: Record<string, string> }> {
  const answer = await sendToService(`/sandbox/ledger?account=${account.account}`, {});
  return bodyOf<{ entries: number; sums: Record<string, string> }>(answer);
}

/** A withdrawal's body for these funds. */
export function withdrawalFields(of: Funds, amount: string): Record<string, string> {
  return { asset: of.asset, chain: of.chain, amount, address: ADDRESSES[of.chain] ?? '' };
}

/** All withdrawals in the account's list, for accounts with at most 100. */
export async function withdrawalsOf(account: Account): Promise<Item[]> {
  return (await account.page('/v1/withdrawals?limit=100')).data;
}
