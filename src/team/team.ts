import { isDeepStrictEqual } from 'node:util';
import * as v from 'valibot';
import { COLLECTIONS, type Collection, type DepositAddress } from '#src/api/teamContract.ts';
import { type Book, type LedgerMark, type Statement, statementId } from '#src/api/statementContract.ts';
import { migrate } from '#src/database/migrate.ts';
import type { Sql } from '#src/database/sql.ts';
import { parseExact, stringifyExact } from '#src/lib/exactJson.ts';
import {
  type Change,
  type Changed,
  inTurn,
  type Listed,
  listItems,
  type ListQuery,
  type Owner,
  readItem,
  type StoredItem,
} from './items.ts';
import { STEPS } from './schema.ts';

/** A deposit address that was made here, by the journal. */
export type MadeAddress = Pick<DepositAddress, 'id' | 'asset' | 'chain' | 'address' | 'along' | 'who' | 'at'>;

export interface MadeAddresses {
  /** Newest first; `cursor` is the `next` of the page before. */
  list: (owner: Owner, cursor: string | null, limit: number) => Promise<{ data: MadeAddress[]; next: string | null }>;
  has: (owner: Owner, id: string) => Promise<boolean>;
}

/** `refused`: a value that may not be written so, with the reason. */
export type Written = Changed | { kind: 'refused'; why: string };

export interface Closing {
  /** Of the book that the person saw. */
  revision: number;
  statement: Statement;
  ledger: LedgerMark | null;
  who: string | null;
}

/** What the people of one account share; values are checked here, whoever writes them. */
export interface Team {
  list: (owner: Owner, query: ListQuery) => Promise<Listed>;
  read: (owner: Owner, collection: Collection, id: string) => Promise<StoredItem | null>;
  put: (owner: Owner, change: Omit<Change, 'value'> & { value: unknown }) => Promise<Written>;
  remove: (owner: Owner, change: Omit<Change, 'value'>) => Promise<Written>;
  /** Adds the values that have no item yet; all of them or, where one is refused or there is no room, none. */
  add: (owner: Owner, of: { collection: Collection; values: unknown[]; who: string | null }) => Promise<Added>;
  /** A statement and its book, both or neither; answers with the book. */
  close: (owner: Owner, book: string, closing: Closing) => Promise<Written>;
  madeAddresses: MadeAddresses;
}

export type Added = { kind: 'added'; items: StoredItem[] } | { kind: 'full' } | { kind: 'refused'; why: string };

/** Brings the tables forward first. */
export async function openTeam(sql: Sql, madeAddresses: MadeAddresses): Promise<Team> {
  await migrate(sql, 'team', STEPS);
  return {
    list: (owner, query) => listItems(sql, owner, query),
    read: (owner, collection, id) => readItem(sql, owner, collection, id),
    madeAddresses,

    put: async (owner, { value, ...change }) => {
      const { collection, id, revision } = change;
      const checked = COLLECTIONS[collection].check(value);
      if ('why' in checked) return { kind: 'refused', why: checked.why };
      return inTurn(sql, owner, async (turn) => {
        const item = await turn.read(collection, id);
        const before = item?.deleted === false ? item : null;
        const why = misplaced(collection, id, before, checked) ?? forbidden(collection, before, checked.value);
        if (why !== null && revision === (before?.revision ?? 0)) return { kind: 'refused', why };
        return turn.change({ ...change, value: stringifyExact(checked.value) });
      });
    },

    remove: (owner, change) => inTurn(sql, owner, (turn) => turn.change({ ...change, value: null })),

    add: async (owner, { collection, values, who }) => {
      const added: { id: string; text: string }[] = [];
      for (const [index, value] of values.entries()) {
        const checked = COLLECTIONS[collection].check(value);
        if ('why' in checked) return { kind: 'refused', why: `Value ${index + 1}: ${checked.why}` };
        if (checked.id === null) return { kind: 'refused', why: 'Values of this collection are added one by one.' };
        added.push({ id: checked.id, text: stringifyExact(checked.value) });
      }
      return rolledBack(() =>
        inTurn(sql, owner, async (turn): Promise<Added> => {
          const items: StoredItem[] = [];
          for (const { id, text } of added) {
            const changed = await turn.change({ collection, id, value: text, revision: 0, who });
            if (changed.kind === 'full') throw new NotAdded();
            if (changed.kind === 'written') items.push(changed.item);
          }
          return { kind: 'added', items };
        }),
      );
    },

    close: (owner, bookId, closing) =>
      inTurn(sql, owner, async (turn): Promise<Written> => {
        const { statement, revision, ledger, who } = closing;
        const item = await turn.read('reconciliations', bookId);
        if (item === null || item.deleted) return { kind: 'moved', item };
        if (statement.book !== bookId) return { kind: 'refused', why: 'The statement is of another reconciliation.' };
        const id = statementId(statement);
        const there = await turn.read('statements', id);
        // A request whose answer was lost.
        if (there !== null && there.value === stringifyExact(statement)) return { kind: 'written', item };
        if (item.revision !== revision) return { kind: 'moved', item };
        const book = bookIn(item);
        if (statement.number !== book.statements + 1 || there !== null)
          return { kind: 'refused', why: `The next statement is number ${book.statements + 1}.` };
        if ((await turn.count('statement-parts', `${statement.closing}.`)) !== statement.parts)
          return { kind: 'refused', why: 'Parts of the statement are missing.' };
        const closed = { collection: 'statements' as const, id, value: stringifyExact(statement), revision: 0, who };
        const written = await turn.change(closed);
        if (written.kind !== 'written') return written;
        const { number, last, counts } = statement;
        const next: Book = { ...book, statements: number, last, followed: counts.carried, ledger };
        return turn.change({ collection: 'reconciliations', id: bookId, value: stringifyExact(next), revision, who });
      }),
  };
}

/** Undoes the whole transaction. */
class NotAdded extends Error {}

async function rolledBack(work: () => Promise<Added>): Promise<Added> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof NotAdded) return { kind: 'full' };
    throw error;
  }
}

interface Checked {
  value: unknown;
  id: string | null;
}

/** Why a value may not stand under an id; an item keeps its own, whatever this version would call it. */
function misplaced(collection: Collection, id: string, before: StoredItem | null, checked: Checked): string | null {
  if (checked.id === null || checked.id === id) return null;
  const was = before && COLLECTIONS[collection].check(parseExact(before.value));
  return was && 'id' in was && was.id === checked.id ? null : 'The value belongs to another id.';
}

/** Why a value may not stand where `before` does; null: it may. */
function forbidden(collection: Collection, before: StoredItem | null, value: unknown): string | null {
  if (collection === 'statement-parts') return before === null ? null : 'What was stated is never changed.';
  if (collection !== 'reconciliations') return null;
  const book = v.parse(COLLECTIONS.reconciliations.value, value);
  const moved = before === null ? { ...book, ...NEW_BOOK } : { ...bookIn(before), name: book.name };
  return isDeepStrictEqual(book, moved) ? null : 'Only closing a statement moves a reconciliation on.';
}

const NEW_BOOK = { statements: 0, last: null, followed: 0, ledger: null };

function bookIn({ value }: StoredItem): Book {
  return v.parse(COLLECTIONS.reconciliations.value, parseExact(value));
}
