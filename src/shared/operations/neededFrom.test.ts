import { expect, test } from 'vitest';
import type { Approval } from '#src/shared/contract/approvalsContract.ts';
import type { OperationView } from '#src/shared/contract/gatewayContract.ts';
import { batchNeededFrom, neededFrom } from './neededFrom.ts';
import { testOperation } from './testRecords.ts';

const by = (...names: string[]) => names.map((name, at) => ({ person: name, name, at }));

function waiting(approved: string[], more: Partial<Pick<OperationView, 'allowed' | 'disabled'>> = {}): Approval {
  const operation = {
    ...testOperation,
    state: 'awaiting' as const,
    approval: { needs: 2, policy: 1, hours: 72 },
  };
  const view = { operation, approved: by(...approved), allowed: [], disabled: {}, ...more } as unknown as OperationView;
  const approvers = by('bo', 'cy').filter(({ person }) => !approved.includes(person));
  const nothing = { why: [], barred: null, unusual: [], listed: 'listed' as const, earlier: [] };
  return { view, maker: { person: 'ada', name: 'Ada' }, approvers, expires_at: 0, ...nothing };
}

test('a payment needs those who can approve it and haven’t, never its maker', () => {
  expect(neededFrom(waiting([]), 'bo')).toBe('approve');
  expect(neededFrom(waiting(['bo']), 'bo')).toBeNull();
  expect(neededFrom(waiting(['bo']), 'cy')).toBe('approve');
  expect(neededFrom(waiting([]), 'ada')).toBeNull();
});

test('a payment that has its approvals needs a person who can send it', () => {
  const approved = ['bo', 'cy'];
  expect(neededFrom(waiting(approved, { allowed: ['send'] }), 'ada')).toBe('send');
  expect(neededFrom(waiting(approved, { allowed: ['send'], disabled: { send: 'No.' } }), 'bo')).toBeNull();
  // Send is also offered before, disabled with a reason.
  expect(neededFrom(waiting([], { allowed: ['send'], disabled: { send: 'It needs 2.' } }), 'ada')).toBeNull();
});

test('a payment whose recipient was paid outside since it was approved needs another look by an approver', () => {
  const unusual = [{ id: 'wd_1', kind: 'paid-outside', text: '', operation: null, at: null }] as never;
  const approved = { ...waiting(['bo', 'cy'], { allowed: ['send'] }), unusual };
  expect(neededFrom(approved, 'ada')).toBeNull();
  expect(neededFrom(approved, 'bo')).toBe('approve');
  expect(neededFrom({ ...approved, approvers: by('di') }, 'di')).toBe('approve');
});

test('an approved payment with a look-alike needs approvers to review it again, or an operator to send it', () => {
  const found = (kind: string) => [{ id: 'key-1', kind, text: '', operation: 'key-1', at: null }] as never;
  const all = waiting(['bo', 'cy'], { allowed: ['send'] });
  const approved = { ...all, unusual: found('look-alike') };
  expect(neededFrom(approved, 'ada')).toBe('send');
  expect(neededFrom(approved, 'bo')).toBe('approve');
  expect(neededFrom({ ...approved, approvers: by('di') }, 'di')).toBe('approve');
  // Approving again doesn't help while another payment isn't resolved.
  expect(neededFrom({ ...all, unusual: found('unresolved') }, 'bo')).toBe('send');
});

test('a batch needs an approver who hasn’t approved it, then an operator who starts it', () => {
  const batch = (...approved: string[]) =>
    ({ approval: { needs: 1, maker: 'ada', approved: by(...approved), expires_at: 0 } }) as never;
  const bo = { person: 'bo', canApprove: true, canSend: false };
  expect(batchNeededFrom(batch(), bo)).toBe('approve');
  expect(batchNeededFrom(batch('bo'), bo)).toBeNull();
  const ada = { person: 'ada', canApprove: true, canSend: true };
  expect(batchNeededFrom(batch(), ada)).toBeNull();
  expect(batchNeededFrom(batch('bo'), ada)).toBe('send');
});
