import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { type Database, DatabaseRefused } from '#src/server/database/sql.ts';
import { openDatabase } from '#src/server/database/openDatabase.ts';
import { logLine } from '#src/server/http/log.ts';
import { counted } from '#src/shared/text.ts';
import { type ActivityLog, createActivityLog } from '#src/server/activity/activityLog.ts';
import { migrateActivity } from '#src/server/activity/schema.ts';
import { derivedKey, loadOrCreateSecret } from '#src/server/people/secrets.ts';
import { keySessionRights } from '#src/server/people/sessionRows.ts';
import { moveTo } from '#src/server/operations/origin.ts';
import { createSeals } from '#src/server/people/seals.ts';
import { endPeople as endPeopleIn, reseal } from '#src/server/operations/sqlRows.ts';
import type { TransactionParts } from '#src/server/operations/sqlTransaction.ts';
import { apiKeyFault } from '#src/shared/apiKey.ts';
import { type Permission, PERMISSIONS, ROLES } from '#src/shared/permissions.ts';
import { type ConsoleCommand, type ConsoleReply, sendCommand, WORDS_MAX } from './consoleSocket.ts';
import { describePeople } from './describePeople.ts';
import { openService, type OpenService } from './openService.ts';
import { type Settings, SettingsError } from './settings.ts';

const ENDED =
  'Noted: withdrawals no longer ask because of it. A payment that isn’t in the journal is called unsent again: your words vouch for those sent in between.';

const WAITS_LINE =
  'Others are an approver or an admin there, so these two roles wait: for some days, or until an admin or a second person who was made an admin on the console confirms them on the page People.';

/** The interval and number of retries while a server is starting. */
const STARTING_MS = 500;
const STARTING_TRIES = 20;

const KNOWN = [
  '--end-set-back "what was sent in between, and how that is known"',
  '--invite-admin "why" [--roles operator,approver] [--account eu] [--person Ada]',
  '--same-account NAME_OR_ID "why" [--account eu]',
  '--end-people "why"',
  '--moved "why"',
  '--reseal "why"',
  '--check-activity',
  '--check-settings',
].join(', ');

const UNKNOWN_ARGUMENT = `Unknown argument, or one without its text. Known: ${KNOWN}.`;

/** One of the console's commands, or null to start the server. */
export type Command =
  | { name: 'end-set-back'; words: string }
  | { name: 'end-people'; words: string }
  /** After a change of PUBLIC_ORIGIN. */
  | { name: 'moved'; words: string }
  /** After a change of SESSION_SECRET. */
  | { name: 'reseal'; words: string }
  | { name: 'check-activity' }
  | { name: 'check-settings' }
  /** `keyOf`: the account in the settings that has the new key. */
  | { name: 'same-account'; account: string; keyOf: string | null; words: string }
  | {
      name: 'invite-admin';
      words: string;
      permissions: Permission[];
      account: string | null;
      person: string | null;
    };

const OPTIONS = {
  'end-set-back': { type: 'string' },
  'end-people': { type: 'string' },
  moved: { type: 'string' },
  reseal: { type: 'string' },
  'check-activity': { type: 'boolean' },
  'check-settings': { type: 'boolean' },
  'invite-admin': { type: 'string' },
  'same-account': { type: 'string' },
  roles: { type: 'string' },
  account: { type: 'string' },
  person: { type: 'string' },
} as const;

