import { execFile } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { BrowserContext, BrowserContextOptions, CDPSession, Page } from 'playwright/test';
import { openDatabase } from '#src/server/database/openDatabase.ts';
import { APPROVING_MS, IDLE_MS } from '#src/server/people/sessionAge.ts';
import type { Permission } from '#src/shared/permissions.ts';
import { newDataDirectory } from '#src/tests/dataDirectory.ts';
import { startDashboard } from '#src/tests/process/dashboardProcess.ts';
import { freePort, SHORT_LIVED } from '#src/tests/process/program.ts';
import { expect, test as base } from './fixtures.ts';
import { type Account, createAccount } from './sandbox.ts';
import { SERVERS } from './servers.ts';
import { createTestPerson, type TestPerson } from './testPerson.ts';
import { watch, type Watch } from './watch.ts';

/** A browser with its own passkey authenticator, as on another person's device. */
export interface Device {
  page: Page;
  passkeys: Authenticator;
  expectConsole: Watch['expectConsole'];
  /** Plugs in another authenticator, such as a security key. */
  plugIn(): Promise<Authenticator>;
}

type Credential = ReturnType<TestPerson['credential']>;
type Authenticator = Awaited<ReturnType<typeof addAuthenticator>>;

/** The device of Ada, who can also use the server's console. */
interface AdminDevice extends Device {
  ada: TestPerson;
  /** Creates an invite on the console; returns the link. `roles`: the console's names; null for those of a first admin. */
  inviteOnConsole(roles: string | null): Promise<string>;
}

interface Team {
  origin: string;
  /** Creates an invite on the server's console; returns the link. */
  inviteAdmin(roles?: string | null): Promise<string>;
  /** Restarts the server as if no session had been used for 30 minutes. */
  leaveIdle(): Promise<void>;
  /** Restarts the server as if all operations had ended 25 hours ago. */
  passDay(): Promise<void>;
  /** Kills the server, and starts it again with all leases lapsed, as a minute later. */
  crash(): Promise<void>;
  /** Restarts the server as if everyone had signed in four hours ago. `lapsed`: key of a payment to date back by 73 hours. */
  ageSignIns(of: { lapsed: string }): Promise<void>;
  /** The server's accounts at the sandbox, by their names in the settings. */
  accounts: ReadonlyMap<string, Account>;
  /** The first admin. */
  ada: TestPerson;
}

interface PeopleFixtures {
  device: (options?: BrowserContextOptions) => Promise<Device>;
  /** A device of Ada, an admin, who is signed in. */
  admin: AdminDevice;
}

interface TeamOptions {
  accountNames: readonly string[];
  hasAdmin: boolean;
  paysAlone: boolean;
  /** Name of a test file that needs its own server and people. */
  ownTeamOf: string;
}

