import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RequestRecord } from '#src/web/api/requestLog.ts';
import { curlOf, singleQuoted } from './curl.ts';
import { propertyRuns } from '#src/tests/depth.ts';

const HOSTILE = [
  `'; touch pwned; '`,
  `$(touch pwned)`,
  '`touch pwned`',
  '\ntouch pwned\n',
  '\rtouch pwned\r',
  '\u2028touch pwned\u0085touch pwned',
  `" ; touch pwned ; "`,
  `\\'; touch pwned #`,
  `$API_KEY $'\\x27' !! !touch ^a^b`,
  '{a,b}[1-9]*?~ =touch %25 &touch pwned& |touch pwned>pwned <(touch pwned)',
  '\u0000\u001b[201~touch pwned\u0007\ud800',
];

function get(path: string): RequestRecord {
  return {
    call: 1,
    attempt: 'a1',
    at: Date.UTC(2026, 10, 21),
    method: 'GET',
    path,
    key: null,
    headers: [['Accept', 'application/json']],
    body: null,
    outcome: 'answer',
    ms: 12,
    status: 200,
    requestId: 'req_1',
    replayed: false,
    answer: null,
  };
}

let place: string;
beforeAll(() => {
  place = mkdtempSync(join(tmpdir(), 'countinghouse-shell-'));
});
afterAll(() => rmSync(place, { recursive: true, force: true }));

/** Runs a script in an empty folder and returns its output; fails the test if the script created a file. */
function run(shell: string, script: string, env: Record<string, string> = {}): string {
  const printed = execFileSync(shell, ['-c', script], { cwd: place, env, encoding: 'utf8', stdio: 'pipe' });
  expect(readdirSync(place)).toEqual([]);
  return printed;
}

/** The arguments that curl would get. */
function argumentsOf(line: string, env: Record<string, string>): string[] {
  return run('sh', `curl() { for each; do printf '%s\\n' "$each"; done; }\n${line}\n`, env).split('\n').slice(0, -1);
}

describe('a read as cURL', () => {
  const SECRET = `sk_1 "quoted' $(touch pwned)`;

  test('is one line with the key from the environment, to the service as the session names it', () => {
    const line = curlOf(get('/v1/deposits?limit=50&status=a%20b'), 'https://pay.example.com/base');
    expect(line).toBe(
      `curl --globoff --include --header "x-api-key: $API_KEY" --header 'Accept: application/json' --url 'https://pay.example.com/base/v1/deposits?limit=50&status=a%20b'`,
    );
    expect(argumentsOf(line, { API_KEY: SECRET })).toEqual([
      '--globoff',
      '--include',
      '--header',
      `x-api-key: ${SECRET}`,
      '--header',
      'Accept: application/json',
      '--url',
      'https://pay.example.com/base/v1/deposits?limit=50&status=a%20b',
    ]);
  });

  test('has a variable for the address of the sandbox, which no page knows', () => {
    const line = curlOf(get('/v1/balances'), 'sandbox');
    expect(line).toContain(`--url "$BASE_URL"'/v1/balances'`);
    expect(argumentsOf(line, { BASE_URL: 'http://127.0.0.1:1' }).at(-1)).toBe('http://127.0.0.1:1/v1/balances');
  });

  test.each(HOSTILE)('passes %j on unchanged, and runs none of it', (text) => {
    for (const service of ['sandbox', `https://pay.example.com/${text}`]) {
      const line = curlOf(get(`/v1/balances/${text}`), service);
      expect(line).toMatch(/^[\x20-\x7e]+$/);
      const url = argumentsOf(line, { API_KEY: 'k', BASE_URL: 'b' }).at(-1);
      expect(url).toContain('/v1/balances/');
    }
  });

  test('any text in single quotes is one word', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom("'", '\\', '$', '`', '"', ' ', ';', 'a') }), (text) => {
        expect(run('sh', `printf %s ${singleQuoted(text)}`)).toBe(text);
      }),
      { numRuns: propertyRuns(10) },
    );
  });
});
