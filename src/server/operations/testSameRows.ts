import fc from 'fast-check';
import { expect } from 'vitest';
import type { Database } from '#src/server/database/sql.ts';
import type { OperationRecord } from '#src/shared/operations/record.ts';
import { isUnresolved, OPERATION_STATES } from '#src/shared/operations/states.ts';
import { withdrawalBody } from '#src/shared/operations/withdrawal.ts';
import { memoryRows } from './testMemoryRows.ts';
import { emptyJournal } from './testMemoryJournal.ts';
import { duplicateKeyOfRecord } from './rowText.ts';
import type { OperationListQuery, Rows, WriteTransaction } from './ports.ts';
import { openSqlRows } from './sqlRows.ts';
import { withoutRules } from './testSqlRows.ts';
import { ACCOUNT, SENT, SERVICE, START, attemptWith, operationRecord } from './testAnswers.ts';

// Compares the two implementations of the rows: what a transaction reads, refuses and writes.

const KEYS = ['key-1', 'key-2', 'key-3', 'key-4'];
const ACCOUNTS = [ACCOUNT, 'b'.repeat(32)];
const SERVICES = [SERVICE, `${SERVICE}/other`];
const AMOUNTS = ['1', '2'];
const TON = [
  'EQCQZpelevHNsbw5IUtwSa4Cs8kqWww0KsYeDri9kwS18eCz',
  '0:906697a57af1cdb1bc39214b7049ae02b3c92a5b0c342ac61e0eb8bd9304b5f1',
];
const toTon = (address: string) => withdrawalBody({ ...SENT, asset: 'TON', chain: 'ton', address });
const IDS = ['wd_1', 'wd_2'];

const clocks = fc.integer({ min: 0, max: 3 }).map((hours) => ({
  service: START.service + hours * 3_600,
  server: START.server + hours * 3_600_000,
  database: START.database + hours * 3_600_000,
}));
const key = fc.constantFrom(...KEYS);
const owner = fc.record({ service: fc.constantFrom(...SERVICES), account: fc.constantFrom(...ACCOUNTS) });
const kinds = fc.constantFrom(
  { kind: 'withdrawal' as const, path: '/v1/withdrawals', body: withdrawalBody(SENT) },
  { kind: 'withdrawal' as const, path: '/v1/withdrawals', body: withdrawalBody({ ...SENT, chain: 'Bitcoin' }) },
  // One account in two spellings.
  ...TON.map((address) => ({ kind: 'withdrawal' as const, path: '/v1/withdrawals', body: toTon(address) })),
  { kind: 'charge' as const, path: '/v1/charges', body: '{"amount":"1"}' },
);
const result = fc
  .record({
    id: fc.constantFrom(...IDS),
    text: fc.constantFrom(...AMOUNTS),
    by: fc.constantFrom('answer' as const, 'check' as const),
  })
  .map((more) => ({ ...more, requestId: null, confirmed: [] }));
const notes = fc.record({
  id: fc.constantFrom('at_1', 'at_2'),
  end: fc.option(fc.nat(9)),
  resultId: fc.option(fc.constantFrom(...IDS)),
});

const changes = fc.record(
  {
    state: fc.constantFrom(...OPERATION_STATES.filter((state) => state !== 'awaiting')),
    lastSent: clocks,
    result,
    ended: clocks,
    attempts: fc.array(notes.map(attemptWith), { maxLength: 3 }),
    leaseUntil: fc.nat(9),
    retryAt: fc.nat(9),
    stale: fc.constant(true),
  },
  { requiredKeys: ['state'] },
);
type Changes = Partial<OperationRecord> & { stale?: boolean };

const reading = fc.oneof(
  fc.record({ type: fc.constantFrom('byKey' as const, 'tombstone' as const), key }),
  fc.record({
    type: fc.constant('byDuplicateKey' as const),
    sent: kinds,
    since: fc.option(fc.record({ proven: clocks, unproven: clocks })),
  }),
  fc.record({
    type: fc.constant('keyOfResult' as const),
    service: fc.constantFrom(...SERVICES),
    id: fc.constantFrom(...IDS),
  }),
);
const writing = fc.oneof(
  { weight: 5, arbitrary: fc.record({ type: fc.constant('insert' as const), key, owner, sent: kinds, at: clocks }) },
  { weight: 6, arbitrary: fc.record({ type: fc.constant('replace' as const), key, changes }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('writeTombstone' as const), key, owner, at: fc.nat(9) }) },
  {
    weight: 1,
    arbitrary: fc.record({ type: fc.constant('share' as const), key, account: fc.constantFrom(...ACCOUNTS) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      type: fc.constant('setBack' as const),
      at: fc.option(fc.nat(9)),
      journal: fc.option(fc.constant('jnl_other')),
    }),
  },
  { weight: 1, arbitrary: fc.record({ type: fc.constantFrom('unresolved' as const), owner }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constantFrom('ready' as const, 'known' as const, 'throw' as const) }) },
);
type Step =
  typeof reading extends fc.Arbitrary<infer R> ? R | (typeof writing extends fc.Arbitrary<infer W> ? W : never) : never;

/** One transaction. It records at most one operation, as two would have the same position in the list. */
const work = fc
  .array(fc.oneof({ weight: 1, arbitrary: reading }, { weight: 2, arbitrary: writing }), { minLength: 1, maxLength: 4 })
  .map((steps) =>
    steps.filter((step, index) => step.type !== 'insert' || index === steps.findIndex(({ type }) => type === 'insert')),
  );