export const test = base.extend<PeopleFixtures, { team: Team } & TeamOptions>({
  /** False: Ada hasn't joined, so the server has no people yet. */
  hasAdmin: [true, { option: true, scope: 'worker' }],
  /** Whether Ada has chosen that no payment needs approval, on the first account. */
  paysAlone: [true, { option: true, scope: 'worker' }],
  ownTeamOf: ['', { option: true, scope: 'worker' }],
  /** With several names the server uses PAYMENTS_ACCOUNTS. Ada joins the first account and has roles on all. */
  accountNames: [['main'], { option: true, scope: 'worker' }],

  // Starting a server takes seconds, so the tests of a worker share one and its people.
  team: [
    async ({ accountNames, hasAdmin, paysAlone }, use) => {
      const accounts = new Map<string, Account>();
      for (const name of accountNames) accounts.set(name, await createAccount({ assets: 7 }));
      const port = await freePort();
      const origin = `http://localhost:${port}`;
      const directory = await newDataDirectory('countinghouse-people');
      const env = {
        SIGN_IN: 'passkey',
        PAYMENTS_BASE_URL: SERVERS.raw.origin,
        ...keysOf(accounts),
        SESSION_SECRET: 'the secret of a test with people in it',
        PUBLIC_ORIGIN: origin,
        DATA_DIR: directory,
      };
      let server = await startDashboard(env, port);
      const restartAfter = async (sql: string, values: string[], end: () => Promise<unknown> = () => server.stop()) => {
        await end();
        const database = await openDatabase({ databaseUrl: null, directory });
        // The table's triggers forbid changing a payment's times.
        await database.script('alter table operations.operations disable trigger user');
        await database.query(sql, values);
        await database.script('alter table operations.operations enable trigger user');
        await database.close();
        server = await startDashboard(env, port);
      };
      const leaveIdle = () =>
        restartAfter('update people.sessions set seen_at = seen_at - $1::bigint', [String(IDLE_MS)]);
      const passDay = () =>
        restartAfter(
          `update operations.operations set ended_service = ended_service - $1::bigint,
             ended_server = ended_server - 1000 * $1::bigint, ended_database = ended_database - 1000 * $1::bigint
           where ended_database is not null`,
          [String(25 * 60 * 60)],
        );
      const crash = () =>
        restartAfter(
          `with runs as (update operations.batches set lease_until = 1 where lease_until is not null)
           update operations.operations set lease_until = 1 where lease_until is not null`,
          [],
          () => server.kill(),
        );
      const ageSignIns = ({ lapsed }: { lapsed: string }) =>
        restartAfter(
          `with aged as (update people.sessions set created_at = created_at - $3::bigint)
           update operations.operations set recorded_service = recorded_service - $2::bigint,
             recorded_server = recorded_server - 1000 * $2::bigint, recorded_database = recorded_database - 1000 * $2::bigint,
             last_service = last_service - $2::bigint, last_server = last_server - 1000 * $2::bigint
           where key = $1`,
          [lapsed, String(73 * 60 * 60), String(APPROVING_MS)],
        );
      const onConsole = (...more: string[]) => inviteAdminBy({ PORT: String(port), ...env }, more);
      const [first = '', ...others] = accountNames;
      const inviteAdmin = async (roles: string | null = null) =>
        linkIn(await onConsole('--account', first, ...(roles === null ? [] : ['--roles', roles])));
      const ada = createTestPerson(origin);
      if (hasAdmin) await ada.join(await inviteAdmin(), 'Ada');
      if (hasAdmin && paysAlone) await ada.savePolicyWithoutApprovals();
      for (const name of others) await onConsole('--account', name, '--person', 'Ada');
      await use({ origin, inviteAdmin, leaveIdle, passDay, crash, ageSignIns, accounts, ada });
      await server.stop();
      await rm(directory, { recursive: true });
    },
    { scope: 'worker', timeout: 120_000 },
  ],

  baseURL: async ({ team }, use) => use(team.origin),

  device: async ({ browser, baseURL }, use) => {
    const contexts: BrowserContext[] = [];
    const watches: Watch[] = [];
    await use(async (options) => {
      const context = await browser.newContext({ ...(baseURL !== undefined && { baseURL }), ...options });
      contexts.push(context);
      const watching = await watch(context);
      watches.push(watching);
      return { ...(await deviceIn(context)), expectConsole: (pattern) => watching.expectConsole(pattern) };
    });
    for (const context of contexts) await context.close();
    for (const watching of watches) watching.verify();
  },

  admin: async ({ device, team }, use) => {
    const admin = await device();
    await openSignedIn(admin, team.ada);
    await use({ ...admin, ada: team.ada, inviteOnConsole: (roles) => team.inviteAdmin(roles) });
  },
});

async function deviceIn(context: BrowserContext): Promise<Omit<Device, 'expectConsole'>> {
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send('WebAuthn.enable');
  const passkeys = await addAuthenticator(session, 'internal');
  return { page, passkeys, plugIn: () => addAuthenticator(session, 'usb') };
}

let names = 0;

/** A name that is not used yet: names must be unique on a server. */
export function uniqueName(name: string): string {
  names += 1;
  return `${name} ${names}`;
}

/** The settings that name these accounts. */
function keysOf(accounts: ReadonlyMap<string, Account>): Record<string, string> {
  const [only] = accounts.values();
  if (accounts.size === 1 && only) return { PAYMENTS_API_KEY: only.key };
  const keys = [...accounts].map(([name, { key }]) => [`PAYMENTS_API_KEY_${name.toUpperCase()}`, key]);
  return { PAYMENTS_ACCOUNTS: [...accounts.keys()].join(','), ...Object.fromEntries(keys) };
}

async function inviteAdminBy(env: Record<string, string>, args: string[]): Promise<string> {
  const start = join(import.meta.dirname, '../../dist/node/start.js');
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [SHORT_LIVED, start, '--invite-admin', 'a test', ...args],
    {
      env: { PATH: process.env['PATH'] ?? '', ...env },
    },
  );
  return stdout;
}

/** The link that the console prints for the first admin. */
export async function printedLink(env: Record<string, string>): Promise<string> {
  return linkIn(await inviteAdminBy(env, []));
}

function linkIn(text: string): string {
  const [link] = /http\S+\/join#\S+/.exec(text) ?? [];
  if (link === undefined) throw new Error(`There is no link in: ${text}`);
  return link;
}

