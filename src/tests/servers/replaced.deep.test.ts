import { expect, test } from 'vitest';
import { spawnDashboard } from '#src/tests/process/dashboardProcess.ts';
import { IN_USE, envOf, newDirectory, settled, startOn } from './house.ts';
import { signInPerson, withdrawalTo } from './person.ts';
import { newMerchant } from './service.ts';

test('a second server on one data directory exits and says why (row 26d)', async () => {
  const directory = newDirectory('shared');
  const first = await startOn(directory);
  const second = await spawnDashboard(envOf(directory));
  expect(await second.end).toEqual({ code: 1, signal: null });
  expect(second.output()).toMatch(IN_USE);
  const merchant = await newMerchant();
  const person = await signInPerson(first.baseUrl, merchant);
  const wish = withdrawalTo();
  expect((await person.put(wish)).status).toBe(201);
  expect((await settled(person, wish.key)).operation.state).toBe('succeeded');
  await first.stop();
});
