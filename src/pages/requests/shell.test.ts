import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { keepText } from '#src/api/keptText.ts';
import type { RequestRecord } from '#src/api/requestLog.ts';
import { curlOf, singleQuoted } from './curl.ts';
import { textRecord } from './textRecord.ts';

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

function post(body: string, key = 'k1', response = body): RequestRecord {
  const answer = { gatewayError: null, retryAfter: null, date: null, contentType: null, complete: true, error: null };
  return {
    ...get('/v1/withdrawals'),
    method: 'POST',
    key,
    headers: [
      ['Accept', 'application/json'],
      ['Content-Type', 'application/json'],
      ['Idempotency-Key', key],
    ],
    body: keepText(body),
    answer: { ...answer, body: keepText(response) },
  };
}

let place: string;
beforeAll(() => {
  place = mkdtempSync(join(tmpdir(), 'countinghouse-shell-'));
});
afterAll(() => rmSync(place, { recursive: true, force: true }));

/** Runs a script in an empty folder and says what it printed, and fails the test if it left anything there. */
function run(shell: string, script: string, env: Record<string, string> = {}): string {
  const printed = execFileSync(shell, ['-c', script], { cwd: place, env, encoding: 'utf8', stdio: 'pipe' });
  expect(readdirSync(place)).toEqual([]);
  return printed;
}

/** What curl itself would be given. */
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

  test('has a place for the address of the sandbox, which no page knows', () => {
    const line = curlOf(get('/v1/balances'), 'sandbox');
    expect(line).toContain(`--url "$BASE_URL"'/v1/balances'`);
    expect(argumentsOf(line, { BASE_URL: 'http://127.0.0.1:1' }).at(-1)).toBe('http://127.0.0.1:1/v1/balances');
  });

  test.each(HOSTILE)('carries %j as it is, and runs none of it', (text) => {
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
      { numRuns: 30 },
    );
  });
});

describe('a POST as a record', () => {
  const body = '{"asset":"BTC","amount":"1.50","address":"bc1q'.concat('x"}');

  test('says what was sent and what came, every line a comment', () => {
    expect(textRecord(post(body, 'k-1', '{"id":"wd_1"}'))).toBe(
      [
        '# A record of one request, to be read. It is no command.',
        '# POST /v1/withdrawals',
        '# Started 2026-11-21T00:00:00.000Z, 200, 12 ms',
        '# Accept: application/json',
        '# Content-Type: application/json',
        '# Idempotency-Key: k-1',
        '# Body, as JSON, 49 of 49 characters:',
        `# ${body}`,
        '# Request-Id: req_1',
        '# Idempotency-Replayed: no',
        '# Response, as JSON, 13 of 13 characters:',
        '# {"id":"wd_1"}',
        '',
      ].join('\n'),
    );
  });

  test.each(HOSTILE)('with %j in it runs nothing, in a shell without comments either', (text) => {
    const records = [post(text), post(JSON.stringify({ [text]: text }, null, 2), text), post(`<p>${text}</p>`)];
    for (const record of records) {
      const lines = textRecord(record);
      for (const line of lines.split('\n').slice(0, -1)) expect(line).toMatch(/^# \P{C}*$/u);
      for (const shell of ['sh', 'bash']) {
        expect(run(shell, lines)).toBe('');
        // As interactive zsh reads it: "#" is then a command like any other, here one that does nothing.
        const bare = lines.replace(/^#/gm, 'nothing');
        expect(run(shell, `nothing() { :; }\ncommand_not_found_handle() { echo "ran $1"; }\n${bare}`)).toBe('');
      }
    }
  });

  test('JSON in it is the same JSON', () => {
    fc.assert(
      fc.property(fc.json(), (json) => {
        const line = textRecord(post(json)).split('\n')[7] ?? '';
        expect(JSON.parse(line.slice(2))).toEqual(JSON.parse(json));
      }),
    );
  });
});
