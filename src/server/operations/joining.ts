import { type Database, DatabaseRefused } from '#src/server/database/sql.ts';
import { showsWithdrawal, withdrawalPath } from './checking.ts';
import { endUnsentOperations } from './endUnsentOperations.ts';
import { CredentialInUse, type OperationRow, type Ports } from './ports.ts';
import { createWriteQuota } from './writeQuota.ts';
import { type Accounts, credentialOf, hasRecords } from '#src/server/people/accounts.ts';
import type { ServerAccount } from '#src/server/people/serverAccounts.ts';

// A provider's API key can be replaced. The new key is added to the account of the old one if it can read that account's
// withdrawals: by the contract (4.1) a key of another account gets a 404 for them.

/** Withdrawals that a key must be able to read: the newest, the oldest, and between. */
const SAMPLES = 5;
/** Limit of account checks, per API key. */
const CHECKS_A_MINUTE = 10;
/** Accounts that a new key is compared with, those that paid last first. */
const ACCOUNTS_MAX = 20;

interface SameAccount {
  account: string;
  /** When the account's first operation was recorded: database clock, ms. */
  since: number;
}

/** An account that has recorded withdrawals. */
interface KnownAccount extends SameAccount {
  /** Keys of operations that the provider accepted. */
  samples: string[];
}

type Comparison =
  /** The key reads the withdrawals of this account alone. */
  | { kind: 'same'; found: SameAccount }
  /** It reads no sampled withdrawal, only some of an account's, or those of two accounts. */
  | { kind: 'other' }
  /** There is nothing to compare. */
  | { kind: 'nothing-recorded' }
  /** The provider didn't answer. */
  | { kind: 'unavailable' };

/** The unproven name that a person typed, and the reason that an operator gave. */
interface JoinedBy {
  who: string | null;
  words: string | null;
}

const NOBODY: JoinedBy = { who: null, words: null };

interface SignInAnswer {
  credential: string;
  /** The id of the account to join, or false to keep the key apart; null if the person wasn't asked yet. */
  answer: string | false | null;
  /** The name that was typed. */
  who: string | null;
  now: number;
}

/** `refused`: the provider doesn't accept the key for this read. */
type Reading = 'readable' | 'not-readable' | 'refused' | 'unavailable';

interface JoiningParts {
  database: Database;
  ports: Pick<Ports, 'rows' | 'service' | 'separateAccounts'>;
  accounts: Accounts;
}

/** Finds the account that an unknown key may belong to, and adds the key to it. */
export type Joining = ReturnType<typeof createJoining>;

