import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { freePort } from '#src/tests/process/program.ts';
import { until } from './until.ts';

const ROOT = join(import.meta.dirname, '../../..');
const ORIGIN = 'https://money.example';

/** The instructions of deploy/Dockerfile, stage by stage. No image can be built in this test. */
function stages(): { word: string; rest: string }[][] {
  const lines = readFileSync(join(ROOT, 'deploy/Dockerfile'), 'utf8').split('\n');
  const instructions = lines.flatMap((line) => {
    const [, word, rest] = /^([A-Z]+) (.+)$/.exec(line) ?? [];
    return word === undefined || rest === undefined ? [] : [{ word, rest }];
  });
  const starts = instructions.flatMap(({ word }, at) => (word === 'FROM' ? [at] : []));
  return starts.map((at, index) => instructions.slice(at + 1, starts[index + 1]));
}

/** An unprivileged user, where the test runs as root; `runuser` sets HOME to that user's. */
const asUser = (home: string) =>
  process.getuid?.() === 0 ? ['runuser', '-u', 'nobody', '--', 'env', `HOME=${home}`] : [];

test('the Dockerfile’s RUN and CMD lines build and start the server in an empty folder', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'countinghouse-image-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const [build, run] = ['build', 'run'].map((name) => join(directory, name));
  const [building = [], running = []] = stages();
  if (build === undefined || run === undefined) throw new Error('unreachable');
  const kept = readFileSync(join(ROOT, 'deploy/Dockerfile.dockerignore'), 'utf8').match(/(?<=^!).+/gm) ?? [];
  const files = execFileSync('git', ['ls-files'], { cwd: ROOT, encoding: 'utf8' })
    .trim()
    .split('\n')
    .filter((file) => kept.some((name) => file === name || file.startsWith(`${name}/`)));
  for (const file of files) cpSync(join(ROOT, file), join(build, file), { recursive: true });
  const env = { PATH: process.env['PATH'] ?? '', HOME: directory };
  if (asUser(directory).length > 0) execFileSync('chown', ['-R', 'nobody', directory]);
  const shell = (cwd: string, line: string) => {
    const [program, ...rest] = [...asUser(directory), 'sh', '-c', line];
    execFileSync(program, rest, { cwd, env, stdio: 'pipe' });
  };
  for (const { word, rest } of building) if (word === 'RUN') shell(build, rest);

  for (const { word, rest } of running) {
    const [, from, to] = /^--from=build \/app\/(\S+) \.\/(\S*)$/.exec(rest) ?? [];
    if (word !== 'COPY' || from === undefined || to === undefined) continue;
    const target = to === '' ? join(run, from) : join(run, to);
    shell(directory, `mkdir -p ${dirname(target)} && cp -r ${join(build, from)} ${target}`);
  }
  const settings = running.flatMap(({ word, rest }) => (word === 'ENV' ? rest.split(' ') : []));
  const port = await freePort();
  const own = { PORT: String(port), PUBLIC_ORIGIN: ORIGIN, DATA_DIR: join(directory, 'data') };
  const variables = { ...env, ...Object.fromEntries(settings.map((pair) => pair.split('='))), ...own };
  expect(variables).toMatchObject({ NODE_ENV: 'production' });
  const command: string[] = JSON.parse(running.find(({ word }) => word === 'CMD')?.rest ?? '[]');
  const [program = '', ...rest] = [...asUser(directory), ...command];
  const server = spawn(program, rest, { cwd: run, env: variables, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [server.stdout, server.stderr]) stream.on('data', (part: Buffer) => (output += part.toString()));
  const ended = once(server, 'exit');
  await until('/readyz answers 200', async () => {
    if (server.exitCode !== null) throw new Error(output);
    return (await statusOf(port, '/readyz')) === 200;
  });
  expect(await statusOf(port, '/sign-in')).toBe(200);
  server.kill('SIGTERM');
  await ended;
});

function statusOf(port: number, path: string): Promise<number | null> {
  return new Promise((resolve) => {
    request({ port, path, headers: { Host: new URL(ORIGIN).host }, agent: false }, (answer) => {
      answer.resume();
      resolve(answer.statusCode ?? null);
    })
      .on('error', () => resolve(null))
      .end();
  });
}
