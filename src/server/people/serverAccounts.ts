/** An account whose API key the server knows, where people sign in as themselves. */
export interface ServerAccount {
  /** As the settings name it. */
  name: string;
  account: string;
  credential: string;
  apiKey: string;
}

/** The accounts of a server on which people sign in as themselves. */
export interface ServerAccounts {
  /** By name. */
  list: () => readonly ServerAccount[];
  /** Null: the server has no key of this account. */
  find: (account: string) => ServerAccount | null;
}

export function createServerAccounts(accounts: readonly ServerAccount[]): ServerAccounts {
  return {
    list: () => accounts,
    find: (account) => accounts.find((one) => one.account === account) ?? null,
  };
}
