import { onTestFinished, vi } from 'vitest';
import type { Database } from './sql.ts';

/** Until the test ends, counts what isn't a plain read: transactions, and statements that write or lock rows. */
export function watchWrites(database: Database): () => number {
  const queries = vi.spyOn(database, 'query');
  const transactions = vi.spyOn(database, 'transaction');
  onTestFinished(() => {
    queries.mockRestore();
    transactions.mockRestore();
  });
  const isRead = (text: string) => /^\s*select\b/.test(text) && !/\bfor (?:update|share)\b/.test(text);
  return () => transactions.mock.calls.length + queries.mock.calls.filter(([text]) => !isRead(text)).length;
}
