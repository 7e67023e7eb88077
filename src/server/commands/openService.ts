import { setTimeout as wait } from 'node:timers/promises';
import { openDatabase } from '#src/server/database/openDatabase.ts';
import type { Database, Queries } from '#src/server/database/sql.ts';
import { createActivityLog } from '#src/server/activity/activityLog.ts';
import { checkOrigin, rememberOrigin } from '#src/server/operations/origin.ts';
import { claimService, openSqlRows, otherSpellings, createActivityWriter } from '#src/server/operations/sqlRows.ts';
import { credentialOf, type OpenAccounts, openAccounts } from '#src/server/people/accounts.ts';
import type { SessionRights } from '#src/server/people/actor.ts';
import {
  createJoining,
  findSharedPayments,
  findUnnamedAccounts,
  joinAtStart,
  joinByWord,
  type SameAccountCommand,
  type StartParts,
} from '#src/server/operations/joining.ts';
import type { OidcProvider } from '#src/server/people/oidc.ts';
import { LONGEST_OIDC_MS } from '#src/server/people/sessionAge.ts';
import { OIDC_CALLBACK_PATH } from '#src/shared/serverPaths.ts';
import { counted } from '#src/shared/text.ts';
import { openPeople, type People } from '#src/server/people/people.ts';
import { createTickets } from '#src/server/people/tickets.ts';
import { createSeals } from '#src/server/people/seals.ts';
import { derivedKey, loadOrCreateSecret } from '#src/server/people/secrets.ts';
import { keySessionRights, sessionRowsOf } from '#src/server/people/sessionRows.ts';
import {
  createServerAccounts,
  type OpenServerAccounts,
  type ServerAccount,
} from '#src/server/people/serverAccounts.ts';
import { createSessions } from '#src/server/people/sessions.ts';
import { type AccountKey, ONLY_ACCOUNT, type Settings, SettingsError } from './settings.ts';
import { type Service, SANDBOX_SERVICE } from '#src/server/http/upstream/service.ts';
import type { DemoPeople } from '#src/server/people/demoPeople.ts';
import { forwardTo } from '#src/server/http/upstream/forward.ts';
import { logLine } from '#src/server/http/log.ts';
import { createHmac } from 'node:crypto';
import { createDelivery } from '#src/server/notices/delivery.ts';
import type { Channel } from '#src/server/notices/channel.ts';
import { createMailRecipients } from '#src/server/notices/mailRecipients.ts';
import { monthNotices } from '#src/server/notices/monthNotices.ts';
import { createNotices } from '#src/server/notices/notices.ts';
import { createReadFindings } from '#src/server/notices/readFindings.ts';
import { createSealNotices } from '#src/server/notices/sealNotices.ts';
import { createWatcher, type WatchedAccount } from '#src/server/notices/watcher.ts';
import { createRaise, insertNotices, targetsOf } from '#src/server/notices/outbox.ts';
import { readNow } from '#src/server/people/sessionAge.ts';
import { migrateNotices } from '#src/server/notices/schema.ts';
import { createWebhook } from '#src/server/notices/webhook.ts';
import { readNoticeNames } from './readNoticeNames.ts';
import { readNoticeMaker } from './readNoticeMaker.ts';
import { openOperations } from './openOperations.ts';
import { openTeamWithJournal } from './openTeamWithJournal.ts';
import { createJobs } from '#src/server/jobs/jobs.ts';
import { machineJobClock } from '#src/server/jobs/jobClock.ts';
import { migrateJobs } from '#src/server/jobs/schema.ts';
import { loadTeamColumns } from '#src/server/jobs/teamColumns.ts';
import { MANUAL_MAX_AGE_MS, createOverviews } from '#src/server/overview/overviews.ts';
import { createFindOutside, findNothingOutside } from '#src/server/overview/outside.ts';
import { loadTeamRecords } from '#src/server/jobs/teamRecords.ts';

/** How often old sessions are ended in the database and cleared from memory. */
const CLEAN_MS = 60_000;

export type OpenService = Awaited<ReturnType<typeof openService>>;

