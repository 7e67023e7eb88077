import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');

/** Ports that only the benchmark uses. */
export const PORTS = {
  product: 4293,
  raw: 4294,
  floor: 4295,
  relay: 4296,
  proxy: 4297,
  stub: 4298,
  quiet: 4299,
  told: 4300,
  hooks: 4301,
};

export const origin = (name) => `http://127.0.0.1:${PORTS[name]}`;

/** Starts a Node program; resolves when it prints a line that contains `ready`. */
export async function startProcess(path, args = [], env = {}, ready = 'ready') {
  const child = spawn(process.execPath, [join(ROOT, path), ...args.map(String)], {
    cwd: ROOT,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await new Promise((done, failed) => {
    child.stdout.on('data', (text) => String(text).includes(ready) && done());
    child.once('exit', (code) => failed(new Error(`${path} ended with ${code}.`)));
  });
  // Don't leave it running if the benchmark fails.
  process.once('exit', () => child.kill());
  return {
    pid: child.pid,
    stdout: child.stdout,
    async stop() {
      child.removeAllListeners('exit');
      child.kill();
      await once(child, 'exit');
    },
  };
}

/** Resident memory and heap after a collection, in MB, of a process that imports heap.js. */
export async function memoryOf({ pid, stdout }) {
  process.kill(pid, 'SIGUSR2');
  let text = '';
  while (!text.includes('heap ')) text = String((await once(stdout, 'data'))[0]);
  const resident = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  const heap = /heap (\d+)/.exec(text)?.[1];
  return { resident: resident / 1000, heap: heap / 1_000_000 };
}

/** The dashboard's server with the embedded sandbox, which is also served raw on its own port. */
export function startProduct() {
  const env = { PORT: PORTS.product, SANDBOX_PORT: PORTS.raw, DATA_DIR: 'memory', PAYMENTS_BASE_URL: undefined };
  return startProcess('dist/node/start.js', [], env, String(PORTS.raw));
}

/** A request to the service or to the sandbox's controls. */
export async function ask(path, { key, body, headers } = {}) {
  const answer = await fetch(origin('raw') + path, {
    method: body ? 'POST' : 'GET',
    headers: { 'Content-Type': 'application/json', ...(key && { 'x-api-key': key }), ...headers },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${text}`);
  return JSON.parse(text || 'null');
}

/** Signs in with the key; returns the account's name and the session cookie. */
export async function openSession(key, at = 'product') {
  const answer = await fetch(`${origin(at)}/session`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Origin: origin(at) },
    body: JSON.stringify({ key, name: '' }),
  });
  if (answer.status !== 201) throw new Error(`POST /session: ${answer.status} ${await answer.text()}`);
  const { account } = await answer.json();
  const [, name, value] = /^([^=]+)=([^;]*)/.exec(answer.headers.getSetCookie()[0]) ?? [];
  // Set for https: browsers accept a Secure cookie from 127.0.0.1, and cookies ignore scheme and port.
  const url = origin(at).replace('http:', 'https:');
  return { account, cookie: { name, value, url, httpOnly: true, secure: true } };
}

export function quantile(values, share) {
  return values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))];
}

export const median = (values) => quantile(values, 0.5);

/** Duration of each run, in ms. */
export async function timed(times, run) {
  const took = [];
  for (let i = 0; i < times; i += 1) {
    const start = performance.now();
    await run(i);
    took.push(performance.now() - start);
  }
  return took;
}

/** Prints a Markdown table for the README. */
export function printTable(title, head, rows) {
  console.log(`\n${title}\n`);
  for (const row of [head, head.map(() => '---'), ...rows]) console.log(`| ${row.join(' | ')} |`);
}

export const ms = (value) => `${value.toFixed(value < 100 ? 1 : 0)} ms`;
export const times = (value) => `${value.toFixed(2)}×`;
