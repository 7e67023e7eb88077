import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { inject } from 'vitest';
import { freePort } from '#src/tests/process/program.ts';
import { type ProxyName, proxyProgram } from './proxyPrograms.ts';
import { until } from './until.ts';

const DEPLOY = join(import.meta.dirname, '../../../deploy');

/** A proxy with TLS, by the configuration in deploy/. */
export interface Proxy {
  /** Where people open the dashboard. */
  origin: string;
  /** The certificate that it shows, PEM. */
  certificate: string;
  stop(): Promise<void>;
}

/** A port for the proxy; its origin is PUBLIC_ORIGIN of the servers. */
export async function proxyOrigin(): Promise<string> {
  return `https://localhost:${await freePort()}`;
}

/** Starts it in front of servers on these ports. */
export async function startProxy(name: ProxyName, origin: string, ports: readonly number[]): Promise<Proxy> {
  const program = proxyProgram(name);
  if (program === undefined) throw new Error(`Install ${name} and openssl: apt-get install ${name} openssl`);
  const directory = mkdtempSync(join(inject('servers').directory, `${name}-`));
  const [pem, key] = [join(directory, 'cert.pem'), join(directory, 'cert.key')];
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'];
  const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2'];
  execFileSync('openssl', ['req', '-x509', ...kind, '-keyout', key, '-out', pem, ...subject], { stdio: 'pipe' });
  const { port } = new URL(origin);
  const own = name === 'nginx' ? nginxFiles(directory, port, ports) : caddyFiles(directory, origin, ports);
  const child = spawn(program, own.args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, HOME: directory, XDG_DATA_HOME: directory, XDG_CONFIG_HOME: directory },
  });
  const output: string[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part: Buffer) => output.push(part.toString()));
  const ended = once(child, 'exit');
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  await until(`${name} listens`, async () => {
    if (child.exitCode !== null) throw new Error(`${name}: ${output.join('')}`);
    return listens(Number(port));
  });
  return {
    origin,
    certificate: readFileSync(pem, 'utf8'),
    stop: async () => {
      process.off('exit', kill);
      child.kill('SIGTERM');
      await ended;
    },
  };
}

function nginxFiles(directory: string, port: string, ports: readonly number[]): { args: string[] } {
  const site = replaced('nginx.conf', [
    ['  server 127.0.0.1:4173;', ports.map((one) => `  server 127.0.0.1:${one};`).join('\n')],
    ['listen 443 ssl http2;', `listen 127.0.0.1:${port} ssl http2;`],
    ['server_name money.example;', 'server_name localhost;'],
    ['/etc/ssl/money.example.pem', join(directory, 'cert.pem')],
    ['/etc/ssl/money.example.key', join(directory, 'cert.key')],
  ]);
  const folders = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (what) => `${what}_temp_path ${join(directory, what)};`,
  );
  const main = join(directory, 'nginx.conf');
  const user = process.getuid?.() === 0 ? 'user root;' : '';
  writeFileSync(
    main,
    `daemon off; ${user} pid ${join(directory, 'pid')}; error_log stderr;
     events {} http { access_log off; ${folders.join(' ')} ${site} }`,
  );
  return { args: ['-p', directory, '-e', 'stderr', '-c', main] };
}

function caddyFiles(directory: string, origin: string, ports: readonly number[]): { args: string[] } {
  const site = replaced('Caddyfile', [
    ['money.example {', `${origin} {\n  tls ${join(directory, 'cert.pem')} ${join(directory, 'cert.key')}`],
    ['reverse_proxy 127.0.0.1:4173 {', `reverse_proxy ${ports.map((one) => `127.0.0.1:${one}`).join(' ')} {`],
  ]);
  const main = join(directory, 'Caddyfile');
  writeFileSync(main, `{\n  admin off\n  auto_https disable_redirects\n}\n${site}`);
  return { args: ['run', '--config', main, '--adapter', 'caddyfile'] };
}

/** A file of deploy/ for this test; throws if a line that it changes isn't there. */
function replaced(file: string, changes: readonly [from: string, to: string][]): string {
  let text = readFileSync(join(DEPLOY, file), 'utf8');
  for (const [from, to] of changes) {
    if (!text.includes(from)) throw new Error(`deploy/${file} has no “${from}”.`);
    text = text.replace(from, to);
  }
  return text;
}

function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(true));
    socket.on('error', () => resolve(false)).on('connect', () => socket.destroy());
  });
}