/** Reads the arguments after `npm start --`. Unknown ones are refused: a mistyped command must not start a server. */
export function readArguments(args: readonly string[]): Command | null {
  const { values, positionals } = valuesOf(args);
  const { roles, account, person, ...commands } = values;
  const commandNames = Object.keys(commands);
  if (commandNames.length > 1) throw new SettingsError('One command at a time.');
  const { 'same-account': sameAccount, ...others } = commands;
  for (const [option, text] of Object.entries({ roles, person, ...(sameAccount === undefined && { account }) }))
    if (text !== undefined && commands['invite-admin'] === undefined)
      throw new SettingsError(`--${option} goes with --invite-admin.`);
  if (sameAccount !== undefined) {
    const [words, ...rest] = positionals;
    if (words === undefined || rest.length > 0) throw new SettingsError(UNKNOWN_ARGUMENT);
    return { name: 'same-account', account: sameAccount, keyOf: account ?? null, words };
  }
  if (positionals.length > 0) throw new SettingsError(UNKNOWN_ARGUMENT);
  const { 'end-set-back': endSetBack, 'end-people': endPeople, 'invite-admin': inviteAdmin, moved, reseal } = others;
  if (inviteAdmin !== undefined)
    return {
      name: 'invite-admin',
      words: inviteAdmin,
      permissions: permissionsOf(roles ?? 'admin,operator'),
      account: account ?? null,
      person: person ?? null,
    };
  if (endSetBack !== undefined) return { name: 'end-set-back', words: endSetBack };
  if (endPeople !== undefined) return { name: 'end-people', words: endPeople };
  if (moved !== undefined) return { name: 'moved', words: moved };
  if (reseal !== undefined) return { name: 'reseal', words: reseal };
  if (commands['check-settings']) return { name: 'check-settings' };
  return commands['check-activity'] ? { name: 'check-activity' } : null;
}

function valuesOf(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true });
  } catch (error) {
    throw new SettingsError(UNKNOWN_ARGUMENT, { cause: error });
  }
}

function permissionsOf(roles: string): Permission[] {
  const named = roles.split(',').map((role) => role.trim());
  const unknown = named.find((role) => !Object.values<string>(ROLES).includes(role));
  if (unknown !== undefined)
    throw new SettingsError(`--roles: “${unknown}” is none of ${Object.values(ROLES).join(', ')}.`);
  return PERMISSIONS.filter((permission) => permission === 'view' || named.includes(ROLES[permission]));
}

/** Runs one command. The caller prints the reply's line. */
export function runCommand(
  settings: Settings,
  command: Exclude<Command, { name: 'check-settings' }>,
): Promise<ConsoleReply> {
  switch (command.name) {
    case 'end-set-back':
      return endSetBack(settings, command.words);
    case 'end-people':
      return endPeople(settings, command.words);
    case 'moved':
      return move(settings, command.words);
    case 'reseal':
      return resealPeople(settings, command.words);
    case 'check-activity':
      return askServer(settings, { command: 'check-activity' }, () =>
        onDatabase(settings, async (database, { activity }) => {
          await migrateActivity(database);
          return checkActivity(activity, database);
        }),
      );
    case 'same-account':
      return addKeyToAccount(settings, command);
    case 'invite-admin':
      return inviteAdmin(settings, command);
  }
}

/** `npm start -- --end-set-back "why"`: an operator has checked which payments are missing from the restored journal. */
async function endSetBack(settings: Settings, words: string): Promise<ConsoleReply> {
  const opened = await openService(settings);
  try {
    const refusal = await opened.operations.endSetBack(words);
    if (refusal !== null) return { line: refusal, ok: false };
    const { people } = opened;
    if (people === null) return { line: ENDED, ok: true };
    // The set-back has ended by now, whether or not this can be read.
    const lines = await describePeople({ people: people.people, accounts: people.accounts.list() }).catch(
      (error: unknown) => `Who may do what now couldn’t be read: ${String(error)}`,
    );
    return { line: `${ENDED}\n${lines}`, ok: true };
  } finally {
    await opened.stop();
  }
}

/** `--end-people`: goes back to signing in with API keys. */
async function endPeople(settings: Settings, words: string): Promise<ConsoleReply> {
  return onJournal(settings, words, async (database, parts) => {
    await endPeopleIn(database, words, parts);
    return {
      ok: true,
      line: 'Noted: this database takes API keys again. What was recorded and not sent has ended; everybody is signed out. Start without SIGN_IN, or invite a first admin.',
    };
  });
}

/** `--moved`: makes PUBLIC_ORIGIN the database's new address. */
async function move(settings: Settings, words: string): Promise<ConsoleReply> {
  const { origin } = settings;
  return onJournal(settings, words, async (database, parts) =>
    (await moveTo(database, { origin, words }, parts)) === 'not-needed'
      ? {
          ok: false,
          line: `Nothing to do: the database belongs to ${origin}, or to no https address yet. Start the server.`,
        }
      : {
          ok: true,
          line: `Noted: the dashboard is at ${origin}. It counts as a set-back, since the server at the address before may go on: everybody is signed out, nothing is called unsent, and people who sign in as themselves can only look, until --end-set-back.`,
        },
  );
}

