import { expect, test } from 'vitest';
import { attemptNote, testOperation } from '#src/shared/operations/testRecords.ts';
import { attentionLine } from './attentionLine.tsx';

const context = { name: () => '', can: () => true, markHandled: () => undefined };

test.each([
  ['no response', null, 'No response from the provider. Don’t pay'],
  ['a response that does not tell', 500, 'The response doesn’t say what became of it. Don’t pay'],
])('an unconfirmed payment with %s is described as unconfirmed', (_what, status, why) => {
  const operation = {
    key: testOperation.key,
    record: { ...testOperation, attempts: [{ ...attemptNote, status }] },
    waitsFor: 'outcome' as const,
    firstSentAt: 1,
  };
  expect(attentionLine({ kind: 'operation', operation }, context).why).toContain(why);
});