/** Chromium's virtual authenticator; the person is present and verified, unless a test says otherwise. */
async function addAuthenticator(session: CDPSession, transport: 'internal' | 'usb') {
  const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport,
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return {
    /** Whether the person confirms a request. */
    setPresent: (enabled: boolean) =>
      session.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled }),
    /** Whether the person's fingerprint or PIN is accepted. */
    setVerified: (isUserVerified: boolean) =>
      session.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified }),
    add: (credential: Credential) => session.send('WebAuthn.addCredential', { authenticatorId, credential }),
  };
}

/** An admin invites a person with these roles besides viewer; returns the link. */
export async function invite({ page }: Device, name: string, roles: readonly string[] = []): Promise<string> {
  await page.goto('/people');
  await page.getByRole('button', { name: 'Invite', exact: true }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill(name);
  for (const role of roles) await dialog.getByLabel(role).check();
  await dialog.getByRole('button', { name: 'Create invite link' }).click();
  const link = await dialog.getByLabel('Invite link').inputValue();
  await dialog.getByRole('button', { name: 'Done' }).click();
  return link;
}

/** Opens the invite's link and creates a passkey; returns the code that is shown. `name`: needed if the invite has none. */
export async function joinBy({ page }: Device, link: string, name?: string): Promise<string> {
  await page.goto(link);
  if (name !== undefined) await page.getByLabel('Your name').fill(name);
  await page.getByRole('button', { name: 'Create a passkey' }).click();
  await expect(page.getByRole('heading', { name: 'Read this code to an admin' })).toBeFocused();
  return (await page.getByLabel('Your code').innerText()).replaceAll(/\D/g, '');
}

/** An admin types the code of a person who joined. */
export async function typeCode({ page }: Device, name: string, code: string) {
  await page.goto('/people');
  await page.getByRole('button', { name: `Enter code of ${name}` }).click();
  await page.getByLabel('Six-digit code').fill(code);
  await page.getByRole('button', { name: 'Confirm code' }).click();
}

export async function signIn({ page }: Device) {
  await page.goto('/sign-in');
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
}

const PERMISSION_OF = { Operator: 'prepare', Approver: 'approve', Admin: 'admin' } as const satisfies Record<
  string,
  Permission
>;
type RoleName = keyof typeof PERMISSION_OF;

/** Roles that one admin alone cannot give. */
const ROLES_BY_TWO_ADMINS = new Set<RoleName>(['Approver', 'Admin']);

/** Adds a colleague with these roles, who is signed in on their own device. */
export async function addColleague(
  admin: AdminDevice,
  device: PeopleFixtures['device'],
  name: string,
  roles: readonly RoleName[] = [],
): Promise<Device> {
  const { page, ada } = admin;
  const invitesOnConsole = roles.some((role) => ROLES_BY_TWO_ADMINS.has(role));
  const permissions: Permission[] = ['view', ...roles.map((role) => PERMISSION_OF[role])];
  const link = invitesOnConsole
    ? await admin.inviteOnConsole(roles.join().toLowerCase())
    : await ada.inviteColleague(page.context(), name, permissions);
  const colleague = await device();
  const person = createTestPerson(new URL(link).origin);
  const code = await person.join(link, invitesOnConsole ? name : undefined);
  if (code === null) throw new Error(`${name} joined without a code.`);
  await ada.confirmCode(page.context(), name, code);
  await openSignedIn(colleague, person);
  return colleague;
}

/** Signs the person in on the device, adds their passkey to it, and opens Home. */
async function openSignedIn(device: Device, person: TestPerson): Promise<void> {
  await device.passkeys.add(person.credential());
  await person.signInTo(device.page.context());
  await device.page.goto('/');
  await expectSignedIn(device);
}

export async function expectSignedIn({ page }: Device) {
  await expect(page.getByRole('heading', { level: 1, name: 'Home' })).toBeVisible();
}

/** Reloads a page until the server refuses the session, which it caches for some seconds for reads. */
export async function openUntilSignedOut({ page }: Device) {
  await expect(async () => {
    await page.goto('/people');
    await expect(page.getByRole('button', { name: /^(?:Sign in with a passkey|Account menu)/ })).toBeVisible();
    await expect(page.getByRole('button', { name: /^Account menu/ })).toHaveCount(0, { timeout: 1 });
  }).toPass();
}

/** The row of a person on the page People. */
export function rowOf({ page }: Device, name: string) {
  return page.getByRole('table', { name: 'People' }).getByRole('row').filter({ hasText: name });
}

/** Another device with a copy of this one's cookies, and without its passkey. */
export async function stealSession({ page }: Device, device: PeopleFixtures['device']): Promise<Device> {
  const thief = await device();
  await thief.page.context().addCookies(await page.context().cookies());
  // Its requests are refused.
  thief.expectConsole(/40[13]/);
  return thief;
}
