import { renderToStaticMarkup } from 'react-dom/server';
import { MemoryRouter } from 'react-router';
import { expect, test } from 'vitest';
import type { CheckNote } from '#src/operations/outcomes.ts';
import type { OperationRecord } from '#src/operations/record.ts';
import { answerWords, mayHaveLeft } from '#src/operations/attemptWords.ts';
import { Checks } from './Checks.tsx';
import { evidenceText } from './evidence.ts';
import { Known } from './Known.tsx';
import { type Standing, verdictOf } from './verdict.ts';
import { attempt, check, record } from './testRecords.ts';

const HOUR = 3600;
const view = { expired: false, serviceNow: 1_795_000_060, checkOnly: false, waiting: false, asleepUntil: null };
const early: Standing = view;
const late: Standing = { ...view, expired: true, serviceNow: record.firstSentAt + 24 * HOUR };
const KINDS = ['withdrawal', 'deposit-address', 'charge', 'webhook-replay'] as const;
const REASONS = ['no-answer', 'signed-out', 'stored-failure', 'key-conflict', 'mismatch'] as const;

test('a web page in the place of the answer is said to be no answer of the service', () => {
  expect(answerWords(record, attempt)).toBe('502, a web page, not from the service');
  expect(verdictOf(record, early).meaning).toContain('not the payment service');
});

test('only a contradicted payment alarms; nothing unconfirmed claims to be sent, paid or refused', () => {
  for (const reason of ['no-answer', 'signed-out', 'stored-failure', 'key-conflict'] as const) {
    const { tone, chip, fact } = verdictOf({ ...record, reason }, early);
    expect([tone, chip]).toEqual(['open', 'Unconfirmed']);
    expect(fact).not.toMatch(/\b(accepted|paid|refused|failed to send)\b/i);
  }
  expect(verdictOf({ ...record, reason: 'mismatch' }, early).tone).toBe('alarm');
});

test('past 23 hours it says check only, whatever the reason; a ready one can only be discarded', () => {
  expect(verdictOf(record, late).meaning).toContain('check only');
  expect(verdictOf({ ...record, state: 'ready' }, late).meaning).toContain('only be discarded');
});

test('what the gateway did not forward is said so, and claims nothing of earlier attempts', () => {
  const kept = {
    ...attempt,
    outcome: 'not-forwarded',
    status: 403,
    gatewayError: 'read-only',
    contentType: null,
  } as const;
  expect(verdictOf({ ...record, attempts: [attempt, kept] }, early).meaning).toContain('read-only');
});

test('what never left the browser is nowhere said to be sent', () => {
  const kept = { ...attempt, outcome: 'not-forwarded', gatewayError: 'session' } as const;
  expect(mayHaveLeft({ ...record, attempts: [kept] })).toBe(false);
  expect(mayHaveLeft({ ...record, attempts: [{ ...attempt, outcome: null }, kept] })).toBe(true);
  expect(evidenceText({ ...record, state: 'ready', attempts: [kept] }, [])).toContain('Recorded, not sent');
});

test('a request id of the gateway’s own is not taken for the service’s', () => {
  const known = (gatewayError: string | null) =>
    renderToStaticMarkup(
      <Known record={{ ...record, attempts: [{ ...attempt, requestId: 'req_1', gatewayError }] }} view={view} />,
    );
  expect(known('upstream')).toContain('Whether the service received any attempt');
  expect(known(null)).toContain('Whether the service carried out any attempt');
});

test('every reason of every kind has words of its own, before and after 23 hours', () => {
  for (const kind of KINDS) {
    const facts = REASONS.map((reason) => verdictOf({ ...record, kind, reason }, early).fact);
    expect(new Set(facts).size).toBe(REASONS.length);
    const old = REASONS.filter((reason) => reason !== 'mismatch').map((reason) =>
      verdictOf({ ...record, kind, reason }, late),
    );
    for (const { fact, meaning } of old) {
      expect(meaning).toContain('23 hours have passed');
      expect(fact).not.toMatch(/\b(accepted by|paid)\b/i);
    }
  }
});

test('other kinds than withdrawals are never called one', () => {
  const states = ['ready', 'sending', 'unconfirmed', 'succeeded', 'refused', 'not-sent', 'closed'] as const;
  for (const kind of KINDS.slice(1)) {
    for (const state of states) {
      const { chip, fact, meaning } = verdictOf({ ...record, kind, state }, late);
      expect(`${chip} ${fact} ${meaning}`).not.toMatch(/withdrawal|payment(?! service)|\bpaid\b|tx/i);
    }
    const shown = renderToStaticMarkup(<Known record={{ ...record, kind }} view={view} />);
    expect(shown).not.toMatch(/withdrawal|pay /i);
  }
});

test('past 26 hours absence is named as proof, for withdrawals without an id alone', () => {
  const old = { ...view, expired: true, serviceNow: record.firstSentAt + 26 * HOUR };
  expect(verdictOf(record, old).meaning).toContain('proves that it was not sent');
  expect(verdictOf(record, late).meaning).not.toContain('proves');
  expect(verdictOf({ ...record, kind: 'charge' }, old).meaning).toContain('close it by hand');
  const next = (of: OperationRecord) => renderToStaticMarkup(<Known record={of} view={old} />);
  expect(next(record)).toContain('confirmed as not sent');
  const named = { ...record, attempts: [{ ...attempt, resultId: 'wd_1' }] };
  expect(next(named)).toContain('Absence from a list proves nothing here');
  expect(next(named)).not.toContain('confirmed as not sent');
});

test('a check that found nothing is worth something only late, whole and without look-alikes', () => {
  const hour26 = record.firstSentAt + 26 * HOUR;
  const proof = { ...check, lookAlikes: [], date: hour26 };
  const said = (of: CheckNote, by = record) =>
    renderToStaticMarkup(
      <MemoryRouter>
        <Checks record={by} checks={[of]} />
      </MemoryRouter>,
    );
  expect(said(proof)).toContain('Not in the service’s complete list, more than 26 hours');
  expect(said({ ...proof, complete: false })).toContain('Only the complete list would be proof');
  const named = { ...record, attempts: [{ ...attempt, resultId: 'wd_1' }] };
  for (const shown of [said({ ...proof, date: hour26 - 1 }), said({ ...check, date: hour26 }), said(proof, named)]) {
    expect(shown).toContain('Absence is not proof.');
  }
});

test('another key of the account is told that it can only check', () => {
  expect(verdictOf({ ...record, state: 'ready' }, { ...early, checkOnly: true }).meaning).toContain('only discard it');
  expect(renderToStaticMarkup(<Known record={record} view={{ ...view, checkOnly: true }} />)).toContain(
    'Signed in with the key that recorded it',
  );
});

test('an operation ended by a person says how, and claims no more', () => {
  const absent = { by: 'absence', words: 'not sent', at: 1_795_100_000_000, requestId: 'req_9' } as const;
  expect(verdictOf({ ...record, state: 'not-sent', ending: absent }, late).fact).toContain('complete list');
  const discarded = { by: 'discard', words: '', at: 1_795_000_001_000, requestId: null } as const;
  expect(verdictOf({ ...record, state: 'not-sent', ending: discarded }, late).fact).toContain('discarded');
  const { chip, meaning } = verdictOf({ ...record, state: 'closed' }, late);
  expect(chip).toBe('Closed by hand, outcome not proven here');
  expect(meaning).toContain('not proven here');
});
