import { expect, test } from 'vitest';
import { endLeases, newDirectory, startOn } from './house.ts';
import { saysNotSent, signInPerson, viewIn, withdrawalTo } from './person.ts';
import { executed, newMerchant, posts } from './service.ts';

test('an operation stays unconfirmed and isn’t resent when servers are killed twice while recovering it (row 20)', async () => {
  const merchant = await newMerchant();
  const directory = newDirectory('sweeping');
  const wish = withdrawalTo();
  const first = await startOn(directory, { OPERATIONS_KILL_AT: 'sent' });
  const person = await signInPerson(first.baseUrl, merchant);
  await person.put(wish).catch(() => undefined);
  await first.end;
  await endLeases(directory);
  for (const round of [1, 2]) {
    const sweeping = await startOn(directory, { OPERATIONS_KILL_AT: 'sweeping' }, first.port);
    await expect(person.read(wish.key), `round ${round}`).rejects.toThrow();
    expect((await sweeping.end).signal).toBe('SIGKILL');
  }
  const last = await startOn(directory, {}, first.port);
  const answer = await person.read(wish.key);
  expect(saysNotSent(answer), answer.text).toBe(false);
  expect(viewIn(answer)?.operation.state).toBe('unconfirmed');
  expect(await posts(merchant)).toHaveLength(1);
  expect((await executed(merchant)).withdrawals).toBe(1);
  await last.stop();
});
