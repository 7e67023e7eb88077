import { expect, test } from 'vitest';
import type { Operation } from './record.ts';
import { depositHistory, withdrawalHistory } from './paymentHistory.ts';
import { attemptNote, testOperation } from './testRecords.ts';

const viewOf = (...operations: Operation[]) => ({ status: 'ready' as const, operations });
const result = { id: 'wd_1', text: '{"id":"wd_1"}', requestId: 'req_2', by: 'answer' as const, confirmed: [] };
const made: Operation = {
  ...testOperation,
  state: 'succeeded',
  attempts: [
    { ...attemptNote, lost: 'network', status: null },
    {
      ...attemptNote,
      id: 'at_2',
      contentType: 'application/json',
      outcome: 'success',
      status: 201,
      requestId: 'req_2',
      replayed: true,
      resultId: 'wd_1',
    },
  ],
  result,
};
const replay: Operation = {
  ...testOperation,
  key: 'key-r',
  kind: 'webhook-replay',
  path: '/v1/webhook-deliveries/whd_9fK2mQ8L/replay',
  body: '{}',
};
const address: Operation = {
  ...testOperation,
  key: 'key-a',
  kind: 'deposit-address',
  path: '/v1/deposits',
  body: '{"asset":"ETH","chain":"ethereum"}',
  result: { ...result, id: null, text: '{"address":"0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"}' },
};

test('a withdrawal’s history has the operation that created it, with state, key and every attempt', () => {
  const { status, parts } = withdrawalHistory(viewOf({ ...testOperation, key: 'key-other' }, made), 'wd_1');
  expect(status).toBe('ready');
  expect(parts).toHaveLength(1);
  expect(parts[0]).toMatchObject({ key: 'key-1', state: 'Accepted by the provider', ending: null });
  expect(parts[0]?.relation).toContain('Created this withdrawal');
  expect(withdrawalHistory(viewOf(made), 'wd_1', { status: 'failed' }).parts[0]?.state).toBe('Failed');
  expect(parts[0]?.attempts).toMatchObject([
    { outcome: 'no response, the connection failed', requestId: null, replayed: false },
    { outcome: '201, accepted', requestId: 'req_2', replayed: true },
  ]);
});

test('an operation whose response differs from what was sent is not said to have created the withdrawal', () => {
  const contradiction = { id: 'wd_1', text: '{}', requestId: null, by: 'answer' as const };
  const { result: _none, ...without } = made;
  const [part] = withdrawalHistory(
    viewOf({ ...without, state: 'unconfirmed', reason: 'mismatch', contradiction }),
    'wd_1',
  ).parts;
  expect(part?.relation).toBe('A response to it named this withdrawal, but with other fields than were sent.');
  expect(part?.state).toBe('Unconfirmed, response differs');
});

test('an unconfirmed payment of the same amount to the same address is called only a possible origin', () => {
  const lost: Operation = {
    ...testOperation,
    state: 'unconfirmed',
    attempts: [{ ...attemptNote, lost: 'network', status: null }],
  };
  const row = { ...(JSON.parse(lost.body) as object), created_at: lost.firstSent.service + 1 };
  const relation = (of: object, operation: Operation = lost) =>
    withdrawalHistory(viewOf(operation), 'wd_1', { ...row, ...of }).parts[0]?.relation;
  expect(relation({})).toContain('May have created this withdrawal');
  for (const other of [{ amount: '0.26' }, { address: 'bc1other' }, { created_at: lost.firstSent.service - 3600 }])
    expect(relation(other)).toBeUndefined();
  expect(relation({}, { ...lost, state: 'ready', attempts: [] })).toBeUndefined();
  expect(relation({}, { ...lost, state: 'refused' })).toBeUndefined();
  expect(relation({}, { ...lost, result: { ...result, id: 'wd_2' } })).toBeUndefined();
});

test('a second payment confirmed after this one is listed, oldest first', () => {
  const again = { ...testOperation, key: 'key-2', secondSendOf: ['wd_1'] };
  // Operations are newest first.
  const { parts } = withdrawalHistory(viewOf(again, made), 'wd_1');
  expect(parts.map(({ key }) => key)).toEqual(['key-1', 'key-2']);
  expect(parts[1]?.relation).toBe('Sent as a separate payment after this warning.');
});

test('a replay belongs to a deposit only if the service says so; otherwise it is marked as a guess', () => {
  const relation = (deposit: { id: string; [field: string]: unknown }, of: Operation = replay) =>
    depositHistory(viewOf(of), deposit).parts[0]?.relation;
  expect(relation({ id: 'dep_1', webhook_delivery: 'whd_9fK2mQ8L' })).toContain('that this deposit names');
  const answered = { ...replay, result: { ...result, id: null, text: '{"deposit":"dep_1"}' } };
  expect(relation({ id: 'dep_1' }, answered)).toContain('response to it names this deposit');
  expect(relation({ id: 'dep_9fK2mQ8L' })).toContain('The interface does not say that they belong together.');
  // Another deposit; an id with too short an ending; an id without a prefix.
  expect(relation({ id: 'dep_9fK2mQ8M' })).toBeUndefined();
  expect(relation({ id: 'dep_1' }, { ...replay, path: '/v1/webhook-deliveries/whd_1/replay' })).toBeUndefined();
  expect(relation({ id: 'whd_9fK2mQ8L_' })).toBeUndefined();
});

test('a deposit’s history has the operation that created its address, in any spelling', () => {
  const view = viewOf(address, { ...address, key: 'key-b', body: '{"asset":"BTC","chain":"bitcoin"}' });
  const at = (fields: object) => depositHistory(view, { id: 'dep_1', ...fields }).parts.map(({ key }) => key);
  expect(at({ chain: 'ethereum', address: '0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed' })).toEqual(['key-a']);
  expect(at({ chain: 'ethereum', address: '0x0000' })).toEqual([]);
  expect(at({ chain: 'ethereum' })).toEqual([]);
});

test('records that can’t be loaded are reported as such', () => {
  const view = { status: 'unavailable' as const, reason: 'private window', operations: [] };
  expect(withdrawalHistory(view, 'wd_1')).toEqual({ status: 'unavailable', reason: 'private window', parts: [] });
});

test('a withdrawal’s history names who approved it', () => {
  const bo = { person: 'p1', name: 'Bo', at: 1_795_000_060 };
  const view = { ...viewOf(made), approved: new Map([[made.key, [bo]]]) };
  expect(withdrawalHistory(view, 'wd_1').parts[0]?.approvals).toEqual([bo]);
});
