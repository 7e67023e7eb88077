import { expect, test } from 'vitest';
import type { AttemptResult } from '#src/shared/answers.ts';
import { ACCOUNT, answer, created, listBody, lost, SENT, T0 } from './testAnswers.ts';
import { createWithdrawalsReader, readLatestWithdrawals } from './withdrawalList.ts';

const MINUTE = 60_000;

/** A provider that lists a withdrawal of an hour ago, and a reader of its list. `passed`: ms. */
function createWorld() {
  const world = { passed: 0, reads: 0, result: answer(200, listBody([created({ created_at: T0 - 3_600 })])) };
  const service = {
    read: async (): Promise<AttemptResult> => {
      world.reads += 1;
      return world.result;
    },
  };
  const clock = { wall: () => world.passed, mono: () => world.passed, later: () => () => undefined, shift: () => 0 };
  const actor = { account: ACCOUNT, apiKey: 'sk_1', clock };
  return Object.assign(world, { service, actor, read: createWithdrawalsReader(service) });
}

test('the list that was read last is good enough until it is too old, or doesn’t go back far enough', async () => {
  const world = createWorld();
  const { read, actor } = world;
  await Promise.all([read(actor, T0, MINUTE), read(actor, T0 + 60, MINUTE)]);
  expect(world.reads).toBe(1);
  world.passed = MINUTE - 1;
  await read(actor, T0, MINUTE);
  expect(world.reads).toBe(1);
  await read(actor, T0 - 60, MINUTE);
  expect(world.reads).toBe(2);
  world.passed = 2 * MINUTE;
  await read(actor, T0, MINUTE);
  expect(world.reads).toBe(3);
  await read({ ...actor, account: 'another' }, T0, MINUTE);
  expect(world.reads).toBe(4);
  await read(actor, T0, 0);
  expect(world.reads).toBe(5);
});

test('a list that couldn’t be read is not kept', async () => {
  const world = createWorld();
  const { result } = world;
  Object.assign(world, { result: lost() });
  expect(await world.read(world.actor, T0, MINUTE)).toEqual({ status: 'unreadable' });
  world.result = result;
  expect(await world.read(world.actor, T0, MINUTE)).toMatchObject({ status: 'listed' });
});

test('finds payments to the destination on each of the latest ten pages, and says if there are more', async () => {
  const { actor } = createWorld();
  const pages: string[] = [];
  const read = async (_: string, target: string): Promise<AttemptResult> => {
    pages.push(target);
    const id = `wd_${pages.length}`;
    return answer(200, listBody([created({ id })], id));
  };
  const list = await readLatestWithdrawals({ read }, actor);
  expect(list).toMatchObject({ status: 'partly' });
  expect(list.status === 'unreadable' ? null : list.paidTo(SENT)).toHaveLength(10);
  expect(pages).toHaveLength(10);
});
