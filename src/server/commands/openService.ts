import { openDatabase } from '#src/server/database/openDatabase.ts';
import type { Database, Queries } from '#src/server/database/sql.ts';
import { claimService, openSqlRows, otherSpellings } from '#src/server/operations/sqlRows.ts';
import { openAccounts } from '#src/server/people/accounts.ts';
import type { SessionRights } from '#src/server/people/actor.ts';
import { createJoining, joinAtStart } from '#src/server/operations/joining.ts';
import { openPeople, type People } from '#src/server/people/people.ts';
import { createTickets } from '#src/server/people/tickets.ts';
import { createSeals } from '#src/server/people/seals.ts';
import { derivedKey, keptSecret } from '#src/server/people/secrets.ts';
import { keySessionRights, sessionRowsOf } from '#src/server/people/sessionRows.ts';
import { createServerAccounts } from '#src/server/people/serverAccounts.ts';
import { createSessions } from '#src/server/people/sessions.ts';
import type { Settings } from './settings.ts';
import { forwardTo } from '#src/server/http/upstream/forward.ts';
import { logLine } from '#src/server/http/guards.ts';
import { openOperations } from './openOperations.ts';
import { openTeamWithJournal } from './openTeamWithJournal.ts';

/** How often ended sessions are cleared from the database and from memory. */
const CLEAN_MS = 60_000;

export type OpenService = Awaited<ReturnType<typeof openService>>;

/** The database, and the service that the settings name: PAYMENTS_BASE_URL, or the sandbox in this process. */
export async function openService(settings: Settings, sameAccount: string | null = null) {
  const database = await openDatabase({ databaseUrl: settings.databaseUrl, directory: settings.dataDirectory });
  try {
    // Migrates the tables of people and sessions, too.
    let people: People | null = null;
    const rows = await openSqlRows(database, {
      mode: settings.signIn === 'passkey' ? 'people' : 'key',
      readSessionRights,
    });
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
    const secret = settings.secret ?? (await keptSecret(settings.dataDirectory));
    const spellingNames = spellings.map((spelling) => spelling.service);
    const seals = createSeals(derivedKey(secret, 'seals'));
    const accounts = openAccounts(database, service.name, seals);
    const journal = await openOperations(service, rows, { ...settings, secret, spellings: spellingNames });
    const { ports } = journal.operations;
    const team = await openTeamWithJournal(database, ports.rows, readSessionRights);
    const joinParts = { database, ports, accounts };
    const joining = createJoining(joinParts);
    const serverAccounts =
      settings.apiKey === null
        ? null
        : createServerAccounts([
            await joinAtStart(settings.apiKey, { ...joinParts, joining, sameAccount, log: logLine }),
          ]);
    if (serverAccounts !== null) people = openPeople(database, service.name, seals);
    const sessions = createSessions(
      sessionRowsOf(database, service.name, people?.grants ?? null),
      secret,
      { wall: Date.now, mono: () => performance.now() },
      { serverAccounts, warn: logLine },
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
          tickets: createTickets(derivedKey(secret, 'tickets'), Date.now),
        },
      sessions,
      /** The sandbox without a gateway around it (x-api-key, /sandbox/*); null when forwarding. */
      raw,
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
  { service, operations, team, accounts, joining, people, sessions }: OpenService,
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
  };
}
