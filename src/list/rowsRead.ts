import type { QueryClient } from '@tanstack/react-query';
import { isObject } from '#src/lib/answers.ts';

/** Every row that the lists of an account have read in this tab, of any resource, as it came; reads nothing itself. */
export function rowsRead(client: QueryClient, account: string): Record<string, unknown>[] {
  return [...rowsIn(client.getQueriesData({ queryKey: [account] }))];
}

function* rowsIn(entries: readonly (readonly [unknown, unknown])[]): Generator<Record<string, unknown>> {
  for (const [, data] of entries) {
    const pages = isObject(data) && Array.isArray(data['pages']) ? data['pages'] : [];
    for (const page of pages) {
      if (!isObject(page) || !Array.isArray(page['data'])) continue;
      for (const row of page['data']) if (isObject(row)) yield row;
    }
  }
}
