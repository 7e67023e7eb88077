import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { DatabaseRefused } from '#src/server/database/sql.ts';
import { openDatabase } from '#src/server/database/openDatabase.ts';
import { logLine } from '#src/server/http/guards.ts';
import { endPeople as endPeopleIn } from '#src/server/operations/sqlRows.ts';
import { apiKeyFault } from '#src/shared/apiKey.ts';
import { type Permission, PERMISSIONS, ROLES } from '#src/shared/permissions.ts';
import { type ConsoleCommand, type ConsoleReply, sendCommand, WORDS_MAX } from './consoleSocket.ts';
import { openService, type OpenService } from './openService.ts';
import { type Settings, SettingsError } from './settings.ts';

const ENDED =
  'Noted: withdrawals no longer ask because of it. A payment that isn’t in the journal is called unsent again: your words vouch for those sent in between.';

/** A server that is starting is asked again this often, and at most this many times. */
const STARTING_MS = 500;
const STARTING_TRIES = 20;

const KNOWN = [
  '--end-set-back "what was sent in between, and how that is known"',
  '--invite-admin "why" [--roles operator,approver]',
  '--same-account NAME_OR_ID "why"',
  '--end-people "why"',
].join(', ');

const UNKNOWN_ARGUMENT = `Unknown argument, or one without its text. Known: ${KNOWN}.`;

/** One of the console's commands, or null to start the server. */
export type Command =
  | { name: 'end-set-back'; words: string }
  | { name: 'end-people'; words: string }
  | { name: 'same-account'; account: string; words: string }
  | { name: 'invite-admin'; words: string; permissions: Permission[] };

const OPTIONS = {
  'end-set-back': { type: 'string' },
  'end-people': { type: 'string' },
  'invite-admin': { type: 'string' },
  'same-account': { type: 'string' },
  roles: { type: 'string' },
} as const;

/** Arguments after `npm start --`. An unknown one is refused: a mistyped command must not start a server. */
export function readArguments(args: readonly string[]): Command | null {
  const { values, positionals } = valuesOf(args);
  const { roles, ...commands } = values;
  const given = Object.keys(commands);
  if (given.length > 1) throw new SettingsError('One command at a time.');
  if (roles !== undefined && commands['invite-admin'] === undefined)
    throw new SettingsError('--roles goes with --invite-admin.');
  const { 'same-account': sameAccount, ...others } = commands;
  if (sameAccount !== undefined) {
    const [words, ...rest] = positionals;
    if (words === undefined || rest.length > 0) throw new SettingsError(UNKNOWN_ARGUMENT);
    return { name: 'same-account', account: sameAccount, words };
  }
  if (positionals.length > 0) throw new SettingsError(UNKNOWN_ARGUMENT);
  const { 'end-set-back': endSetBack, 'end-people': endPeople, 'invite-admin': inviteAdmin } = others;
  if (inviteAdmin !== undefined)
    return { name: 'invite-admin', words: inviteAdmin, permissions: permissionsOf(roles ?? 'admin,operator') };
  if (endSetBack !== undefined) return { name: 'end-set-back', words: endSetBack };
  return endPeople === undefined ? null : { name: 'end-people', words: endPeople };
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

/** Runs one command; its line is printed. */
export function runCommand(settings: Settings, command: Command): Promise<ConsoleReply> {
  switch (command.name) {
    case 'end-set-back':
      return endSetBack(settings, command.words);
    case 'end-people':
      return endPeople(settings, command.words);
    case 'same-account':
      return addKeyToAccount(settings, command);
    case 'invite-admin':
      return inviteAdmin(settings, command);
  }
}

/** `npm start -- --end-set-back "why"`: an operator knows what was sent while the journal was set back. */
async function endSetBack(settings: Settings, words: string): Promise<ConsoleReply> {
  const opened = await openService(settings);
  const refusal = await opened.operations.endSetBack(words);
  await opened.stop();
  return { line: refusal ?? ENDED, ok: refusal === null };
}

/** Back to API keys. */
async function endPeople(settings: Settings, words: string): Promise<ConsoleReply> {
  if (words.trim() === '') return { ok: false, line: 'Say why.' };
  const { databaseUrl, dataDirectory: directory } = settings;
  const database = await openDatabase({ databaseUrl, directory });
  try {
    await endPeopleIn(database, words);
    return {
      ok: true,
      line: 'Noted: this database takes API keys again. What was recorded and not sent has ended; everybody is signed out. Start without SIGN_IN.',
    };
  } finally {
    await database.close();
  }
}

/** The API key in the settings is a new one of this account, which no recorded payment can prove. */
async function addKeyToAccount(
  settings: Settings,
  { account, words }: Extract<Command, { name: 'same-account' }>,
): Promise<ConsoleReply> {
  if (words.trim() === '') return { ok: false, line: 'Say why.' };
  if (settings.consoleApiKey === null)
    return { ok: false, line: 'Set PAYMENTS_API_KEY_FILE or PAYMENTS_API_KEY to the new API key for this command.' };
  const fault = apiKeyFault(settings.consoleApiKey);
  if (fault !== null) return { ok: false, line: `PAYMENTS_API_KEY: ${fault}` };
  const opened = await openService({ ...settings, apiKey: settings.consoleApiKey }, account);
  logLine(`On the console, the API key was added to account ${account}: ${words}`);
  await opened.stop();
  return { ok: true, line: `Noted: the API key in the settings is one of account ${account}.` };
}

/** By the server that runs on this DATA_DIR, or on the database itself where none runs. */
async function inviteAdmin(
  settings: Settings,
  { words, permissions }: Extract<Command, { name: 'invite-admin' }>,
): Promise<ConsoleReply> {
  if (settings.signIn !== 'passkey')
    return { ok: false, line: 'Invites need people: start the server and this command with SIGN_IN=passkey.' };
  if (words.trim() === '') return { ok: false, line: 'Say why.' };
  if (words.length > WORDS_MAX) return { ok: false, line: `Say why in ${WORDS_MAX} characters or fewer.` };
  const command: ConsoleCommand = { command: 'invite-admin', words, permissions };
  const ask = async () =>
    settings.dataDirectory === 'memory' ? null : await sendCommand(settings.dataDirectory, command);
  const answered = await ask();
  if (answered !== null) return answered;
  let opened: OpenService;
  try {
    opened = await openService(settings);
  } catch (error) {
    if (!(error instanceof DatabaseRefused)) throw error;
    // A server that is starting has the database before it answers commands.
    for (let tries = 0; tries < STARTING_TRIES; tries += 1) {
      await wait(STARTING_MS);
      const late = await ask();
      if (late !== null) return late;
    }
    throw error;
  }
  try {
    return await answerCommand(settings, opened, command);
  } finally {
    await opened.stop();
  }
}

/** Runs a console command on the running server. */
export async function answerCommand(
  { origin }: Settings,
  { people }: OpenService,
  { words, permissions }: ConsoleCommand,
): Promise<ConsoleReply> {
  if (people === null) return { ok: false, line: 'The server on this DATA_DIR runs without SIGN_IN=passkey.' };
  const [account] = people.accounts.list();
  if (account === undefined) return { ok: false, line: 'This server has no account.' };
  const { token } = await people.people.inviteFromConsole(account.account, permissions);
  const roles = permissions.map((permission) => ROLES[permission]).join(', ');
  logLine(`Invited on the console as ${roles}: ${words}`);
  return { ok: true, line: `Open this link within 30 minutes. It works once:\n${origin}/join#${token}` };
}
