import { expect, test } from 'vitest';
import { freeze } from './freeze.ts';
import { endLeases, settled, startOn } from './house.ts';
import { viewIn } from './person.ts';
import { executed, posts } from './service.ts';

test('a server frozen for 11 seconds makes no attempt, and a person may send the operation', async () => {
  const { merchant, directory, server, person, wish } = await freeze('frozen-long', 11_000);
  const { operation } = await settled(person, wish.key);
  expect(operation).toMatchObject({ state: 'ready', attempts: [{ outcome: 'not-made' }] });
  expect(await posts(merchant)).toEqual([]);
  await server.stop();
  await endLeases(directory);
  const next = await startOn(directory, {}, server.port);
  const view = viewIn(await person.read(wish.key));
  if (view === undefined) throw new Error('The operation is gone.');
  expect((await person.send(view)).status).toBe(200);
  expect((await settled(person, wish.key)).operation.state).toBe('succeeded');
  expect((await executed(merchant, wish.address)).to).toBe(1);
  await next.stop();
});
