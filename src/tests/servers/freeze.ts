import { setTimeout as wait } from 'node:timers/promises';
import { expect } from 'vitest';
import { newDirectory, startOn } from './house.ts';
import { signInPerson, withdrawalTo } from './person.ts';
import { newMerchant, posts } from './service.ts';

/** Starts a server that freezes between the commit of "sending" and the bytes, and thaws it after `ms`. */
export async function freeze(name: string, ms: number) {
  const merchant = await newMerchant();
  const directory = newDirectory(name);
  const server = await startOn(directory, { OPERATIONS_KILL_AT: 'sending:SIGSTOP' });
  const person = await signInPerson(server.baseUrl, merchant);
  const wish = withdrawalTo();
  const put = person.put(wish);
  await server.frozen();
  await wait(ms);
  expect(await posts(merchant)).toEqual([]);
  server.signal('SIGCONT');
  expect((await put).status).toBe(201);
  return { merchant, directory, server, person, wish };
}
