import { describe, expect, test } from 'vitest';
import { createCookies } from './requestSession.ts';

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

  test('include the port that browsers see, so that two origins on one host don’t share cookies', () => {
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
