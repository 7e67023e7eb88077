import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { BrowserContextOptions, CDPSession, Page } from 'playwright/test';
import { startDashboard } from '#src/tests/process/dashboardProcess.ts';
import { freePort } from '#src/tests/process/program.ts';
import { expect, test as base } from './fixtures.ts';
import { SERVERS } from './servers.ts';
import { watch, type Watch } from './watch.ts';

/** A browser with a passkey authenticator of its own, as on another person's device. */
export interface Device {
  page: Page;
  passkeys: Authenticator;
  expectConsole: Watch['expectConsole'];
  /** Plugs in another authenticator, such as a security key. */
  plugIn(): Promise<Authenticator>;
}

/** Chromium's virtual authenticator; the person is present and verified, unless a test says otherwise. */
interface Authenticator {
  /** Whether the person touches it when it is asked. */
  setPresent(isPresent: boolean): Promise<void>;
  /** Whether it recognises the person. */
  setVerified(isVerified: boolean): Promise<void>;
}

interface PeopleFixtures {
  /** A server of this test with SIGN_IN=passkey, on an account of its own. */
  server: { origin: string; inviteAdmin(): Promise<string> };
  device: (options?: BrowserContextOptions) => Promise<Device>;
  /** The device of Ada, who joined by the console's link and is signed in. */
  admin: Device;
}

export const test = base.extend<PeopleFixtures>({
  server: async ({ account }, use) => {
    const port = await freePort();
    const origin = `http://localhost:${port}`;
    const directory = await mkdtemp(join(tmpdir(), 'countinghouse-people-'));
    const env = {
      SIGN_IN: 'passkey',
      PAYMENTS_BASE_URL: SERVERS.raw.origin,
      PAYMENTS_API_KEY: account.key,
      SESSION_SECRET: 'the secret of a test with people in it',
      PUBLIC_ORIGIN: origin,
      DATA_DIR: directory,
    };
    const server = await startDashboard(env, port);
    await use({ origin, inviteAdmin: () => inviteAdmin({ PORT: String(port), ...env }) });
    await server.stop();
    await rm(directory, { recursive: true });
  },

  baseURL: async ({ server }, use) => use(server.origin),

  device: async ({ browser, server }, use) => {
    const watches: Watch[] = [];
    await use(async (options) => {
      const context = await browser.newContext({ baseURL: server.origin, ...options });
      const watching = await watch(context);
      watches.push(watching);
      const page = await context.newPage();
      const session = await context.newCDPSession(page);
      await session.send('WebAuthn.enable');
      const passkeys = await addAuthenticator(session, 'internal');
      const plugIn = () => addAuthenticator(session, 'usb');
      return { page, passkeys, plugIn, expectConsole: (pattern) => watching.expectConsole(pattern) };
    });
    for (const watching of watches) watching.verify();
  },

  admin: async ({ device, server }, use) => {
    const admin = await device();
    const { page } = admin;
    await page.goto(await server.inviteAdmin());
    await page.getByLabel('Your name').fill('Ada');
    await page.getByRole('button', { name: 'Create a passkey' }).click();
    await page.getByRole('link', { name: 'Go to Home' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Home' })).toBeVisible();
    await use(admin);
  },
});

/** The link that the console prints for the first admin. */
async function inviteAdmin(env: Record<string, string>): Promise<string> {
  const start = join(import.meta.dirname, '../../dist/node/start.js');
  const { stdout } = await promisify(execFile)(process.execPath, [start, '--invite-admin', 'a test'], {
    env: { PATH: process.env['PATH'] ?? '', ...env },
  });
  return linkIn(stdout);
}

function linkIn(text: string): string {
  const [link] = /http\S+\/join#\S+/.exec(text) ?? [];
  if (link === undefined) throw new Error(`There is no link in: ${text}`);
  return link;
}

async function addAuthenticator(session: CDPSession, transport: 'internal' | 'usb'): Promise<Authenticator> {
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
    setPresent: async (enabled) => {
      await session.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled });
    },
    setVerified: async (isUserVerified) => {
      await session.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified });
    },
  };
}

/** An admin's invite of somebody with these roles beside viewer; returns the link. */
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

/** Opens the invite's link and creates a passkey; returns the code that is shown. */
export async function joinBy({ page }: Device, link: string): Promise<string> {
  await page.goto(link);
  await page.getByRole('button', { name: 'Create a passkey' }).click();
  await expect(page.getByRole('heading', { name: 'Read this code to an admin' })).toBeFocused();
  return (await page.getByLabel('Your code').innerText()).replaceAll(/\D/g, '');
}

/** An admin types the code of somebody who joined. */
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

/** A colleague with these roles, who is signed in on a device of their own. */
export async function addColleague(
  admin: Device,
  device: PeopleFixtures['device'],
  name: string,
  roles: readonly string[] = [],
): Promise<Device> {
  const colleague = await device();
  const code = await joinBy(colleague, await invite(admin, name, roles));
  await typeCode(admin, name, code);
  await expect(admin.page.getByLabel('Six-digit code')).toHaveCount(0);
  await signIn(colleague);
  await expectSignedIn(colleague);
  return colleague;
}

export async function expectSignedIn({ page }: Device) {
  await expect(page.getByRole('heading', { level: 1, name: 'Home' })).toBeVisible();
}

/** The row of a person on the page People. */
export function rowOf({ page }: Device, name: string) {
  return page.getByRole('table', { name: 'People' }).getByRole('row').filter({ hasText: name });
}
