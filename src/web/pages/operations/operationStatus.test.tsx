import { renderToStaticMarkup } from 'react-dom/server';
import { MemoryRouter } from 'react-router';
import { expect, test } from 'vitest';
import type { CheckNote } from '#src/shared/contract/gatewayContract.ts';
import { ApiError } from '#src/web/api/errors.ts';
import { OperationError, actionErrorMessage } from '#src/web/api/operations/operations.ts';
import { checkNote, testView } from '#src/web/api/operations/testViews.ts';
import { answerWords, mayHaveLeft } from '#src/shared/operations/attemptWords.ts';
import { COMPARED } from '#src/shared/operations/kind.ts';
import type { Operation } from '#src/shared/operations/record.ts';
import { KIND } from '#src/shared/operations/kinds.ts';
import { OPERATION_STATES } from '#src/shared/operations/states.ts';
import { attemptNote, testOperation } from '#src/shared/operations/testRecords.ts';
import { Checks } from './AttemptList.tsx';
import { evidenceText } from '#src/shared/operations/evidenceFiles.ts';
import { UnconfirmedFacts } from './UnconfirmedFacts.tsx';
import { type OperationTiming, operationStatus } from '#src/shared/operations/operationStatus.ts';

const HOUR = 3600;
const view = testView();
const early: OperationTiming = view;
const after = (hours: number) => ({
  expired: true,
  now: testOperation.firstSent.server + hours * HOUR * 1000,
  databaseNow: testOperation.firstSent.database + hours * HOUR * 1000,
  serviceNow: testOperation.firstSent.service + hours * HOUR,
});
const late: OperationTiming = { ...view, ...after(24) };
const KINDS = ['withdrawal', 'deposit-address', 'charge', 'webhook-replay'] as const;
const REASONS = ['no-answer', 'signed-out', 'stored-failure', 'key-conflict', 'mismatch'] as const;

test('a web page instead of a response is named as not coming from the provider', () => {
  expect(answerWords(testOperation, attemptNote)).toBe('502, a web page, not from the provider');
  expect(operationStatus(testOperation, early).meaning).toContain('not the payment provider');
  const signIn = operationStatus(
    { ...testOperation, reason: 'signed-out', attempts: [{ ...attemptNote, status: 401 }] },
    early,
  );
  expect(signIn.fact).toContain('A web page came back');
  expect(`${signIn.fact} ${signIn.meaning}`).not.toContain('key');
});

test('only a contradicted payment alarms; nothing unconfirmed claims to be sent, paid or refused', () => {
  for (const reason of ['no-answer', 'signed-out', 'stored-failure', 'key-conflict'] as const) {
    const { tone, chip, fact } = operationStatus({ ...testOperation, reason }, early);
    expect([tone, chip]).toEqual(['open', 'Unconfirmed']);
    expect(fact).not.toMatch(/\b(accepted|paid|refused|failed to send)\b/i);
  }
  expect(operationStatus({ ...testOperation, reason: 'mismatch' }, early).tone).toBe('alarm');
});

test('after 23 hours an unconfirmed operation can only be checked, a ready one only discarded', () => {
  expect(operationStatus(testOperation, late).meaning).toContain('check only');
  expect(operationStatus({ ...testOperation, state: 'ready' }, late).meaning).toContain('only be discarded');
});

test('an attempt that was not made is named as such and says nothing about earlier ones', () => {
  const notMade = { ...attemptNote, outcome: 'not-made', status: null, lost: 'network', contentType: null } as const;
  const { meaning } = operationStatus({ ...testOperation, attempts: [attemptNote, notMade] }, early);
  expect(meaning).toContain('The last attempt was not made');
  expect(meaning).toContain('Whether an earlier one was processed isn’t known.');
});

test('a request that never left the server is not called sent', () => {
  const notMade = { ...attemptNote, outcome: 'not-made', status: null } as const;
  expect(mayHaveLeft({ ...testOperation, attempts: [notMade] })).toBe(false);
  expect(mayHaveLeft({ ...testOperation, attempts: [{ ...attemptNote, outcome: null }, notMade] })).toBe(true);
  const ready = { ...testOperation, state: 'ready' as const, attempts: [notMade] };
  expect(evidenceText({ record: ready, checks: [], approved: [], service: 's', account: 'a' })).toContain(
    'Recorded, not sent',
  );
});

test('while a request is under way, its status is Sending', () => {
  for (const state of ['ready', 'unconfirmed'] as const) {
    const { chip, fact } = operationStatus({ ...testOperation, state }, { ...early, underWay: true });
    expect([chip, fact]).toEqual(['Sending', 'It is being sent.']);
  }
  expect(operationStatus(testOperation, { ...early, underWay: true, waiting: true }).chip).toBe('Unconfirmed');
  expect(operationStatus({ ...testOperation, state: 'succeeded' }, { ...early, underWay: true }).chip).toContain(
    'Accepted',
  );
});