/** Rounds of a few concurrent transactions. */
const turns = fc.array(fc.array(work, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 8 });

async function take(transaction: WriteTransaction, step: Step): Promise<unknown> {
  switch (step.type) {
    case 'byKey':
      return transaction.byKey(step.key);
    case 'tombstone':
      return transaction.tombstone(step.key);
    case 'byDuplicateKey':
      return transaction.byDuplicateKey(duplicateKeyOfRecord(step.sent), step.since);
    case 'keyOfResult':
      return transaction.keyOfResult(step.service, step.id);
    case 'insert': {
      const one = operationRecord({
        key: step.key,
        ...step.owner,
        ...step.sent,
        firstSent: step.at,
        lastSent: step.at,
      });
      return transaction.insert(one, duplicateKeyOfRecord(one));
    }
    case 'replace': {
      const before = (await transaction.byKey(step.key))?.record;
      return before ? transaction.replace(changed(before, step.changes), before) : null;
    }
    case 'writeTombstone':
      return transaction.writeTombstone({ key: step.key, ...step.owner, why: 'discarded', at: step.at });
    case 'share':
      return transaction.shareWith(step.key, step.account);
    case 'setBack':
      return step.at === null
        ? transaction.endSetBack('said so')
        : transaction.setBack(step.at, { ...(await transaction.facts()), ...(step.journal && { id: step.journal }) });
    case 'known': {
      const facts = await transaction.facts();
      const others = [{ nonce: 'none' }, { position: facts.position + 1n }].map((other) => ({ ...facts, ...other }));
      const inHistory = await Promise.all([facts, ...others].map((mark) => transaction.hasMark(mark)));
      return [inHistory, await transaction.isFormerId('jnl_other'), await transaction.isFormerId(facts.id)];
    }
    case 'unresolved':
      return transaction.unresolvedCount(step.owner);
    case 'ready':
      return (await transaction.unsent()).map(({ key }) => key).sort();
    case 'throw':
      throw new Error('The work fails.');
  }
}

/** The next revision; what is final has ended, and only withdrawals are known by an id. */
function changed(before: OperationRecord, { stale, ...changes }: Changes): OperationRecord {
  const { ended: _, result: __, leaseUntil: ___, retryAt: ____, ...rest } = before;
  const attempts = [...rest.attempts, ...(changes.attempts ?? [])];
  const next = { ...rest, ...changes, attempts, revision: before.revision + 1 };
  if (isUnresolved(next.state)) delete next.ended;
  if (stale === true) return { ...next, revision: before.revision };
  return next;
}

interface Done {
  position: bigint;
  steps: Step[];
  results: unknown[] | 'refused';
}

async function run(rows: Rows, steps: Step[]): Promise<Done> {
  let position = 2n ** 63n;
  const results = await rows
    .write(async (transaction) => {
      position = (await transaction.facts()).position;
      const results: unknown[] = [];
      for (const step of steps) results.push(await take(transaction, step));
      return results;
    })
    .catch(() => 'refused' as const);
  return { position, steps, results };
}

const EVERYTHING: Omit<OperationListQuery, 'service' | 'account'> = {
  states: null,
  kind: null,
  about: null,
  cursor: null,
  limit: 2,
};

/** The journal's complete content. */
async function stateOf(rows: Rows): Promise<unknown> {
  const { now: _, id: __, nonce: ___, ...facts } = await rows.facts();
  const content: unknown[] = [facts];
  for (const one of KEYS) content.push(await rows.byKey(one), await rows.tombstone(one));
  for (const account of ACCOUNTS) {
    const own = { service: SERVICE, account };
    const first = await rows.list({ ...own, ...EVERYTHING });
    content.push(
      first,
      await rows.hasAccount(own),
      await rows.operationsOfOtherAccounts(own, 2),
      await rows.isSharedWith('key-1', account),
    );
    content.push(await rows.list({ ...own, ...EVERYTHING, cursor: first.next, states: ['sending', 'succeeded'] }));
    content.push(await rows.list({ ...own, ...EVERYTHING, kind: 'withdrawal', about: 'wd_1' }));
  }
  return content;
}

/** Random transactions, some concurrent, on both implementations; `database` is emptied for each. */
export async function expectRowsAlike(database: Database, numRuns: number): Promise<void> {
  const rows = await openSqlRows(database);
  await withoutRules(database);
  await fc.assert(
    fc.asyncProperty(turns, async (rounds) => {
      await database.script(`truncate operations.attempts, operations.operations; delete from operations.tombstones; delete from operations.shown; delete from operations.closed_unreadable;
        delete from operations.set_backs; delete from operations.marks;
        insert into operations.marks values (0, 'n0'); update operations.journal set position = 0, set_back_at = null, set_back_position = null`);
      const memory = emptyJournal('jnl');
      const twin = memoryRows(
        () => memory,
        () => START.database,
      );
      for (const round of rounds) {
        const done = await Promise.all(round.map((steps) => run(rows, steps)));
        // The position shows the order in which the database ran them; a refused write doesn't change it.
        const inOrder = done.toSorted(
          (a, b) =>
            Number(a.position - b.position) || Number(b.results === 'refused') - Number(a.results === 'refused'),
        );
        for (const { steps, results } of inOrder) {
          expect({ steps, results: (await run(twin, steps)).results }).toEqual({ steps, results });
        }
      }
      expect(await stateOf(twin)).toEqual(await stateOf(rows));
    }),
    { numRuns },
  );
}
