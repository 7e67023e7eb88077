import { expect, test } from 'vitest';
import { processedWords } from './control.tsx';

test('due payments are counted by their new status', () => {
  const fell = (kind: 'deposit' | 'withdrawal', status: string) => ({ kind, id: 'x', status });
  expect(processedWords([])).toBe('Nothing was due.');
  expect(
    processedWords([fell('withdrawal', 'broadcasted'), fell('deposit', 'completed'), fell('deposit', 'completed')]),
  ).toBe('Processed: 1 withdrawal broadcasted, 2 deposits completed.');
});
