import { openDatabase } from '#src/server/database/openDatabase.ts';
import type { Database, Queries } from '#src/server/database/sql.ts';
import { createActivityLog } from '#src/server/activity/activityLog.ts';
import { claimService, openSqlRows, otherSpellings, turnsOf } from '#src/server/operations/sqlRows.ts';
import { credentialOf, type OpenAccounts, openAccounts } from '#src/server/people/accounts.ts';
import type { SessionRights } from '#src/server/people/actor.ts';
import {
  createJoining,
  findSharedPayments,
  joinAtStart,
  joinByWord,
  type SameAccountCommand,
  type StartParts,
} from '#src/server/operations/joining.ts';
import { createOidcProvider } from '#src/server/people/oidc.ts';
import { LONGEST_OIDC_MS } from '#src/server/people/sessionAge.ts';
import { OIDC_CALLBACK_PATH } from '#src/shared/serverPaths.ts';
import { openPeople, type People } from '#src/server/people/people.ts';
import { createTickets } from '#src/server/people/tickets.ts';
import { createSeals } from '#src/server/people/seals.ts';
import { derivedKey, keptSecret } from '#src/server/people/secrets.ts';
import { keySessionRights, sessionRowsOf } from '#src/server/people/sessionRows.ts';
import { createServerAccounts, type ServerAccount, type ServerAccounts } from '#src/server/people/serverAccounts.ts';
import { createSessions } from '#src/server/people/sessions.ts';
import { type AccountKey, ONLY_ACCOUNT, type Settings, SettingsError } from './settings.ts';
import { type Service, SANDBOX_SERVICE } from '#src/server/http/upstream/service.ts';
import type { DemoPeople } from '#src/server/people/demoPeople.ts';
import { forwardTo } from '#src/server/http/upstream/forward.ts';
import { logLine } from '#src/server/http/guards.ts';
import { openOperations } from './openOperations.ts';
import { openTeamWithJournal } from './openTeamWithJournal.ts';

/** How often ended sessions are cleared from the database and from memory. */
const CLEAN_MS = 60_000;

export type OpenService = Awaited<ReturnType<typeof openService>>;

/** The database, and the service that the settings name: PAYMENTS_BASE_URL, or the sandbox in this process. */
export async function openService(settings: Settings, sameAccount: SameAccountCommand | null = null) {
  const database = await openDatabase({ databaseUrl: settings.databaseUrl, directory: settings.dataDirectory });
  try {
    // Migrates the tables of people and sessions, too.
    let people: People | null = null;
    const secret = settings.secret ?? (await keptSecret(settings.dataDirectory));
    const activity = createActivityLog(derivedKey(secret, 'activity'));
    const mode = settings.signIn === 'key' ? 'key' : 'people';
    const rows = await openSqlRows(database, { mode, readSessionRights, activity });
    const served =
      settings.service === null
        ? await openSandbox(settings, database)
        : {
            service: {
              ...forwardTo(settings.service),
              name: await claimService(database, settings.service, settings.serviceSameAs),
            },
            raw: null,
            stop: () => Promise.resolve(),
          };
    const { service, raw } = served;
    const spellings = settings.service === null ? [] : await otherSpellings(database, service.name);
    const spellingNames = spellings.map((spelling) => spelling.service);
    const seals = createSeals(derivedKey(secret, 'seals'));
    const accounts = openAccounts(database, service.name, seals);
    const journal = await openOperations(service, rows, { ...settings, secret, spellings: spellingNames });
    const { ports } = journal.operations;
    const team = await openTeamWithJournal(database, ports.rows, readSessionRights);
    const joining = createJoining({ database, ports, accounts });
    const joinParts = { database, ports, accounts, joining, log: logLine };
    if (sameAccount !== null) await joinByWord(sameAccount, joinParts);
    const serverAccounts =
      settings.signIn === 'key'
        ? null
        : createServerAccounts(await openServerAccounts(accountKeys(settings, service), joinParts));
    if (serverAccounts !== null)
      people = openPeople(database, service.name, seals, turnsOf(mode, activity), settings.oidc?.issuer);
    const demo = people === null || serverAccounts === null ? null : await openDemo(service, people, serverAccounts);
    const sessions = createSessions(
      sessionRowsOf(database, service.name, people?.grants ?? null),
      secret,
      { wall: Date.now, mono: () => performance.now() },
      { serverAccounts, warn: logLine, ...(settings.oidc && { longestMs: LONGEST_OIDC_MS }) },
    );
    await sessions.clean();
    const cleaning = setInterval(() => void sessions.clean(), CLEAN_MS).unref();
    return {
      service,
      /** Other spellings of its address that the database holds operations under. */
      spellings,
      accounts,
      joining,
      /** Null in key mode. */
      people: people &&
        serverAccounts && {
          people,
          accounts: serverAccounts,
          demo,
          tickets: createTickets(derivedKey(secret, 'tickets'), Date.now),
          oidc: settings.oidc && {
            provider: createOidcProvider(settings.oidc, {
              redirectUri: settings.origin + OIDC_CALLBACK_PATH,
              wall: Date.now,
            }),
            key: derivedKey(secret, 'oidc'),
            wall: Date.now,
          },
        },
      sessions,
      /** The sandbox without a gateway around it (x-api-key, /sandbox/*); null when forwarding. */
      raw,
      activity,
      /** Also holds the embedded sandbox. */
      database,
      operations: journal.operations,
      team,
      /** Lets running attempts end and closes the database, last of all. */
      async stop() {
        clearInterval(cleaning);
        await journal.stop();
        await served.stop();
        await database.close();
      },
    };

    // The journal's tables come before the service's name, and that before the people.
    function readSessionRights(tx: Queries, id: string): Promise<SessionRights | null> {
      return people === null ? keySessionRights(tx, id) : people.grants.sessionRights(tx, id);
    }
  } catch (error) {
    await database.close();
    throw error;
  }
}

