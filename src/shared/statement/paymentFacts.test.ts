import { expect, test } from 'vitest';
import { testOperation } from '#src/shared/operations/testRecords.ts';
import { readWithdrawalBody } from '#src/shared/operations/withdrawal.ts';
import { createPaymentFacts } from './paymentFacts.ts';

const sent = readWithdrawalBody(testOperation.body);
const target = { chain: sent?.chain ?? '', address: sent?.address ?? '' };
const result = { id: 'wd_1', text: '{}', requestId: null, by: 'answer' as const, confirmed: [] };
const operation = { ...testOperation, who: 'Mira', person: 'person-m', result };
const note = { kind: 'operation' as const, id: operation.key, reference: 'INV-7', note: 'Hosting' };

test('a withdrawal sent from here has its recipient, reference, note and person', () => {
  const recipients = [{ ...target, name: 'Acme Hosting' }];
  const facts = createPaymentFacts({ recipients, notes: [note], operations: [operation], destinations: new Map() });
  const whole = { recipient: 'Acme Hosting', reference: 'INV-7', note: 'Hosting', person: 'Mira' };
  expect(facts.withdrawal('wd_1')).toEqual(whole);
  expect(facts.of('wd_1')).toEqual({ recipient: 'Acme Hosting', reference: 'INV-7' });
});

test('a withdrawal’s own note replaces that of its operation, and an unsaved recipient is its address', () => {
  const own = { kind: 'withdrawal' as const, id: 'wd_1', reference: '', note: 'Refund' };
  const facts = createPaymentFacts({
    recipients: [],
    notes: [note, own],
    operations: [operation],
    destinations: new Map(),
  });
  expect(facts.withdrawal('wd_1')).toEqual({
    recipient: target.address,
    reference: '',
    note: 'Refund',
    person: 'Mira',
  });
});

test('a name that was only typed is marked', () => {
  const typed = { ...operation, person: null };
  const facts = createPaymentFacts({ recipients: [], notes: [], operations: [typed], destinations: new Map() });
  expect(facts.withdrawal('wd_1').person).toBe('Mira (not verified)');
});

test('other payments have what the service’s list and the notes say', () => {
  const deposit = { kind: 'deposit' as const, id: 'dep_1', reference: 'Order 4711', note: '' };
  const recipients = [{ ...target, name: 'Acme' }];
  const destinations = new Map([['wd_2', target]]);
  const facts = createPaymentFacts({ recipients, notes: [deposit], operations: [], destinations });
  expect(facts.of('dep_1')).toEqual({ recipient: '', reference: 'Order 4711' });
  expect(facts.withdrawal('wd_1')).toEqual({ recipient: '', reference: '', note: '', person: '' });
  expect(facts.withdrawal('wd_2').recipient).toBe('Acme');
});