export function createJoining({ database, ports, accounts }: JoiningParts) {
  const { rows, service, separateAccounts } = ports;
  const isWithinQuota = createWriteQuota(CHECKS_A_MINUTE);
  // Unrelated merchants may know a single payment of each other, so only five count as proof.
  const samplesMin = separateAccounts ? SAMPLES : 1;

  async function knownAccounts(): Promise<KnownAccount[]> {
    const found = await database.query<{ account: string; key: string; since: string }>(
      `with paid as (
         select account_id, key, seq, row_number() over (partition by account_id order by seq desc) - 1 as place,
           count(*) over (partition by account_id) as total, max(seq) over (partition by account_id) as latest
         from operations.operations
         where service = $1 and kind = 'withdrawal' and state = 'succeeded' and result_id is not null and not result_repeated),
       newest as (select distinct account_id, latest from paid where total >= $3 order by latest desc limit $4)
       select p.account_id as account, p.key,
         (select min(o.first_database) from operations.operations o
          where o.service = $1 and o.account_id = p.account_id)::text as since
       from paid p join newest n using (account_id)
       where p.total <= $2 or p.place in (select (i * (p.total - 1)) / ($2 - 1) from generate_series(0, $2 - 1) i)
       order by n.latest desc, p.seq desc`,
      [service.name, SAMPLES, samplesMin, ACCOUNTS_MAX],
    );
    const byAccount = new Map<string, KnownAccount>();
    for (const { account, key, since } of found) {
      const known = byAccount.get(account) ?? { account, since: Number(since), samples: [] };
      known.samples.push(key);
      byAccount.set(account, known);
    }
    return [...byAccount.values()];
  }

  async function readsSample(apiKey: string, key: string): Promise<Reading> {
    const row: OperationRow | null = await rows.byKey(key);
    const id = row?.record?.result?.id;
    const path = id === undefined || id === null ? null : withdrawalPath(id);
    if (!row?.record || !id || path === null) return 'not-readable';
    const answer = await service.read(apiKey, path);
    if (answer.kind === 'no-answer' || !answer.complete || answer.status >= 429) return 'unavailable';
    if (answer.status === 401 || answer.status === 403) return 'refused';
    return showsWithdrawal(answer, row.record, id) ? 'readable' : 'not-readable';
  }

  /** Stops at the first withdrawal that the key can't read, so one read settles most keys. */
  async function readsAccount(apiKey: string, { samples }: KnownAccount): Promise<Reading | 'partly-readable'> {
    for (const [index, key] of samples.entries()) {
      const reading = await readsSample(apiKey, key);
      if (reading === 'not-readable' && index > 0) return 'partly-readable';
      if (reading !== 'readable') return reading;
    }
    return 'readable';
  }

  /** `only`: the account that the key should belong to; null for any. */
  async function compare(apiKey: string, only: string | null = null): Promise<Comparison> {
    const known = await knownAccounts();
    if (!known.some(({ account }) => only === null || account === only)) return { kind: 'nothing-recorded' };
    const readings = await Promise.all(known.map((account) => readsAccount(apiKey, account)));
    if (readings.includes('unavailable')) return { kind: 'unavailable' };
    const read = known.filter((_, index) => readings[index] === 'readable' || readings[index] === 'partly-readable');
    const [found] = read;
    if (found === undefined || read.length > 1 || readings.includes('partly-readable')) return { kind: 'other' };
    if (only !== null && found.account !== only) return { kind: 'other' };
    return { kind: 'same', found: { account: found.account, since: found.since } };
  }

  /**
   * Adds the key to the account for good. Unsent operations under the account's other keys end as not sent. Their other
   * operations can be checked and closed, but never sent with this key: the contract doesn't say that keys share
   * idempotency records. Returns why it can't be added, or null.
   */
  async function join(credential: string, account: string, by: JoinedBy = NOBODY): Promise<string | null> {
    if ((await accounts.findAccount(account)) !== account) return 'That is a later API key of another account.';
    const before = await accounts.findAccount(credential);
    if (before !== credential && before !== account) return 'It was added to another account before.';
    try {
      await rows.write(async (transaction) => {
        const { now: since } = await transaction.facts();
        const seal = accounts.sealOf({ credential, account, since });
        await transaction.joinCredential({ service: service.name, credential, account, since, seal });
        const { who, words } = by;
        await transaction.note(
          { service: service.name, account, person: null, who },
          { kind: 'account.key-added', subject: null, facts: words === null ? {} : { words } },
        );
        const unsent = (await transaction.unsent()).filter(
          (record) => record.service === service.name && record.account === account && record.credential !== credential,
        );
        await endUnsentOperations(transaction, unsent, { event: { type: 'key-changed' }, by: { person: null, who } });
      });
    } catch (error) {
      if (error instanceof CredentialInUse) return 'Something is recorded under this API key already.';
      throw error;
    }
    return null;
  }

  /**
   * The account of a key that the provider accepts. If the key reads the withdrawals of one known account, a person must
   * decide before it gets an account of its own.
   */
  async function accountAtSignIn(
    apiKey: string,
    { credential, answer, who, now }: SignInAnswer,
  ): Promise<SignInAccount> {
    const known = await accounts.findKnownAccount(credential);
    if (known !== null || answer === false)
      return { kind: 'account', account: await accounts.findOrCreateAccount(credential) };
    if (!isWithinQuota(credential, now)) return { kind: 'too-many' };
    const comparison = await compare(apiKey);
    if (comparison.kind === 'unavailable') return comparison;
    if (comparison.kind !== 'same') return { kind: 'account', account: await accounts.findOrCreateAccount(credential) };
    if (answer !== comparison.found.account) return comparison;
    // Refused only if another request has given the key an account meanwhile.
    await join(credential, comparison.found.account, { who, words: null });
    return { kind: 'account', account: await accounts.findOrCreateAccount(credential) };
  }

  /** Whether the key reads a recorded withdrawal of the account. */
  async function readsAnyOf(apiKey: string, account: string): Promise<boolean> {
    const known = (await knownAccounts()).find((one) => one.account === account);
    const reading = known === undefined ? 'not-readable' : await readsAccount(apiKey, known);
    return reading === 'readable' || reading === 'partly-readable';
  }

  /** The account that the key most likely belongs to, and the reading that says so; null if it belongs to none of these. */
  async function findPossible(apiKey: string, unnamed: readonly UnnamedAccount[]): Promise<Possible | null> {
    const known = await knownAccounts();
    const compared = await Promise.all(
      unnamed.map(async (account) => {
        const recorded = known.find((one) => one.account === account.account);
        return { account, reading: recorded ? await readsAccount(apiKey, recorded) : ('nothing-recorded' as const) };
      }),
    );
    for (const reading of POSSIBLE) {
      const found = compared.find((one) => one.reading === reading);
      if (found !== undefined) return { account: found.account, reading };
    }
    return null;
  }

  return { compare, join, accountAtSignIn, readsAnyOf, findPossible };
}

