import { expect, test } from 'vitest';
import type { OperationRecord } from '#src/operations/record.ts';
import { evidenceJson, evidenceName, evidenceText } from './evidence.ts';
import { attempt, check, record } from './testRecords.ts';

const full: OperationRecord = {
  ...record,
  attempts: [{ ...attempt, requestId: 'req_a', errorMessage: 'of the attempt', resultId: 'wd_5' }],
  state: 'closed',
  reason: undefined,
  secondSendOf: ['op_0'],
  result: {
    id: 'wd_5',
    text: '{"id":"wd_5","n":0.10000000000000000001}',
    requestId: 'req_r',
    by: 'check',
    confirmed: [],
  },
  contradiction: { id: 'wd_6', text: '{"id":"wd_6","amount":"7"}', requestId: 'req_c', by: 'answer' },
  ending: { by: 'hand', words: 'Support said so', at: 1_795_000_200_000, requestId: null },
  endedAt: 1_795_000_150,
  seenAt: 1_795_000_160,
};

test('the evidence as text holds key, exact bytes, every attempt, answer, check and ending', () => {
  const text = evidenceText(full, [check]);
  const parts = [full.key, full.body, 'POST /v1/withdrawals', '502, a web page', 'op_1', 'req_a', 'of the attempt'];
  parts.push(full.result?.text ?? '', full.contradiction?.text ?? '', 'req_r', 'req_c', 'wd_7', 'req_list', 'op_0');
  parts.push('Support said so', '2026-11-18T11:06:40Z');
  for (const part of parts) expect(text).toContain(part);
});

test('the evidence as JSON leaves nothing of the record out, and every time is in UTC', () => {
  const json = evidenceJson(full, [check], 1_795_000_300_000);
  const { operation, checks } = JSON.parse(json);
  const { start, end, date, ...untimed } = full.attempts[0] ?? attempt;
  expect(operation).toMatchObject({
    ...JSON.parse(JSON.stringify(full)),
    firstSentAt: '2026-11-18T11:06:40Z',
    endedAt: '2026-11-18T11:09:10Z',
    seenAt: '2026-11-18T11:09:20Z',
    attempts: [
      { ...untimed, start: '2026-11-18T11:06:40.000Z', end: '2026-11-18T11:06:40.400Z', date: '2026-11-18T11:06:40Z' },
    ],
    ending: { ...full.ending, at: '2026-11-18T11:10:00.000Z' },
  });
  expect([start, end, date]).toEqual([1_795_000_000_000, 1_795_000_000_400, 1_795_000_000]);
  expect(checks).toEqual([
    {
      ...check,
      at: '2026-11-18T11:08:20.123Z',
      date: '2026-11-18T11:08:20Z',
      lookAlikes: [{ id: 'wd_7', amount: '0.75', status: 'completed', createdAt: '2026-11-18T11:07:30Z' }],
    },
  ]);
  expect(json).not.toMatch(/17950\d{5}/);
});

test('a file of evidence is named after the operation, whatever its id holds', () => {
  expect(evidenceName('op_1')).toBe('countinghouse-operation-op_1.json');
  expect(evidenceName('../op/1')).toBe('countinghouse-operation-.._op_1.json');
});
