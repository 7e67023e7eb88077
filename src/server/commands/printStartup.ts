import type { OpenService } from './openService.ts';
import { rolesOf } from '#src/shared/permissions.ts';
import { GOOD_SECRET_MIN, type Settings } from './settings.ts';
import { printLine } from '#src/server/http/log.ts';

export async function printStartup(settings: Settings, opened: OpenService): Promise<void> {
  const { service, spellings, database, people } = opened;
  const { origin, readOnly, sandboxPort, dataDirectory, service: baseUrl } = settings;
  const inMemory = database.engine === 'PGlite' && dataDirectory === 'memory';
  const recordedAs = baseUrl === service.name ? '' : ` (recorded as ${service.name})`;
  const kind = baseUrl === null ? 'the built-in sandbox, not real money' : `${baseUrl}${recordedAs}`;
  printLine(`Countinghouse is at ${origin}`);
  printLine(`Service: ${kind}${readOnly ? ' (read only)' : ''}`);
  if (service.demoKey && people === null) printLine(`Demo key: ${service.demoKey}`);
  if (service.controls && sandboxPort !== null) printLine(`The sandbox alone is at http://127.0.0.1:${sandboxPort}`);
  if (people !== null) {
    const accounts = people.accounts.list();
    if (people.demo !== null) {
      const team = people.demo.list.map(({ name, permissions }) => `${name} (${rolesOf(permissions).join(', ')})`);
      printLine(`The sign-in page offers four people: ${team.join(', ')}`);
    }
    const hasSeveral = accounts.length > 1;
    const where = people.oidc?.provider.host ?? 'passkeys';
    printLine(`Sign-in: ${where}. The API ${hasSeveral ? 'keys stay' : 'key stays'} on this server.`);
    if (hasSeveral) printLine(`Accounts: ${accounts.map(({ name }) => name).join(', ')}`);
    const { hostname } = new URL(origin);
    for (const domain of await people.people.unusablePasskeyDomains())
      printLine(`Warning: passkeys were made for ${domain}, and don’t work on ${hostname}.`);
    for (const { account, name } of accounts) {
      const listed = await people.people.list(account);
      if (listed.some(({ state }) => state === 'active')) continue;
      const [to, option] = hasSeveral ? [` to account ${name}`, ` --account ${name}`] : ['', ''];
      const command = `npm run console -- --invite-admin "first"${option}`;
      printLine(`Nobody can sign in${to} yet. Beside this, run: ${command}`);
    }
  }
  printLine(`Database: ${database.engine}${inMemory ? ' in memory, nothing is kept' : ''}`);
  if (!inMemory && !database.durable)
    printLine('Warning: commits do not reach the disk; a power cut can lose what was done.');
  if (settings.secret !== null && settings.secret.length < GOOD_SECRET_MIN)
    printLine(`Warning: SESSION_SECRET has fewer than ${GOOD_SECRET_MIN} characters.`);
  if (baseUrl !== null && inTheClear(baseUrl))
    printLine('Warning: PAYMENTS_BASE_URL is not https: API keys cross the network in the clear.');
  for (const { service: address, unresolved } of spellings) {
    if (unresolved === 0) continue;
    const [recorded, them] = unresolved === 1 ? ['operation is', 'it'] : ['operations are', 'them'];
    printLine(
      `Warning: ${unresolved} unresolved ${recorded} recorded under ${address}. To see and close ${them}, start with PAYMENTS_SAME_AS=${address}`,
    );
  }
}

function inTheClear(address: string): boolean {
  const { protocol, hostname } = new URL(address);
  return protocol === 'http:' && !/^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);
}