/** Opens the database and the service from the settings: PAYMENTS_BASE_URL, or the sandbox in this process. */
export async function openService(settings: Settings, sameAccount: SameAccountCommand | null = null) {
  const database = await openDatabase({ databaseUrl: settings.databaseUrl, directory: settings.dataDirectory });
  try {
    // Also migrates the tables of people and sessions.
    let people: People | null = null;
    const secret = settings.secret ?? (await loadOrCreateSecret(settings.dataDirectory, logLine));
    const activity = createActivityLog(derivedKey(secret, 'activity'));
    const mode = settings.signIn === 'key' ? 'key' : 'people';
    const channels = await openChannels(settings);
    // Must precede the journal, whose transactions write notices.
    await migrateNotices(database);
    const channelNames = channels.map(({ name }) => name);
    const raise = createRaise(channelNames, logLine);
    const seals = createSeals(derivedKey(secret, 'seals'));
    const { origin, service: baseUrl } = settings;
    // The sandbox moves no money, so its database may be copied.
    const claim = baseUrl === null ? async () => undefined : () => checkOrigin(database, origin);
    const transactionParts = { readSessionRights, activity, seals, raise, signing: () => signing };
    const rows = await openSqlRows(database, { mode, ...transactionParts }, claim);
    const served =
      baseUrl === null
        ? await openSandbox(settings, database)
        : {
            service: {
              ...forwardTo(baseUrl),
              name: await claimService(database, baseUrl, settings.serviceSameAs),
            },
            raw: null,
            createAccount: null,
            stop: () => Promise.resolve(),
          };
    const { service, raw } = served;
    if (baseUrl !== null) await rememberOrigin(database, origin);
    const spellings = baseUrl === null ? [] : await otherSpellings(database, service.name);
    const spellingNames = spellings.map((spelling) => spelling.service);
    const accounts = openAccounts(database, service.name, seals);
    const activityWriter = createActivityWriter(mode, transactionParts);
    const tickets = createTickets(derivedKey(secret, 'tickets'), Date.now);
    if (mode === 'people')
      people = openPeople({
        database,
        service: service.name,
        seals,
        activityWriter,
        raise,
        rpId: new URL(origin).hostname,
        issuer: settings.oidc?.issuer ?? null,
      });
    const signing = people?.signingWith({ origin, tickets }) ?? null;
    const journal = await openOperations(service, rows, {
      ...settings,
      secret,
      spellings: spellingNames,
      checkSignature: signing?.check ?? null,
    });
    const { ports } = journal.operations;
    const team = await openTeamWithJournal(database, ports.rows, readSessionRights, people?.raiseForNamed);
    const joining = createJoining({ database, ports, accounts });
    const joinParts = { database, ports, accounts, joining, log: logLine };
    if (sameAccount !== null) await joinByWord(sameAccount, joinParts);
    const serverAccounts =
      settings.signIn === 'key'
        ? null
        : createServerAccounts(await openServerAccounts(accountKeys(settings, service), joinParts));
    const demo =
      people === null || serverAccounts === null || served.createAccount === null
        ? null
        : await openDemo(people, { accounts, serverAccounts, createAccount: served.createAccount });
    const sessions = createSessions(
      sessionRowsOf(database, service.name, people?.grants ?? null),
      secret,
      { wall: Date.now, mono: () => performance.now() },
      { serverAccounts, warn: logLine, ...(settings.oidc && { longestMs: LONGEST_OIDC_MS }) },
    );
    const oidcProvider = await openOidcProvider(settings);
    await migrateJobs(database);
    const jobs = createJobs({
      database,
      service,
      readSessionRights,
      people: people && serverAccounts && { accounts: serverAccounts, grants: people.grants },
      loadTeamColumns: (owner, payment) => loadTeamColumns({ team, rows: ports.rows }, owner, payment),
      statements: team.statements,
      monthEvents: monthNotices(raise),
      loadTeamRecords: (owner, bounds) => {
        const checksOf = journal.operations.checking.notesOf;
        return loadTeamRecords({ team, rows: ports.rows, checksOf }, owner, bounds);
      },
      clock: machineJobClock,
      warn: logLine,
    });
    const notices = createNotices({
      database,
      channels,
      readSessionRights,
      activityWriter,
      peopleWith: people?.peopleWith ?? null,
    });
    const noticesKey = derivedKey(secret, 'notices');
    const delivery = createDelivery({
      database,
      service: service.name,
      channels,
      origin,
      namesOf: readNoticeNames({ service: service.name, queries: database, rows: ports.rows, team }),
      recipients:
        people &&
        createMailRecipients({
          peopleWith: people.peopleWith,
          makerOf: readNoticeMaker({ service: service.name, queries: database, rows: ports.rows, people }),
        }),
      noteRoleNotice: people?.noteRoleNotice ?? null,
      accountName: (account) => {
        const all = serverAccounts?.list() ?? [];
        return all.length > 1 ? (serverAccounts?.find(account)?.name ?? null) : null;
      },
      macOf: (address) => createHmac('sha256', noticesKey).update(address).digest('base64url'),
      now: readNow,
      random: Math.random,
      warn: logLine,
    });
    const overviews = createOverviews({
      service,
      rows: ports.rows,
      clock: { ...machineJobClock, sleep: (ms) => wait(ms, undefined, { ref: false }) },
      // The sandbox in this process needs no protection from frequent requests.
      manualMaxAgeMs: service.name === SANDBOX_SERVICE ? 0 : MANUAL_MAX_AGE_MS,
    });
    const findOutside =
      settings.outside === 'off'
        ? findNothingOutside
        : createFindOutside({ queries: database, rows: ports.rows, wall: Date.now });
    const watcher = createWatcher({
      database,
      service: service.name,
      accounts: async () => serverAccounts?.list() ?? (await keyAccount(settings, accounts, service.name)),
      read: createReadFindings({
        service: service.name,
        overviews,
        rows: ports.rows,
        team,
        findOutside,
        wall: Date.now,
        tellsOutside: settings.outside === 'digest',
      }),
      raise: async (tx, cause, now) => void (await insertNotices(tx, targetsOf(channelNames), cause, now)),
      now: readNow,
      warn: logLine,
    });
    await sessions.clean();
    const warnOfSeals =
      people === null
        ? () => Promise.resolve()
        : createSealAlarm(people, createSealNotices({ database, service: service.name, raise }), logLine);
    await warnOfSeals();
    const cleaning = setInterval(() => {
      void sessions.clean();
      // An unavailable database is reported elsewhere.
      void warnOfSeals().catch(() => undefined);
      overviews.forgetUnused();
    }, CLEAN_MS).unref();
    return {
      service,
      /** Other spellings of the service's address under which the database has operations. */
      spellings,
      accounts,
      joining,
      /** Null in key mode. */
      people: people &&
        serverAccounts && {
          people,
          accounts: serverAccounts,
          demo,
          tickets,
          oidc: oidcProvider && { provider: oidcProvider, key: derivedKey(secret, 'oidc'), wall: Date.now },
        },
      sessions,
      /** The sandbox itself, without the gateway (x-api-key, /sandbox/*); null when forwarding. */
      raw,
      activity,
      /** Also holds the embedded sandbox. */
      database,
      operations: journal.operations,
      team,
      jobs,
      notices,
      overviews,
      findOutside,
      /** Starts delivering notices and watching accounts, if there is a channel. */
      async beginNotices(): Promise<void> {
        if (channels.length === 0) return;
        await delivery.begin();
        watcher.begin();
      },
      /** Lets running attempts end, and closes the database last. */
      async stop() {
        clearInterval(cleaning);
        await Promise.all([jobs.runner.stop(), delivery.stop(), watcher.stop()]);
        await journal.stop();
        await served.stop();
        await database.close();
      },
    };

    // A function, because the journal is opened before the service's name is known, and that before the people.
    function readSessionRights(tx: Queries, id: string): Promise<SessionRights | null> {
      return people === null ? keySessionRights(tx, id) : people.grants.sessionRights(tx, id);
    }
  } catch (error) {
    await database.close();
    throw error;
  }
}

