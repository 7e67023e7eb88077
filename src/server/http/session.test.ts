import { describe, expect, test } from 'vitest';
import { createCookies } from './requestSession.ts';
import { createSessions, IDLE_SECONDS, LONGEST_SECONDS } from './session.ts';

const KEY = new Uint8Array(32).fill(1);
const WHO = {
  key: 'sk_secret',
  account: 'a'.repeat(32),
  sandbox: 'acct_1',
  name: 'Ann',
  journalOnly: false,
};

function clock() {
  let at = 1_800_000_000_000;
  return { now: () => at, pass: (seconds: number) => (at += seconds * 1000) };
}

describe('a sealed session', () => {
  test('holds what it was given and shows none of it', async () => {
    const sessions = createSessions(KEY, 'sandbox', Date.now);
    const sealed = await sessions.start(WHO);
    expect(await sessions.open(sealed)).toMatchObject(WHO);
    expect(Buffer.from(sealed, 'base64url').toString('latin1')).not.toContain('sk_secret');
    expect(sealed).not.toContain('sk_secret');
  });

  test('opens under its own secret and service only, and not when changed', async () => {
    const sessions = createSessions(KEY, 'sandbox', Date.now);
    const sealed = await sessions.start(WHO);
    expect(await createSessions(new Uint8Array(32).fill(2), 'sandbox', Date.now).open(sealed)).toBeNull();
    expect(await createSessions(KEY, 'https://pay.example', Date.now).open(sealed)).toBeNull();
    expect(await sessions.open(`${sealed.slice(0, -3)}AAA`)).toBeNull();
    expect(await sessions.open('')).toBeNull();
  });

  test('ends after 30 idle minutes, which use pushes on, and after 12 hours whatever happens', async () => {
    const time = clock();
    const sessions = createSessions(KEY, 'sandbox', time.now);
    let sealed = await sessions.start(WHO);
    time.pass(IDLE_SECONDS - 1);
    const used = await sessions.open(sealed);
    sealed = (used && (await sessions.renew(used))) ?? '';
    time.pass(IDLE_SECONDS - 1);
    expect(await sessions.open(sealed)).not.toBeNull();
    time.pass(1);
    expect(await sessions.open(sealed)).toBeNull();

    sealed = await sessions.start(WHO);
    for (let passed = 0; passed < LONGEST_SECONDS - 600; passed += 600) {
      time.pass(600);
      const session = await sessions.open(sealed);
      sealed = (session && (await sessions.renew(session))) ?? '';
    }
    expect(await sessions.open(sealed)).not.toBeNull();
    time.pass(600);
    expect(await sessions.open(sealed)).toBeNull();
  });

  test('is sealed again once a minute at most, and not after its end', async () => {
    const time = clock();
    const sessions = createSessions(KEY, 'sandbox', time.now);
    const sealed = await sessions.start(WHO);
    const session = await sessions.open(sealed);
    if (!session) throw new Error('no session');
    time.pass(59);
    expect(await sessions.renew(session)).toBeNull();
    time.pass(1);
    const late = await sessions.renew(session);
    expect(late).not.toBeNull();
    sessions.end(session);
    expect(await sessions.open(sealed)).toBeNull();
    // A response under way during the sign-out doesn't restore the session.
    expect(await sessions.open(late ?? '')).toBeNull();
    expect(await sessions.renew(session)).toBeNull();
  });
});

describe('cookie names', () => {
  const secure = '__Host-countinghouse-probe-4173=1';
  const plain = 'countinghouse-probe-4173=1';
  const local = createCookies('http://127.0.0.1:4173');

  test('are __Host- and Secure unless this browser kept the plain probe alone', () => {
    expect(local.nameFor(undefined)).toBe('__Host-countinghouse-4173');
    expect(local.nameFor(`${secure}; ${plain}`)).toBe('__Host-countinghouse-4173');
    expect(local.nameFor(plain)).toBe('countinghouse-4173');
    expect(createCookies('https://money.example').nameFor(plain)).toBe('__Host-countinghouse-443');
  });

  test('decide the attributes, and only https skips the probes', () => {
    expect(local.set('__Host-countinghouse-4173', 'x')).toBe(
      '__Host-countinghouse-4173=x; HttpOnly; SameSite=Strict; Path=/; Secure',
    );
    expect(local.set('countinghouse-4173', 'x')).toBe('countinghouse-4173=x; HttpOnly; SameSite=Strict; Path=/');
    expect(local.probes()).toHaveLength(2);
    expect(createCookies('https://money.example').probes()).toEqual([]);
  });

  test('are named by the port that browsers see, so that two origins on one host keep apart', () => {
    const cookies = createCookies('https://money.example:8443');
    const other = createCookies('https://money.example');
    expect(cookies.clear()).not.toEqual(other.clear());
    const [mark] = cookies.setJournal('__Host-x', 'jnl 1').split(';');
    expect([cookies.journal(mark), other.journal(mark)]).toEqual([['jnl 1'], []]);
  });

  test('a journal mark planted by another port hides none that this server set', () => {
    const [secure] = local.setJournal('__Host-x', 'jnl 1').split(';');
    const [plain] = local.setJournal('x', 'jnl 2').split(';');
    const planted = 'countinghouse-journal-4173=x%201';
    expect(local.journal(`${planted}; a=b; ${secure}; ${plain}`)).toEqual(['jnl 1', 'x 1', 'jnl 2']);
    expect(local.journal(`${planted}; `.repeat(20))).toHaveLength(8);
  });

  test('are both cleared', () => {
    expect(local.clear()).toEqual([
      '__Host-countinghouse-4173=; HttpOnly; SameSite=Strict; Path=/; Secure; Max-Age=0',
      'countinghouse-4173=; HttpOnly; SameSite=Strict; Path=/; Max-Age=0',
    ]);
  });
});