test('an accepted withdrawal takes its tone from the payment’s status', () => {
  const accepted = {
    ...testOperation,
    state: 'succeeded' as const,
    result: {
      id: 'wd_1',
      text: '{"status":"pending"}',
      requestId: null,
      by: 'answer' as const,
      confirmed: [...COMPARED],
    },
  };
  const statusFor = (payment?: string | null) => operationStatus(accepted, early, { payment });
  expect(statusFor()).toMatchObject({ tone: 'motion', chip: 'Accepted by the provider' });
  expect(statusFor('under_review')).toMatchObject({ tone: 'motion', chip: 'under_review' });
  expect(statusFor('completed')).toMatchObject({ tone: 'proof', chip: 'Completed' });
  const failed = { tone: 'alarm', chip: 'Failed', fact: 'Failed.', meaning: '0.75 BTC is available again.' };
  expect(statusFor('failed')).toMatchObject(failed);
  expect(operationStatus(accepted, early, { payment: 'failed', amountsHidden: true }).meaning).not.toContain('0.75');
  const known = { ...accepted, result: { ...accepted.result, text: '{"status":"failed"}', by: 'check' as const } };
  expect(operationStatus(known, early)).toMatchObject(failed);
  // A status counts only if the result is confirmed to be this payment.
  const other = { ...known, result: { ...known.result, confirmed: ['asset' as const] } };
  expect(operationStatus(other, early)).toMatchObject({ tone: 'motion', chip: 'Accepted by the provider' });
  expect(operationStatus({ ...accepted, kind: 'charge' }, early).tone).toBe('proof');
});

test('a refusal’s code is shown as text: shortened, with control characters revealed', () => {
  const refusedWith = (errorCode: string) =>
    operationStatus(
      { ...testOperation, state: 'refused', attempts: [{ ...attemptNote, outcome: 'refused', errorCode }] },
      early,
    ).fact;
  expect(refusedWith('\u202eno')).toBe('The provider refused it: ⟨U+202E⟩no.');
  expect(refusedWith('x'.repeat(3_000)).length).toBeLessThan(120);
});

test.each([
  ['server', { now: testOperation.firstSent.server + 24 * HOUR * 1000 }],
  ['database', { databaseNow: testOperation.firstSent.database + 24 * HOUR * 1000 }],
])('a %s clock that disagrees is named, whether the provider’s was heard or not', (name, wrong) => {
  for (const serviceNow of [early.serviceNow, null]) {
    const young = { ...view, ...wrong, serviceNow, expired: true };
    const { fact, meaning } = operationStatus({ ...testOperation, state: 'unconfirmed', reason: 'no-answer' }, young);
    expect(fact).toMatch(/can’t be resent now\.$/);
    const words = `The clocks disagree: by the ${name}’s clock, more than 23 hours have passed since it was recorded`;
    expect(meaning).toContain(`${words}. `);
    expect(renderToStaticMarkup(<UnconfirmedFacts record={testOperation} view={young} />)).toContain(
      `${words}, so it can’t be resent`,
    );
  }
});

test('a refused action says that it was not done, and nothing about the payment', () => {
  const refused = new OperationError(
    new ApiError('It was sent meanwhile.', { kind: 'http', status: 409, code: 'moved_on' }),
    {},
  );
  expect(actionErrorMessage(refused)).toBe('That was not done. It was sent meanwhile.');
  const away = new ApiError('What became of this is not known.', { kind: 'http', status: 503, code: 'not_ready' });
  expect(actionErrorMessage(new OperationError(away, {}))).not.toContain('not done');
});

test('every reason of every kind has its own text, before and after 23 hours', () => {
  for (const kind of KINDS) {
    const facts = REASONS.map((reason) => operationStatus({ ...testOperation, kind, reason }, early).fact);
    expect(new Set(facts).size).toBe(REASONS.length);
    const old = REASONS.filter((reason) => reason !== 'mismatch').map((reason) =>
      operationStatus({ ...testOperation, kind, reason }, late),
    );
    for (const { fact, meaning } of old) {
      expect(meaning).toMatch(KIND[kind].isCompared ? /23 hours have passed/ : /^Too late to resend\./);
      expect(fact).not.toMatch(/\b(accepted by|paid)\b/i);
    }
  }
});

