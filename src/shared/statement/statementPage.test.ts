import { expect, test } from 'vitest';
import { type StatementFacts, statementPage } from './statementPage.ts';

const HASH = 'ab'.repeat(32);
const files = [{ name: 'journal.csv', rows: 2, bytes: 12_345, sha256: HASH }];
const sum = {
  asset: 'USDT',
  opening: '1000.5',
  deposits: '12345.678901234567890123',
  withdrawals: '-2',
  fees: '0',
  swaps: '3',
  other: '-1',
  adjustments: '0.000',
  closing: '13346.178901234567890123',
  since: '0',
  balance: '1',
  difference: '0',
  verdict: 'agrees' as const,
};
const facts: StatementFacts = {
  label: null,
  account: 'a1',
  service: 'https://pay.example.com',
  period: 'October 2026, UTC',
  number: 1,
  from: Date.UTC(2026, 9, 1) / 1000,
  to: Date.UTC(2026, 10, 1) / 1000,
  zone: 'utc',
  asOf: Date.UTC(2026, 10, 2) / 1000,
  closedBy: 'Mira',
  sums: [sum],
  totals: [],
  adjustments: [],
};
const textOf = (of: Partial<StatementFacts>) =>
  statementPage({ ...facts, ...of }, files)
    .replace(/<style>.*<\/style>/s, '')
    .replaceAll('<wbr>', '')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ');

test('the page names the period, the account and the person, and has every digit and hash', () => {
  const text = textOf({});
  for (const part of ['Statement 1: October 2026, UTC', 'a1', 'https://pay.example.com', 'Closed by Mira', HASH])
    expect(text).toContain(part);
  expect(text).toContain('2026-10-01 00:00:00 to 2026-10-31 23:59:59, UTC');
  expect(text).toContain(
    'USDT 1,000.5 12,345.678901234567890123 −2 0 2 0 13,346.178901234567890123 Agrees with the balance',
  );
  expect(text).toContain('journal.csv 12,345');
});

test('the page shows a difference, a missing name and the account’s label', () => {
  expect(textOf({ sums: [{ ...sum, difference: '-4', verdict: 'unexplained' }] })).toContain(
    'Difference −4, unexplained',
  );
  expect(textOf({ sums: [{ ...sum, difference: null, verdict: null }] })).toContain('Not compared with a balance');
  expect(textOf({ closedBy: null, label: 'Acme EU' })).toMatch(/Acme EU \(a1\).*Closed by no name given/);
});

test('the page lists adjustments up to its limit', () => {
  const late = {
    what: 'late' as const,
    noun: 'deposit',
    was: null,
    status: 'completed',
    asset: 'BTC',
    amount: '7',
    at: 0,
  };
  const text = textOf({ adjustments: Array.from({ length: 15 }, (_, at) => ({ ...late, id: `dep_${at}` })) });
  expect(text).toContain('deposit dep_0, 1970-01-01T00:00:00Z, 7 BTC: not in an earlier statement');
  expect(text).toContain('And 3 more in evidence/adjustments.csv.');
  const changed = { ...late, what: 'changed' as const, id: 'dep_1', was: 'pending', at: null };
  expect(textOf({ adjustments: [changed] })).toContain('deposit dep_1, 7 BTC: was pending, now completed');
});

test('without a ledger there are totals by status, and no comparison', () => {
  const total = { list: 'deposits' as const, asset: null, status: null, rows: 1200, sum: '5', unreadable: 2 };
  expect(textOf({ sums: null, totals: [total] })).toMatch(
    /As of 2026-11-02T00:00:00Z.*offers no ledger.*no asset deposits no status 1,200 \(2 without an amount\) 5/,
  );
  expect(textOf({ sums: null, totals: [total] })).not.toContain('opening plus');
  expect(textOf({})).toContain('opening plus the movements is closing');
});

test('the page runs and loads nothing, whatever the service and people wrote', () => {
  const evil = `"'><script>alert(1)</script><img src=x onerror=alert(1)>&\u202E`;
  const adjustment = { what: 'changed' as const, noun: 'deposit', id: evil, was: evil, status: evil, asset: evil };
  const page = statementPage(
    {
      ...facts,
      label: evil,
      account: evil,
      service: evil,
      period: evil,
      closedBy: evil,
      sums: [{ ...sum, asset: evil }],
      adjustments: [{ ...adjustment, amount: evil, at: null }],
    },
    [{ name: evil, rows: 1, bytes: 1, sha256: HASH }],
  );
  expect(page).not.toMatch(
    /<(?:script|img|link|iframe|object)|onerror=(?!alert\(1\)&gt;)|\u202E|url\(|@import|https?:/,
  );
  expect(page.match(/&lt;script&gt;/g)?.length).toBeGreaterThan(10);
  expect(page).toContain(`content="default-src 'none'; style-src 'unsafe-inline'"`);
  const totals = [{ list: 'deposits' as const, asset: evil, status: evil, rows: 1, sum: '5', unreadable: 0 }];
  expect(statementPage({ ...facts, sums: null, totals }, [])).not.toContain('<script');
});
