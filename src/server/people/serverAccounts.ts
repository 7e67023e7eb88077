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

/** Accounts that can be added to while the server runs. Only the sandbox does, for tests. */
export interface OpenServerAccounts extends ServerAccounts {
  /** Until this process ends. */
  add: (account: ServerAccount) => void;
}

export function createServerAccounts(atStart: readonly ServerAccount[]): OpenServerAccounts {
  const accounts = [...atStart];
  return {
    list: () => accounts,
    find: (account) => accounts.find((one) => one.account === account) ?? null,
    add: (account) => void accounts.push(account),
  };
}