/** An account with operations that the settings name neither by its name nor by one of its keys. */
interface UnnamedAccount {
  account: string;
  /** The account's name, or its id if it has none. */
  name: string;
}

const POSSIBLE = ['readable', 'partly-readable', 'refused', 'unavailable', 'nothing-recorded'] as const;

interface Possible {
  account: UnnamedAccount;
  reading: (typeof POSSIBLE)[number];
}

type SignInAccount =
  | { kind: 'account'; account: string }
  | { kind: 'same'; found: SameAccount }
  | { kind: 'unavailable' }
  | { kind: 'too-many' };

export interface StartParts extends JoiningParts {
  joining: Joining;
  log: (line: string) => void;
}

/** An operator's statement that a key is a new one of this account, given by name or id. */
export interface SameAccountCommand {
  apiKey: string;
  account: string;
  /** The operator's reason. */
  words: string;
}

/** Throws DatabaseRefused if there is no such account, or if the key can't be added to it. */
export async function joinByWord(
  { apiKey, account, words }: SameAccountCommand,
  { database, ports, accounts, joining }: StartParts,
): Promise<void> {
  const service = ports.service.name;
  const credential = credentialOf(apiKey, service);
  const target = await findNamedAccount(database, service, account);
  if (target === null) throw new DatabaseRefused(`There is no account “${account}” here.`);
  if ((await accounts.findKnownAccount(credential)) !== target)
    await joinOrRefuse(joining, { credential, target, words });
}

async function joinOrRefuse(
  joining: Joining,
  { credential, target, words }: { credential: string; target: string; words: string | null },
): Promise<void> {
  const refusal = await joining.join(credential, target, { who: null, words });
  if (refusal !== null) throw new DatabaseRefused(`The API key can’t be added to account ${target}: ${refusal}`);
}

/** The account's name in the settings; null if they have only one account. */
interface NameInSettings {
  name: string | null;
  /** Accounts that a new key under a new name may belong to. */
  unnamed?: readonly UnnamedAccount[];
  /** Whether the settings have other accounts, too. */
  isOneOfSeveral?: boolean;
}

/**
 * The account of an API key in the settings.
 * Throws DatabaseRefused if it isn't clear which account a new key belongs to.
 */
export async function joinAtStart(
  apiKey: string,
  { database, ports, accounts, joining, log }: StartParts,
  { name, unnamed = [], isOneOfSeveral = false }: NameInSettings = { name: null },
): Promise<Omit<ServerAccount, 'name'>> {
  const service = ports.service.name;
  const credential = credentialOf(apiKey, service);
  const target = name === null ? null : await findNamedAccount(database, service, name);
  const known = await accounts.findKnownAccount(credential);
  if (known !== null) return { account: known, credential, apiKey };
  const recorded = await accountsWithRecords(database, service);
  const only = target ?? (name === null && recorded.length === 1 ? (recorded[0] ?? null) : null);
  if (target !== null || (name === null && recorded.length > 0)) {
    const comparison = await joining.compare(apiKey, only);
    if (comparison.kind === 'same') {
      await joinOrRefuse(joining, { credential, target: comparison.found.account, words: null });
      log(`New API key: it reads the withdrawals of account ${name ?? comparison.found.account}, and was added to it.`);
      return { account: comparison.found.account, credential, apiKey };
    }
    if (only !== null || comparison.kind === 'unavailable')
      throw new DatabaseRefused(`${REASONS[comparison.kind]} ${wayOn(name ?? only)}`);
  }
  // The key and the name may both have changed.
  const possible = name === null || target !== null ? null : await joining.findPossible(apiKey, unnamed);
  if (name !== null && possible !== null) throw new DatabaseRefused(possibleRefusal(name, possible, isOneOfSeveral));
  return { account: await accounts.findOrCreateAccount(credential), credential, apiKey };
}

