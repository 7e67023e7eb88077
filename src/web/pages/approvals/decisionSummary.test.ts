import { expect, test } from 'vitest';
import { testView } from '#src/web/api/operations/testViews.ts';
import { decisionSummary } from './decisionSummary.ts';

const approval = { needs: 2, policy: 1, hours: 72 };
const sent = { key: 'a', recorded: true, problem: null, view: testView({ state: 'sending', approval }) };
const waiting = { key: 'b', recorded: true, problem: null, view: testView({ state: 'awaiting', approval }) };
const refused = { key: 'c', recorded: false, problem: 'It no longer needs approval.', view: null };

test('sent payments, those that wait for others, and those with a problem are distinguished', () => {
  expect(decisionSummary([sent, { ...sent, key: 'd' }]).text).toBe('2 payments approved, and are being sent.');
  expect(decisionSummary([sent, waiting]).text).toBe(
    '1 payment approved, and is being sent. 1 payment approved, and needs others to approve too.',
  );
  const { text, problems } = decisionSummary([waiting, refused]);
  expect(text).toBe('1 payment approved, and needs others to approve too. 1 payment had a problem:');
  expect(problems).toEqual([refused]);
});