/** `--reseal`: seals all rows with the new SESSION_SECRET. */
async function resealPeople(settings: Settings, words: string): Promise<ConsoleReply> {
  return onJournal(settings, words, async (database, parts) => {
    const resealed = await reseal(database, words, parts);
    if (resealed === 0) return { ok: false, line: 'Every row is sealed with this SESSION_SECRET.' };
    return {
      ok: true,
      line: `Noted: ${counted(resealed, 'row is', 'rows are')} valid again, as the database has them now, and everybody is signed out. Check on the page People who may do what. Entries of the activity before this one can’t be checked any more.`,
    };
  });
}

/** Runs a command that changes the journal itself, while no server has the database open. */
async function onJournal(
  settings: Settings,
  words: string,
  change: (database: Database, parts: TransactionParts) => Promise<ConsoleReply>,
): Promise<ConsoleReply> {
  if (words.trim() === '') return { ok: false, line: 'Say why.' };
  return onDatabase(settings, change);
}

async function onDatabase(
  settings: Settings,
  work: (database: Database, parts: TransactionParts) => Promise<ConsoleReply>,
): Promise<ConsoleReply> {
  const { databaseUrl, dataDirectory: directory } = settings;
  const database = await openDatabase({ databaseUrl, directory });
  try {
    const secret = settings.secret ?? (await loadOrCreateSecret(directory, logLine));
    const activity = createActivityLog(derivedKey(secret, 'activity'));
    const seals = createSeals(derivedKey(secret, 'seals'));
    return await work(database, { readSessionRights: keySessionRights, activity, seals });
  } finally {
    await database.close();
  }
}

/** `--same-account`: adds an API key from the settings to this account, for which no recorded payment can be a proof. */
async function addKeyToAccount(
  settings: Settings,
  { account, keyOf, words }: Extract<Command, { name: 'same-account' }>,
): Promise<ConsoleReply> {
  if (words.trim() === '') return { ok: false, line: 'Say why.' };
  const { accounts, consoleApiKey } = settings;
  const isOnlyOne = keyOf === null && accounts.length === 1;
  const named = isOnlyOne ? accounts[0] : accounts.find(({ name }) => name === (keyOf ?? account));
  if (named === undefined && accounts.length > 0) {
    const names = accounts.map(({ name }) => name).join(', ');
    return { ok: false, line: `Add --account with the name that the settings have for the new key: ${names}.` };
  }
  const apiKey = named?.apiKey ?? consoleApiKey;
  if (apiKey === null)
    return { ok: false, line: 'Set PAYMENTS_API_KEY_FILE or PAYMENTS_API_KEY to the new API key for this command.' };
  const fault = apiKeyFault(apiKey);
  if (fault !== null) return { ok: false, line: `PAYMENTS_API_KEY: ${fault}` };
  const opened = await openService(settings, { account, apiKey, words });
  logLine(`On the console, the API key was added to account ${account}: ${words}`);
  await opened.stop();
  return { ok: true, line: `Noted: the API key in the settings is one of account ${account}.` };
}

async function inviteAdmin(
  settings: Settings,
  { words, permissions, account, person }: Extract<Command, { name: 'invite-admin' }>,
): Promise<ConsoleReply> {
  if (settings.signIn === 'key')
    return { ok: false, line: 'Invites need people: start the server and this command with SIGN_IN=passkey or oidc.' };
  if (words.trim() === '') return { ok: false, line: 'Say why.' };
  if (words.length > WORDS_MAX) return { ok: false, line: `Say why in ${WORDS_MAX} characters or fewer.` };
  return onServer(settings, { command: 'invite-admin', words, permissions, account, person });
}