const REASONS: Record<Exclude<Comparison['kind'], 'same'>, string> = {
  'nothing-recorded': 'The API key is new here, and no recorded withdrawal can tell whose it is.',
  other: 'The API key is new here, and it doesn’t read the withdrawals of the account that this database belongs to.',
  unavailable: 'The API key is new here, and the provider can’t be asked now whose it is.',
};

function wayOn(account: string | null): string {
  return `If it is a new key of that account, run: npm run console -- --same-account ${account ?? 'NAME'} "why"`;
}

const POSSIBLE_REASONS: Record<Possible['reading'], (old: string) => string> = {
  readable: (old) => `it reads the payments of account ${old}`,
  'partly-readable': (old) => `it reads payments of account ${old}`,
  refused: (old) => `the provider refuses it, so nothing tells whether it is a key of account ${old}`,
  unavailable: (old) => `the provider can’t be asked now whether it is a key of account ${old}`,
  'nothing-recorded': (old) => `no recorded withdrawal can tell whether it is a key of account ${old}`,
};

function possibleRefusal(name: string, { account, reading }: Possible, isOneOfSeveral: boolean): string {
  const reason = `The API key of account ${name} is new here, and ${POSSIBLE_REASONS[reading](account.name)}, which the settings don’t name.`;
  const command = `${wayOn(account.name)}${isOneOfSeveral ? ` --account ${name}` : ''}`;
  if (reading !== 'nothing-recorded') return `${reason} ${command}`;
  return `${reason} ${command} If it is the key of another account, start once with the key of ${account.name} in the settings, too.`;
}

/** Accounts with operations that the settings name neither by their names nor by one of their keys. */
export async function findUnnamedAccounts(
  keys: readonly { name: string; apiKey: string }[],
  { database, ports, accounts }: JoiningParts,
): Promise<UnnamedAccount[]> {
  const service = ports.service.name;
  const found = await database.query<{ account: string; name: string }>(
    `select distinct o.account_id as account, coalesce(a.name, o.account_id) as name
     from operations.operations o left join people.accounts a on a.service = o.service and a.id = o.account_id
     where o.service = $1 order by 2`,
    [service],
  );
  const known = await Promise.all(keys.map(({ apiKey }) => accounts.findKnownAccount(credentialOf(apiKey, service))));
  const names = new Set([...known, ...keys.map(({ name }) => name)]);
  return found.filter(({ account, name }) => !names.has(account) && !names.has(name));
}

async function accountsWithRecords(database: Database, service: string): Promise<string[]> {
  const found = await database.query<{ account: string }>(
    `select distinct account_id as account from operations.operations where service = $1
     union select account from team.accounts where service = $1
     union select g.account from people.grants g join people.people p on p.id = g.person where p.service = $1`,
    [service],
  );
  return found.map(({ account }) => account);
}

/** Finds two accounts in the settings that are really one: the key of one reads the other's payments. Null if there are none. */
export async function findSharedPayments(
  joining: Pick<Joining, 'readsAnyOf'>,
  accounts: readonly ServerAccount[],
): Promise<[ServerAccount, ServerAccount] | null> {
  for (const one of accounts) {
    for (const other of accounts) {
      if (one.account === other.account || !(await joining.readsAnyOf(one.apiKey, other.account))) continue;
      return [one, other];
    }
  }
  return null;
}

/** An account by its name or id. */
async function findNamedAccount(database: Database, service: string, nameOrId: string): Promise<string | null> {
  const [named] = await database.query<{ id: string }>(
    'select id from people.accounts where service = $1 and (name = $2 or id = $2) order by id = $2 desc limit 1',
    [service, nameOrId],
  );
  if (named !== undefined) return named.id;
  return (await hasRecords(database, { service, account: nameOrId })) ? nameOrId : null;
}