test('other kinds are never called withdrawals or payments', () => {
  const states = OPERATION_STATES;
  for (const kind of KINDS.slice(1)) {
    for (const state of states) {
      const { chip, fact, meaning } = operationStatus({ ...testOperation, kind, state }, late);
      expect(`${chip} ${fact} ${meaning}`).not.toMatch(/withdrawal|payment(?! provider)|\bpaid\b|tx/i);
    }
    const html = renderToStaticMarkup(<UnconfirmedFacts record={{ ...testOperation, kind }} view={view} />);
    expect(html).not.toMatch(/withdrawal|pay /i);
  }
});

test('after 26 hours absence is proof, but only for a withdrawal without an id', () => {
  const old = { ...view, ...after(26) };
  expect(operationStatus(testOperation, old).meaning).toContain('proves that it was not sent');
  expect(operationStatus(testOperation, late).meaning).not.toContain('proves');
  expect(operationStatus({ ...testOperation, kind: 'charge' }, old).meaning).toContain('close it manually');
  const next = (of: Operation) => renderToStaticMarkup(<UnconfirmedFacts record={of} view={old} />);
  expect(next(testOperation)).toContain('confirmed as not sent');
  const named = { ...testOperation, attempts: [{ ...attemptNote, resultId: 'wd_1' }] };
  expect(next(named)).toContain('Absence from a list proves nothing here');
  expect(next(named)).not.toContain('confirmed as not sent');
});

test('an empty check is proof only if it is late, complete and without look-alikes', () => {
  const hour26 = testOperation.firstSent.service + 26 * HOUR;
  const proof = { ...checkNote, lookAlikes: [], date: hour26 };
  const checkHtml = (of: CheckNote, by: Operation = testOperation) =>
    renderToStaticMarkup(
      <MemoryRouter>
        <Checks view={{ ...view, operation: by, checks: [of] }} />
      </MemoryRouter>,
    );
  expect(checkHtml(proof)).toContain('Not in the provider’s complete list, more than 26 hours');
  expect(checkHtml({ ...proof, complete: false })).toContain('Only the complete list would be proof');
  // A possible match is in the list.
  const alike = checkHtml({ ...checkNote, date: hour26 });
  expect(alike).toContain('Possible match');
  expect(alike.replaceAll(/<[^>]*>/g, '')).toMatch(/\d BTC, /);
  expect(alike).not.toContain('Not in the provider’s list');
  const named = { ...testOperation, attempts: [{ ...attemptNote, resultId: 'wd_1' }] };
  for (const html of [checkHtml({ ...proof, date: hour26 - 1 }), checkHtml(proof, named)]) {
    expect(html).toContain('absence is not proof.');
  }
});

test('another API key of the account can only check or discard', () => {
  expect(operationStatus({ ...testOperation, state: 'ready' }, { ...early, checkOnly: true }).meaning).toContain(
    'only discard it',
  );
  expect(
    renderToStaticMarkup(<UnconfirmedFacts record={testOperation} view={{ ...view, checkOnly: true }} />),
  ).toContain('Signed in with the key that recorded it');
});

test('an operation ended by a person says how it was ended, and claims nothing else', () => {
  const absent = {
    by: 'absence',
    words: 'not sent',
    who: null,
    person: null,
    at: 1_795_100_000_000,
    requestId: 'req_9',
  } as const;
  expect(operationStatus({ ...testOperation, state: 'not-sent', ending: absent }, late).fact).toContain(
    'complete list',
  );
  const discarded = {
    by: 'discard',
    words: '',
    who: null,
    person: null,
    at: 1_795_000_001_000,
    requestId: null,
  } as const;
  expect(operationStatus({ ...testOperation, state: 'not-sent', ending: discarded }, late).fact).toContain('discarded');
  const { chip, meaning } = operationStatus({ ...testOperation, state: 'closed' }, late);
  expect(chip).toBe('Closed manually, outcome not proven here');
  expect(meaning).toContain('not proven here');
});

test('a payment that waited when the database was restored is never said to have been sent or to be resendable', () => {
  const notMade = { ...attemptNote, outcome: 'not-made', status: null } as const;
  for (const attempts of [[], [notMade]]) {
    const record: Operation = { ...testOperation, attempts };
    const { fact, meaning } = operationStatus(record, early);
    const facts = renderToStaticMarkup(
      <MemoryRouter>
        <UnconfirmedFacts record={record} view={early} />
      </MemoryRouter>,
    );
    const words = `${fact} ${meaning} ${facts}`;
    expect(words).toContain('It waited to be sent in the older copy from which the database was restored.');
    expect(words).toContain('No attempt that left is recorded');
    expect(words).toContain('It can’t be resent');
    expect(words).not.toMatch(/server stopped|before it left|identical bytes|can be resent|any attempt|last attempt/);
  }
});
