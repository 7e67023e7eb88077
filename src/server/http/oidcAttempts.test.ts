import { expect, test } from 'vitest';
import { createCookies } from './requestSession.ts';
import { createOidcAttempts } from './oidcAttempts.ts';

test('ten thousand junk attempts don’t block a sign-in', () => {
  const cookies = createCookies('https://money.example');
  const attempts = createOidcAttempts(cookies, Buffer.alloc(32, 7), () => 1_000);
  function use(state: string): boolean {
    const attempt = {
      state: state.padEnd(43, 'x'),
      nonce: 'n',
      verifier: 'v',
      startedAt: 1_000,
      next: '/',
      invite: null,
    };
    const lines = attempts.begin(undefined, attempt);
    const header = lines.map((line) => line.split(';')[0]).join('; ');
    return attempts.take(header, attempt.state) !== null && attempts.take(header, attempt.state) === null;
  }
  for (let made = 0; made < 10_000; made += 1) expect(use(`junk-${made}`)).toBe(true);
  expect(use('person')).toBe(true);
});