async function openChannels({ webhook, smtp, origin }: Settings): Promise<Channel[]> {
  const channels = webhook === null ? [] : [createWebhook({ ...webhook, wall: Date.now })];
  if (smtp === null) return channels;
  // Imported here, so that a server without e-mail never loads the library.
  const { createMail } = await import('#src/server/notices/mail.ts');
  return [...channels, createMail({ ...smtp, origin })];
}

/** Logs a warning and notifies people when there are rows without a valid seal, and when their number changes. */
function createSealAlarm(
  people: People,
  tell: (broken: number) => Promise<void>,
  warn: (line: string) => void,
): () => Promise<void> {
  let before = 0;
  return async () => {
    const broken = await people.countBrokenSeals();
    if (broken > 0 && broken !== before)
      warn(
        `Warning: ${counted(broken, 'row', 'rows')} of people, roles, passkeys, invites, approval rules, recipients or API keys not sealed with this SESSION_SECRET, so ignored. If you changed it, run: npm run console -- --reseal "why". If not, somebody wrote to the database: don’t.`,
      );
    before = broken;
    await tell(broken);
  };
}

/** In the sandbox, the demo account, whose name depends on the sandbox's size. */
function accountKeys({ accounts, sandboxDeposits }: Settings, { demoKey }: Service): readonly AccountKey[] {
  if (demoKey === null) return accounts;
  return [{ name: sandboxDeposits === null ? 'demo' : `demo-${sandboxDeposits}`, apiKey: demoKey }];
}

