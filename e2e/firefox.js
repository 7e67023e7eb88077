// The main workflow in Firefox, driven by Marionette: node e2e/firefox.js. Skipped with a message without Firefox.
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const PORT = Number(process.env.E2E_PORT ?? 4183) + 30;
const MARIONETTE = PORT + 1;
const ORIGIN = `http://127.0.0.1:${PORT}`;
const TIMEOUT_MS = 30_000;
const SERVER = fileURLToPath(new URL('../dist/node/start.js', import.meta.url));

const firefox = ['firefox-esr', 'firefox']
  .flatMap((name) => (process.env.PATH ?? '').split(delimiter).map((folder) => join(folder, name)))
  .find((path) => existsSync(path));
if (!firefox) {
  console.log('There is no Firefox here: its run is left out.');
  process.exit(0);
}

/** Retries until the attempt returns a value; rethrows the last error after the timeout. */
async function until(what, attempt) {
  const end = Date.now() + TIMEOUT_MS;
  for (let why = 'not there'; ;) {
    try {
      const found = await attempt();
      if (found) return found;
    } catch (error) {
      why = error.message;
    }
    if (Date.now() > end) throw new Error(`${what}: ${why}`);
    await new Promise((done) => setTimeout(done, 100));
  }
}

/** Sends WebDriver commands over Firefox's Marionette socket: "length:[0, id, command, parameters]". */
async function openDriver() {
  const socket = await until('Firefox', () => {
    const opening = connect(MARIONETTE, '127.0.0.1');
    return new Promise((opened, failed) => opening.once('data', () => opened(opening)).once('error', failed));
  });
  const waiting = new Map();
  let heard = Buffer.alloc(0);
  let last = 0;
  socket.on('data', (bytes) => {
    heard = Buffer.concat([heard, bytes]);
    for (;;) {
      const colon = heard.indexOf(':');
      const end = colon + 1 + Number(heard.subarray(0, colon));
      if (colon < 0 || heard.length < end) return;
      const [, id, error, result] = JSON.parse(heard.subarray(colon + 1, end));
      heard = heard.subarray(end);
      const { resolve, reject } = waiting.get(id);
      if (error) reject(new Error(`${error.error}: ${error.message}`));
      else resolve(result?.value ?? result);
    }
  });
  const send = (command, parameters = {}) =>
    new Promise((resolve, reject) => {
      last += 1;
      waiting.set(last, { resolve, reject });
      const text = JSON.stringify([0, last, `WebDriver:${command}`, parameters]);
      socket.write(`${Buffer.byteLength(text)}:${text}`);
    });
  return { send, close: () => socket.destroy() };
}

/** Finds a visible element by role and accessible name. */
const FIND = `
  const [role, name] = arguments;
  const tags = { button: 'button', link: 'a[href]', heading: 'h1', field: 'label', row: '[role=row] a' }[role];
  const words = (element) => {
    const said = element.cloneNode(true);
    for (const hidden of said.querySelectorAll('[aria-hidden], kbd')) hidden.remove();
    return said.textContent.replace(/\\s+/g, ' ').trim();
  };
  const seen = [...document.querySelectorAll(tags)].filter((each) => each.getClientRects().length > 0);
  const found = seen.find((each) => role === 'row' || words(each) === name || each.getAttribute('aria-label') === name);
  return found?.getAttribute('aria-disabled') === 'true' ? null : (role === 'field' ? found?.control : found) ?? null;
`;

function createPage({ send }) {
  const run = (script, ...args) => send('ExecuteScript', { script, args });
  const find = (role, name) =>
    until(`${role} “${name}”`, async () => Object.values((await run(FIND, role, name)) ?? {})[0]);
  return {
    open: (path) => send('Navigate', { url: ORIGIN + path }),
    see: (name) => find('heading', name),
    read: (text) => until(text, () => run('return document.body.innerText.includes(arguments[0])', text)),
    click: (role, name) => until(name, async () => await send('ElementClick', { id: await find(role, name) })),
    fill: async (name, text) => {
      const id = await find('field', name);
      await send('ElementClear', { id });
      await send('ElementSendKeys', { id, text });
    },
    run,
  };
}

async function mainWorkflow({ open, see, read, click, fill, run }) {
  await open('/');
  await click('button', 'Use the demo key');
  await see('Home');
  await click('link', 'Deposits');
  await click('row', 'the first deposit');
  await until('its detail', () => run('return location.pathname.startsWith("/deposits/dep_")'));
  await read('Timeline');
  await click('link', 'Withdrawals');
  await click('link', 'New withdrawal');
  await fill('Asset', 'BTC');
  await fill('Chain', 'bitcoin');
  await fill('Amount', '0.0123');
  await fill('Destination address', 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4');
  await click('button', 'Review withdrawal');
  await see('Review withdrawal');
  await click('button', 'Send withdrawal');
  await read('Accepted by the provider');
  await click('link', 'View withdrawal');
  await read('0.0123');
}

const profile = mkdtempSync(join(tmpdir(), 'countinghouse-firefox-'));
writeFileSync(join(profile, 'user.js'), `user_pref("marionette.port", ${MARIONETTE});\n`);
const env = { ...process.env, PORT: String(PORT), DATA_DIR: 'memory', SANDBOX_DEPOSITS: '200' };
const children = [
  spawn(process.execPath, [SERVER], { env, stdio: 'ignore' }),
  spawn(firefox, ['--headless', '--marionette', '--profile', profile], { stdio: 'ignore' }),
];
try {
  await until('the server', async () => (await fetch(`${ORIGIN}/healthz`)).ok);
  const driver = await openDriver();
  await driver.send('NewSession', {});
  await mainWorkflow(createPage(driver));
  driver.close();
  console.log('Firefox: signed in, opened a deposit, sent a withdrawal.');
} finally {
  for (const child of children) child.kill('SIGKILL');
  rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
}
