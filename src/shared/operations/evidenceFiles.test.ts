import { expect, test } from 'vitest';
import { checkNote } from '#src/web/api/operations/testViews.ts';
import type { Operation } from './record.ts';
import { attemptNote, testOperation } from './testRecords.ts';
import { evidenceJson, evidenceName, evidenceText } from './evidenceFiles.ts';

const full: Operation = {
  ...testOperation,
  attempts: [{ ...attemptNote, requestId: 'req_a', errorMessage: 'of the attempt', resultId: 'wd_5' }],
  state: 'closed',
  reason: undefined,
  who: 'Ana',
  person: null,
  secondSendOf: ['key-0'],
  result: {
    id: 'wd_5',
    text: '{"id":"wd_5","n":0.10000000000000000001}',
    requestId: 'req_r',
    by: 'check',
    confirmed: [],
  },
  contradiction: { id: 'wd_6', text: '{"id":"wd_6","amount":"7"}', requestId: 'req_c', by: 'answer' },
  ending: { by: 'hand', words: 'Support said so', who: 'Ben', person: null, at: 1_795_000_200_000, requestId: null },
  ended: { service: 1_795_000_150, server: 1_795_000_150_000, database: 1_795_000_150_001 },
};
const of = { record: full, checks: [checkNote], approved: [], service: 'https://pay.example.com', account: 'a1' };

const SENT = {
  provider: '2026-11-18T11:06:40Z',
  server: '2026-11-18T11:06:40.000Z',
  database: '2026-11-18T11:06:40.000Z',
};

test('the evidence as text has key, exact bytes, every attempt, answer, check and ending', () => {
  const text = evidenceText(of);
  const parts = [full.key, full.body, 'POST /v1/withdrawals', '502, a web page', 'by Ana', 'req_a', 'of the attempt'];
  parts.push(full.result?.text ?? '', full.contradiction?.text ?? '', 'req_r', 'req_c', 'wd_7', 'req_list', 'key-0');
  parts.push('Support said so', 'by Ben', of.service, of.account, '2026-11-18T11:06:40Z');
  for (const part of parts) expect(text).toContain(part);
});

test('the evidence as JSON leaves nothing of the record out, and every time is in UTC', () => {
  const json = evidenceJson(of, 1_795_000_300_000);
  const { operation, checks } = JSON.parse(json);
  const { start, end, date, ...untimed } = full.attempts[0] ?? attemptNote;
  expect(operation).toMatchObject({
    ...JSON.parse(JSON.stringify(full)),
    provider: of.service,
    account: of.account,
    firstSent: SENT,
    lastSent: SENT,
    ended: {
      provider: '2026-11-18T11:09:10Z',
      server: '2026-11-18T11:09:10.000Z',
      database: '2026-11-18T11:09:10.001Z',
    },
    attempts: [
      { ...untimed, start: '2026-11-18T11:06:40.000Z', end: '2026-11-18T11:06:40.400Z', date: '2026-11-18T11:06:40Z' },
    ],
    ending: { ...full.ending, at: '2026-11-18T11:10:00.000Z' },
  });
  expect([start, end, date]).toEqual([1_795_000_000_000, 1_795_000_000_400, 1_795_000_000]);
  expect(checks).toEqual([
    {
      ...checkNote,
      at: '2026-11-18T11:08:20.123Z',
      date: '2026-11-18T11:08:20Z',
      lookAlikes: [{ id: 'wd_7', amount: '0.75', status: 'completed', createdAt: '2026-11-18T11:07:30Z' }],
    },
  ]);
  expect(json).not.toMatch(/17950\d{5}/);
});

test('the evidence says that a person ended it, and typed the reason, only if so', () => {
  const endingOf = (ending: Partial<NonNullable<Operation['ending']>>) => {
    const nobody = { words: 'Why.', who: null, person: null, at: 1_795_000_200_000, requestId: null };
    const text = evidenceText({ ...of, record: { ...full, ending: { by: 'discard', ...nobody, ...ending } } });
    return /^(Ended.*) at .*\n(.*)$/m.exec(text)?.slice(1);
  };
  expect(endingOf({})).toEqual(['Ended (discard)', 'Reason: Why.']);
  expect(endingOf({ by: 'lapse' })).toEqual(['Ended (lapse)', 'Reason: Why.']);
  expect(endingOf({ who: 'Ben', person: 'ben' })).toEqual(['Ended by a person (discard) by Ben', 'Reason: Why.']);
  for (const by of ['reject', 'hand', 'absence'] as const)
    expect(endingOf({ by })).toEqual([`Ended by a person (${by})`, 'Typed: Why.']);
});

test('an evidence file is named after the operation, whatever its id contains', () => {
  expect(evidenceName('3f-1')).toBe('countinghouse-operation-3f-1.json');
  expect(evidenceName('../op/1')).toBe('countinghouse-operation-.._op_1.json');
});

test('the evidence of a payment that needed approvals names who approved it, and when', () => {
  const record = { ...full, approval: { needs: 2, policy: 1, hours: 72 } };
  const approved = [{ person: 'p1', name: 'Bo', at: 1_795_000_060 }];
  const text = evidenceText({ ...of, record, approved });
  expect(text).toContain('Approvals, of 2 needed (the database’s clock):\n1. 2026-11-18T');
  expect(text).toContain(', by Bo\n');
  expect(JSON.parse(evidenceJson({ ...of, record, approved }, 0))).toMatchObject({
    approved: [{ person: 'p1', name: 'Bo', at: expect.stringContaining('2026-11-18T') }],
  });
  expect(evidenceText(of)).not.toContain('Approvals');
});