/** Has the server that runs on this DATA_DIR execute the command, or executes it here if none runs. */
function onServer(settings: Settings, command: ConsoleCommand): Promise<ConsoleReply> {
  return askServer(settings, command, async () => {
    const opened = await openService(settings);
    try {
      return await answerCommand(settings, opened, command);
    } finally {
      await opened.stop();
    }
  });
}

/** `alone`: what to do if no server runs on this DATA_DIR. */
async function askServer(
  settings: Settings,
  command: ConsoleCommand,
  alone: () => Promise<ConsoleReply>,
): Promise<ConsoleReply> {
  const ask = async () =>
    settings.dataDirectory === 'memory' ? null : await sendCommand(settings.dataDirectory, command);
  const answered = await ask();
  if (answered !== null) return answered;
  try {
    return await alone();
  } catch (error) {
    if (!(error instanceof DatabaseRefused)) throw error;
    // A starting server opens the database before it answers commands.
    for (let tries = 0; tries < STARTING_TRIES; tries += 1) {
      await wait(STARTING_MS);
      const late = await ask();
      if (late !== null) return late;
    }
    throw error;
  }
}

/** Runs a console command on the running server. */
export async function answerCommand(
  { origin }: Settings,
  opened: OpenService,
  command: ConsoleCommand,
): Promise<ConsoleReply> {
  if (command.command === 'check-activity') return checkActivity(opened.activity, opened.database);
  const { people } = opened;
  if (people === null) return { ok: false, line: 'The server on this DATA_DIR runs without SIGN_IN=passkey or oidc.' };
  const { words, permissions, account: named, person } = command;
  const accounts = people.accounts.list();
  const account = named === null && accounts.length === 1 ? accounts[0] : accounts.find(({ name }) => name === named);
  if (account === undefined) {
    const names = accounts.map(({ name }) => name).join(', ');
    const fault = named === null ? 'This server has several accounts' : `There is no account “${named}”`;
    return { ok: false, line: `${fault}. Add --account with one of: ${names}.` };
  }
  const roles = permissions.map((permission) => ROLES[permission]).join(', ');
  if (person !== null) {
    const granted = await people.people.grantFromConsole(account.account, { name: person, permissions, words });
    if (granted === 'no_person')
      return {
        ok: false,
        line: `Nobody called “${person}” has a passkey here. Leave --person out to invite somebody.`,
      };
    if (granted === 'has_admin')
      return { ok: false, line: `Account ${account.name} has an admin, who gives roles on the page People.` };
    logLine(`Given roles on the console on account ${account.name}, to ${person}, as ${roles}: ${words}`);
    const line =
      granted.waiting === null
        ? `${person} now has these roles on account ${account.name}: ${roles}.`
        : `Given to ${person} on account ${account.name}: ${roles}. ${WAITS_LINE}`;
    return { ok: true, line };
  }
  const { token } = await people.people.inviteFromConsole(account.account, permissions, words);
  logLine(`Invited on the console to account ${account.name} as ${roles}: ${words}`);
  return { ok: true, line: `Open this link within 30 minutes. It works once:\n${origin}/join#${token}` };
}

/** Checks that every line of the activity log is unchanged and none is missing. */
async function checkActivity(activity: ActivityLog, database: Database): Promise<ConsoleReply> {
  const { lines, unchecked, fault } = await activity.check(database);
  const whole = counted(lines, 'line', 'lines');
  const checked =
    unchecked === 0
      ? 'all as written'
      : `as written after line ${unchecked}. Those before are of a former SESSION_SECRET`;
  switch (fault?.kind) {
    case undefined:
      return { ok: true, line: `The activity has ${whole}, ${checked}.` };
    case 'changed':
      return {
        ok: false,
        line: `Line ${fault.number} of the activity isn’t as it was written, or SESSION_SECRET was another one then. As written: ${whole} before it.`,
      };
    case 'missing':
      return {
        ok: false,
        line: `Missing from the activity: ${counted(Number(fault.count), 'line', 'lines')} after line ${lines}. All before are as written.`,
      };
    case 'end-changed':
      return {
        ok: false,
        line: `Lines after line ${lines} of the activity may be missing: the row of the last line isn’t as it was written, or SESSION_SECRET was another one then. The activity has ${whole}, all as written.`,
      };
  }
}
