import { queryOptions } from '@tanstack/react-query';
import { type Author, authorOf } from '#src/shared/author.ts';
import { LIMIT_MAX } from '#src/shared/contract/contract.ts';
import { knownResultId } from '#src/shared/operations/record.ts';
import { followPages } from '#src/shared/paging/followPages.ts';
import { listPage } from './operations.ts';

/** The operation that a withdrawal came from. */
export interface SentFrom extends Author {
  key: string;
}

/** Enough for a year of most teams; older withdrawals are shown without their sender. */
const PAGES_MAX = 20;

/** Who sent which withdrawal from here, by the withdrawal's ID. */
export function sentWithdrawals(account: string) {
  return queryOptions({
    queryKey: [account, 'sent-withdrawals'],
    queryFn: async ({ signal }) => {
      const sent = new Map<string, SentFrom>();
      await followPages(
        (cursor) => listPage({ account, filters: { kind: 'withdrawal' }, limit: LIMIT_MAX, cursor, signal }),
        ({ data }) => {
          for (const { operation } of data) {
            const id = knownResultId(operation);
            if (id !== null) sent.set(id, { key: operation.key, ...authorOf(operation) });
          }
          return undefined;
        },
        { signal, maxPages: PAGES_MAX },
      );
      return sent;
    },
    staleTime: 15_000,
  });
}
