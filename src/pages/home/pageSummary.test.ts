import { expect, test } from 'vitest';
import { pollInterval } from './pollInterval.ts';
import { type Finding, summaryOf } from './pageSummary.ts';

const calm = (what: string): Finding => ({ what, state: 'whole', found: null });

test('nothing is said to need attention only when everything was read and complete', () => {
  const parts = ['deposits', 'withdrawals', 'balances'].map(calm);
  expect(summaryOf(parts)).toEqual({ tone: 'calm', text: 'Nothing needs attention.' });
  for (const state of ['reading', 'failed', 'partly'] as const)
    for (const at of parts.keys()) {
      const { tone, text } = summaryOf(parts.with(at, { ...calm('x'), state }));
      expect(tone).not.toBe('calm');
      expect(text).not.toContain('needs attention');
    }
});

test('what was found comes first, and what is not known in full is named', () => {
  const text = (...findings: Finding[]) => summaryOf(findings).text;
  expect(
    text(
      { what: 'deposits', state: 'whole', found: '3 deposits sit long' },
      { what: 'withdrawals', state: 'failed', found: null },
      { what: 'balances', state: 'partly', found: '1 balance does not add up' },
    ),
  ).toBe('3 deposits sit long and 1 balance does not add up. Not known in full: withdrawals and balances.');
  expect(text(calm('a'), { what: 'withdrawals', state: 'failed', found: null })).toBe(
    'Nothing was found. Not known in full: withdrawals.',
  );
});

test('it is read again the later the more it costs', () => {
  expect(pollInterval(1, false)).toBe(60_000);
  expect(pollInterval(7, false)).toBe(240_000);
  expect(pollInterval(1, true)).toBe(240_000);
});