/** With SIGN_IN=key, the account of PAYMENTS_API_KEY, which is only read. */
async function keyAccount(
  { consoleApiKey: apiKey }: Settings,
  accounts: OpenAccounts,
  service: string,
): Promise<WatchedAccount[]> {
  if (apiKey === null) return [];
  return [{ account: await accounts.findAccount(credentialOf(apiKey, service)), apiKey }];
}

interface DemoParts {
  accounts: OpenAccounts;
  serverAccounts: OpenServerAccounts;
  createAccount: NonNullable<Awaited<ReturnType<typeof openSandbox>>['createAccount']>;
}

/** The sandbox's demo people, who sign in with one click. */
async function openDemo(
  people: People,
  { accounts, serverAccounts, createAccount }: DemoParts,
): Promise<DemoPeople | null> {
  const [first] = serverAccounts.list();
  if (first === undefined) return null;
  const { openDemoPeople } = await import('#src/server/people/demoPeople.ts');
  return openDemoPeople(people, first.account, async (seed) => {
    const created = await createAccount(seed);
    if (created instanceof Response) return created;
    const { account: sandbox, key: apiKey } = created;
    const credential = credentialOf(apiKey, SANDBOX_SERVICE);
    const account = await accounts.findOrCreateAccount(credential);
    serverAccounts.add({ name: sandbox, account, credential, apiKey });
    return { sandbox, account };
  });
}

/** Null without SIGN_IN=oidc. */
async function openOidcProvider({ oidc, origin }: Settings): Promise<OidcProvider | null> {
  if (oidc === null) return null;
  // Imported here, so that other modes never load the library.
  const { createOidcProvider } = await import('#src/server/people/oidc.ts');
  return createOidcProvider(oidc, { redirectUri: origin + OIDC_CALLBACK_PATH, wall: Date.now });
}

/** The accounts that the settings name. Throws SettingsError or DatabaseRefused for a key of another account. */
async function openServerAccounts(
  keys: readonly AccountKey[],
  parts: StartParts & { accounts: OpenAccounts },
): Promise<ServerAccount[]> {
  const { accounts, joining, ports } = parts;
  const service = ports.service.name;
  // Check all names before changing any.
  for (const { name, apiKey } of keys)
    if (await accounts.isOtherAccount(credentialOf(apiKey, service), name))
      throw new SettingsError(
        `The API key of account ${name} is that of another account. Check which key is whose, or name the account as before.`,
      );
  // The sandbox's key never changes, so no account there can lose its name.
  const unnamed = service === SANDBOX_SERVICE ? [] : await findUnnamedAccounts(keys, parts);
  const isOneOfSeveral = keys.length > 1;
  const opened: ServerAccount[] = [];
  for (const { name, apiKey } of keys) {
    // With PAYMENTS_API_KEY only, the database's one account may have no name yet.
    const isNamed = name !== ONLY_ACCOUNT || (await accounts.hasName(name));
    const joined = await joinAtStart(apiKey, parts, { name: isNamed ? name : null, unnamed, isOneOfSeveral });
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
  // Imported here, so that a forwarding gateway never loads the sandbox.
  const [{ createSandbox }, { sandboxListener }, { createSandboxAccount, embed }] = await Promise.all([
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
  return {
    service: embed(sandbox),
    raw: sandboxListener(sandbox),
    createAccount: (seed: Uint8Array) => createSandboxAccount(sandbox, seed),
    stop: () => sandbox.stop(),
  };
}

export function gatewayParts(
  settings: Settings,
  {
    service,
    operations,
    team,
    jobs,
    notices,
    overviews,
    findOutside,
    accounts,
    joining,
    people,
    sessions,
    database,
  }: OpenService,
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
    jobs,
    notices,
    overviews,
    findOutside,
    accounts,
    joining,
    people,
    sessions,
    queries: database,
  };
}
