import { queryOptions } from '@tanstack/react-query';
import { stringifyExact } from '#src/lib/exactJson.ts';
import type { ReadOptions } from './read.ts';
import { actOnItem, changeItem, loadItems, readItem } from './teamItems.ts';
import { type TeamItem } from './teamContract.ts';
import {
  type Book,
  type LedgerMark,
  partId,
  type Statement,
  statementId,
  type StatementPart,
} from './statementContract.ts';

/** The rows of a statement. */
export type StatementRows = Pick<StatementPart, (typeof KINDS)[number]>;
const KINDS = ['fresh', 'late', 'changed', 'givenUp', 'carried'] as const;

/** One statement with its rows. */
export interface WholeStatement extends StatementRows {
  statement: Statement;
}

/** Bytes of a part, well below what one item may have. */
const PART_BYTES = 600_000;

/** Statements of a reconciliation, the newest first, without their rows. */
export function statementsQuery(account: string, { id, value }: TeamItem<Book>) {
  return queryOptions({
    queryKey: [account, 'statements', id, value.statements],
    queryFn: async ({ signal }) => {
      const { items } = await loadItems('statements', undefined, { of: id, account, signal });
      return items.toSorted((a, b) => b.value.number - a.value.number);
    },
    networkMode: 'always',
    retry: false,
  });
}

/** One statement with all its rows. */
export async function readStatement(book: string, number: number, options: ReadOptions): Promise<WholeStatement> {
  const { value: statement } = await readItem('statements', statementId({ book, number }), options);
  const { items } = await loadItems('statement-parts', undefined, { of: statement.closing, ...options });
  if (items.length !== statement.parts) throw new Error(`Rows of statement ${number} are missing on the server.`);
  const parts = items.map(({ value }) => value).toSorted((a, b) => a.part - b.part);
  return { statement, ...joined(parts) };
}

/** The newest first, one at a time: a reconciliation may hold 100,000 deposits. */
export async function* statementsFromLast(
  { id, value }: TeamItem<Book>,
  options: ReadOptions,
): AsyncGenerator<WholeStatement, void, undefined> {
  for (let number = value.statements; number >= 1; number -= 1) yield readStatement(id, number, options);
}

/**
 * Uploads the rows, then closes statement and book at once. Rejects with MovedOn where a colleague closed one since
 * the book was seen: nothing is stated then. May be repeated with the same statement when no answer came.
 */
export async function closeStatement(
  account: string,
  book: TeamItem<Book>,
  { statement, ...rows }: WholeStatement,
  ledger: LedgerMark | null,
): Promise<TeamItem<Book>> {
  const parts = partsOf(statement.closing, rows);
  for (const value of parts) {
    await changeItem(account, 'statement-parts', { id: partId(value), value, revision: 0 });
  }
  const body = { revision: book.revision, statement: { ...statement, parts: parts.length }, ledger };
  return actOnItem(account, 'reconciliations', { id: book.id, act: 'close', body });
}

/** Rows in their order, as many in a part as fit. */
export function partsOf(closing: string, rows: StatementRows): StatementPart[] {
  const parts: StatementPart[] = [];
  let room = 0;
  for (const kind of KINDS) {
    for (const row of rows[kind]) {
      const bytes = new TextEncoder().encode(stringifyExact(row)).length;
      let part = parts.at(-1);
      if (!part || bytes > room) {
        part = { closing, part: parts.length, fresh: [], late: [], changed: [], givenUp: [], carried: [] };
        parts.push(part);
        room = PART_BYTES;
      }
      room -= bytes;
      const list: unknown[] = part[kind];
      list.push(row);
    }
  }
  return parts;
}

function joined(parts: readonly StatementPart[]): StatementRows {
  return {
    fresh: parts.flatMap((part) => part.fresh),
    late: parts.flatMap((part) => part.late),
    changed: parts.flatMap((part) => part.changed),
    givenUp: parts.flatMap((part) => part.givenUp),
    carried: parts.flatMap((part) => part.carried),
  };
}
