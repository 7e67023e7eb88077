import { expect, test } from 'vitest';
import { freeze } from './freeze.ts';
import { settled } from './house.ts';
import { executed } from './service.ts';

test('frozen for a second between commit and bytes (row 26f): sent once', async () => {
  const { merchant, server, person, wish } = await freeze('frozen', 1_000);
  expect((await settled(person, wish.key)).operation.state).toBe('succeeded');
  expect((await executed(merchant, wish.address)).to).toBe(1);
  expect((await server.stop()).code).toBe(0);
});
