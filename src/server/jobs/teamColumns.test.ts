import { expect, test } from 'vitest';
import type { ListedRows, OperationListQuery } from '#src/server/operations/ports.ts';
import type { StoredItem } from '#src/server/team/items.ts';
import type { OperationRecord } from '#src/shared/operations/record.ts';
import { attemptNote, testOperation } from '#src/shared/operations/testRecords.ts';
import { loadTeamColumns } from './teamColumns.ts';

const OWNER = { service: 'https://pay.example', account: 'a' };

const item = (value: object): StoredItem => ({
  id: JSON.stringify(value),
  value: JSON.stringify(value),
  revision: 1,
  who: null,
  person: null,
  createdAt: 1,
  updatedAt: 1,
  deleted: false,
});

/** A withdrawal that the provider accepted under this id. */
function sent(key: string, id: string): OperationRecord {
  const attempts = [{ ...attemptNote, resultId: id }];
  return { ...testOperation, ...OWNER, key, credential: 'c', attempts };
}

/** The notes and recipients of the team, two items a page; the journal's withdrawals, one a page. */
function partsOf(items: Record<string, object[]>, operations: OperationRecord[] = []) {
  const queries: OperationListQuery[] = [];
  return {
    queries,
    team: {
      list: async (_: object, { collection, cursor }: { collection: string; cursor: number }) => {
        const of = (items[collection] ?? []).slice(cursor, cursor + 2).map(item);
        const next = cursor + 2 < (items[collection] ?? []).length ? String(cursor + 2) : null;
        return { items: of, next, position: '', complete: true };
      },
    },
    rows: {
      list: async (query: OperationListQuery): Promise<ListedRows> => {
        queries.push(query);
        const at = Number(query.cursor ?? 0);
        const record = operations[at];
        const rows = record === undefined ? [] : [{ duplicateKey: '', seq: 1n, record }];
        return { rows, next: at + 1 < operations.length ? String(at + 1) : null };
      },
    },
  };
}

async function cellsOf(parts: ReturnType<typeof partsOf>, payment: 'deposit' | 'withdrawal', row: { id: string }) {
  const columns = await loadTeamColumns(parts, OWNER, payment);
  return Object.fromEntries(columns.map((column) => [column.name, column.of(row, 'utc')]));
}

const note = (kind: string, id: string, reference: string) => ({ kind, id, reference, note: '' });

test('a withdrawal without a note of its own has the one written when it was sent', async () => {
  const notes = [
    note('operation', 'key-1', 'Sent with 1'),
    note('operation', 'key-2', 'Sent with 2'),
    note('withdrawal', 'wd_2', 'Own'),
    note('deposit', 'wd_1', 'Of a deposit'),
  ];
  const operations = ['3', '2', '1', '0'].map((n) => sent(`key-${n}`, `wd_${n}`));
  const parts = partsOf({ notes }, operations);
  expect(await cellsOf(parts, 'withdrawal', { id: 'wd_1' })).toEqual({
    recipient: '',
    reference: 'Sent with 1',
    note: '',
  });
  // It reads no further than the oldest withdrawal that has a note.
  expect(parts.queries.map(({ cursor }) => cursor)).toEqual([null, '1', '2']);
  expect((await cellsOf(parts, 'withdrawal', { id: 'wd_2' }))['reference']).toBe('Own');
  expect((await cellsOf(parts, 'withdrawal', { id: 'wd_3' }))['reference']).toBe('');
});

test('the journal is read only for notes written when something was sent', async () => {
  const parts = partsOf({ notes: [note('withdrawal', 'wd_1', 'Own')] }, [sent('key-1', 'wd_1')]);
  await cellsOf(parts, 'withdrawal', { id: 'wd_1' });
  const ofOperation = partsOf({ notes: [note('operation', 'key-1', 'Sent')] });
  await cellsOf(ofOperation, 'deposit', { id: 'dep_1' });
  expect([...parts.queries, ...ofOperation.queries]).toEqual([]);
});

test('a value of another version is left out, and a ledger has no team columns', async () => {
  const parts = partsOf({ notes: [{ text: 'of a later version' }, note('deposit', 'dep_1', 'Order 1')] });
  expect(await cellsOf(parts, 'deposit', { id: 'dep_1' })).toEqual({ reference: 'Order 1', note: '' });
  expect(await loadTeamColumns(parts, OWNER, null)).toEqual([]);
});