/** The sandbox's demo account has a name for each size. */
function accountKeys({ accounts, sandboxDeposits }: Settings, { demoKey }: Service): readonly AccountKey[] {
  if (demoKey === null) return accounts;
  return [{ name: sandboxDeposits === null ? 'demo' : `demo-${sandboxDeposits}`, apiKey: demoKey }];
}

/** The people who sign in by one press; null outside the sandbox. */
async function openDemo(service: Service, people: People, accounts: ServerAccounts): Promise<DemoPeople | null> {
  const [account] = accounts.list();
  if (service.name !== SANDBOX_SERVICE || account === undefined) return null;
  const { openDemoPeople } = await import('#src/server/people/demoPeople.ts');
  return openDemoPeople(people, account.account);
}

/** The accounts that the settings name. Throws SettingsError or DatabaseRefused for a key of another account. */
async function openServerAccounts(
  keys: readonly AccountKey[],
  parts: StartParts & { accounts: OpenAccounts },
): Promise<ServerAccount[]> {
  const { accounts, joining, ports } = parts;
  const service = ports.service.name;
  // All are checked before any name changes.
  for (const { name, apiKey } of keys)
    if (await accounts.isOtherAccount(credentialOf(apiKey, service), name))
      throw new SettingsError(
        `The API key of account ${name} is that of another account. Check which key is whose, or name the account as before.`,
      );
  const opened: ServerAccount[] = [];
  for (const { name, apiKey } of keys) {
    // Under PAYMENTS_API_KEY alone, the one account of the database may have no name yet.
    const isNamed = name !== ONLY_ACCOUNT || (await accounts.hasName(name));
    const joined = await joinAtStart(apiKey, parts, isNamed ? name : null);
    const same = opened.find((one) => one.account === joined.account);
    if (same) throw new SettingsError(`The API keys of ${same.name} and ${name} are of the same account.`);
    opened.push({ name, ...joined });
  }
  const shared = await findSharedPayments(joining, opened);
  if (shared !== null)
    throw new SettingsError(
      `The API keys of ${shared[0].name} and ${shared[1].name} read each other’s payments: they are of the same account.`,
    );
  for (const { account, name } of opened) await accounts.rename(account, name);
  return opened;
}

async function openSandbox(settings: Settings, database: Database) {
  // Loaded here, so that a forwarding gateway never reads it.
  const [{ createSandbox }, { sandboxListener }, { embed }] = await Promise.all([
    import('#src/sandbox/sandbox.ts'),
    import('#src/sandbox/node.ts'),
    import('#src/server/http/embedded.ts'),
  ]);
  const sandbox = await createSandbox({
    sql: database,
    demo: true,
    deposits: settings.sandboxDeposits,
    killAt: settings.killAt,
  });
  return { service: embed(sandbox), raw: sandboxListener(sandbox), stop: () => sandbox.stop() };
}

export function gatewayParts(
  settings: Settings,
  { service, operations, team, accounts, joining, people, sessions, database }: OpenService,
) {
  const { origin, trustedProxies, readOnly, journalOnly } = settings;
  return {
    origin,
    trustedProxies,
    readOnly,
    journalOnly,
    service,
    operations,
    team,
    accounts,
    joining,
    people,
    sessions,
    queries: database,
  };
}
