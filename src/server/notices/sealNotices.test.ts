import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDatabase } from '#src/server/database/openDatabase.ts';
import type { Database } from '#src/server/database/sql.ts';
import { createRaise } from './outbox.ts';
import { migrateNotices } from './schema.ts';
import { createSealNotices } from './sealNotices.ts';

let database: Database;
beforeAll(async () => {
  database = await openDatabase({ directory: 'memory' });
  await migrateNotices(database);
});
afterAll(() => database.close());

test('each change of the number of broken seals raises one notice on one server, and none when all are whole', async () => {
  const raise = createRaise(['webhook'], (line) => {
    throw new Error(line);
  });
  const parts = { database, service: 's', raise };
  const [first, second] = [createSealNotices(parts), createSealNotices(parts)];
  const raisedEvents = async () => {
    const rows = await database.query<{ event: string; account: string | null }>(
      'select event, account from notices.outbox order by next_at',
    );
    return rows.map(({ event, account }) => `${event} ${account}`);
  };
  await first(0);
  expect(await raisedEvents()).toEqual([]);
  for (const server of [first, second, first]) await server(2);
  expect(await raisedEvents()).toEqual(['seals.broken null']);
  await second(3);
  await first(0);
  expect(await raisedEvents()).toHaveLength(2);
  await first(2);
  expect(await raisedEvents()).toHaveLength(3);
  await createSealNotices({ ...parts, service: 'another' })(2);
  expect(await raisedEvents()).toHaveLength(4);
});
