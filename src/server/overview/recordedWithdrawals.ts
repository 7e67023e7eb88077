import { withdrawalPath } from '#src/server/operations/checking.ts';
import type { AccountOwner, Rows } from '#src/server/operations/ports.ts';
import { parseWith, withdrawalSchema } from '#src/shared/contract/rows.ts';
import { knownResultId, type OperationRecord } from '#src/shared/operations/record.ts';
import { withdrawalFieldsOf } from '#src/shared/operations/withdrawal.ts';
import type { Payment } from '#src/shared/overview/payment.ts';
import { isOpenStatus } from '#src/shared/paymentStatus.ts';
import { type ProviderReads, ReadFailed } from './providerReads.ts';

/** Most recorded withdrawals to show. */
const RECORDED_MAX = 100;
/** A status is looked up again after this many seconds while its withdrawal moves. */
const LOOKUP_AGAIN = 60;

export interface RecordedWithdrawals {
  /** Those with a known status. */
  payments: Payment[];
  /** These are all of them, and each was looked up. */
  isWhole: boolean;
  readAt: number;
}

interface RecordedWithdrawalsParts {
  owner: AccountOwner;
  rows: Pick<Rows, 'list'>;
  /** Seconds. */
  now: () => number;
}

/** The withdrawals sent from here, for a provider that doesn't list withdrawals: each status is a request of its own. */
export function createRecordedWithdrawals({ owner, rows, now }: RecordedWithdrawalsParts) {
  let records: { id: string; record: OperationRecord }[] = [];
  let isListWhole = false;
  let readAt = now();
  /** By id. `status`: undefined if it couldn't be read. */
  const lookups = new Map<string, { status: string | null | undefined; at: number }>();

  function nextDue(): string | undefined {
    const due = records.filter(({ id }) => {
      const { status = null, at } = lookups.get(id) ?? { at: -Infinity };
      return isOpenStatus(status) && at <= now() - LOOKUP_AGAIN;
    });
    return due.toSorted((a, b) => (lookups.get(a.id)?.at ?? 0) - (lookups.get(b.id)?.at ?? 0))[0]?.id;
  }

  function paymentOf({ id, record }: (typeof records)[number]): Payment | null {
    const sent = withdrawalFieldsOf(record);
    const status = lookups.get(id)?.status;
    if (sent === null || status === undefined) return null;
    return { ...sent, kind: 'withdrawal', id, status, fee: null, created_at: record.firstSent.service };
  }

  return {
    /** Reads from the journal which there are. */
    async list(): Promise<void> {
      const query = {
        ...owner,
        states: null,
        kind: 'withdrawal',
        about: null,
        cursor: null,
        limit: RECORDED_MAX,
      } as const;
      const listed = await rows.list(query);
      records = listed.rows.flatMap(({ record }) => {
        const id = record?.state === 'succeeded' ? knownResultId(record) : null;
        return record === undefined || id === null ? [] : [{ id, record }];
      });
      isListWhole = listed.next === null;
      readAt = now();
      const ids = new Set(records.map(({ id }) => id));
      for (const id of lookups.keys()) if (!ids.has(id)) lookups.delete(id);
    },
    /** Asks for the status that was looked up longest ago. Returns false if none is due. */
    async lookUp(reads: ProviderReads): Promise<boolean> {
      const id = nextDue();
      if (id === undefined) return false;
      const status = await readStatusOf(id, reads);
      lookups.set(id, { status: status === undefined ? lookups.get(id)?.status : status, at: now() });
      readAt = now();
      return true;
    },
    result: (): RecordedWithdrawals => ({
      payments: records.flatMap((each) => paymentOf(each) ?? []),
      isWhole: isListWhole && records.every(({ id }) => lookups.has(id)),
      readAt,
    }),
  };
}

const parseWithdrawal = parseWith(withdrawalSchema);

/** Undefined if it couldn't be read. */
async function readStatusOf(id: string, reads: ProviderReads): Promise<string | null | undefined> {
  const path = withdrawalPath(id);
  if (path === null) return undefined;
  try {
    const { data } = await reads.read(path, parseWithdrawal);
    return data.id === id ? data.status : undefined;
  } catch (error) {
    if (error instanceof ReadFailed) return undefined;
    throw error;
  }
}
