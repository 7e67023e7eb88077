import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createMarks } from './marks.ts';
import { openMarkFile } from './markFile.ts';

const marks = createMarks(new Uint8Array(32), 'https://a.test');
const mark = (position: bigint): string => marks.write({ id: 'jnl_1', position, nonce: `n${position}` });
const warn = vi.fn<(line: string) => void>();
let directory: string;
const open = () => openMarkFile(directory, marks, warn);
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'mark-file-'));
  warn.mockReset();
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

test('a first start has no mark, and does not warn', () => {
  expect(open().read()).toEqual([]);
  expect(warn).not.toHaveBeenCalled();
});

test.each([
  ['empty', ''],
  ['blank', ' '.repeat(8192)],
  ['of zeros', '\0'.repeat(8192)],
  ['of other words', 'jnl_1 40\n'],
  ['a mark cut short', mark(1n).slice(0, -1)],
])('a file that is %s is reported in one line', async (_what, text) => {
  writeFileSync(join(directory, 'journal-mark'), text);
  const store = open();
  expect([store.read(), warn.mock.calls]).toEqual([
    [],
    [[expect.stringContaining('can’t tell whether its database was restored since it last ran')]],
  ]);
  await store.keep(mark(1n));
  expect([open().read(), warn.mock.calls.length]).toEqual([[mark(1n)], 1]);
});

test('a file that cannot be read is reported', () => {
  mkdirSync(join(directory, 'journal-mark'));
  expect(open().read()).toEqual([]);
  expect(warn.mock.calls[0]).toEqual([expect.stringContaining('can’t tell whether its database was restored')]);
});

test('the latest mark is read at the next start, whichever slot it is in', async () => {
  for (const last of [1n, 2n, 3n]) {
    await open().keep(mark(last));
    expect(open().read()).toContain(mark(last));
  }
});

test('of marks that arrive at once the latest is kept', async () => {
  const store = open();
  await Promise.all([1n, 2n, 3n, 4n].map((position) => store.keep(mark(position))));
  expect(open().read()).toContain(mark(4n));
});

test('after a set-back both marks are read: the later one may have the lower position', async () => {
  const store = open();
  const later = marks.write({ id: 'jnl_2', position: 7n, nonce: 'n7' });
  await store.keep(mark(15n));
  await store.keep(later);
  expect(open().read()).toEqual(expect.arrayContaining([mark(15n), later]));
});

test('a torn write leaves the mark before it', async () => {
  const store = open();
  await store.keep(mark(1n));
  await store.keep(mark(2n));
  const path = join(directory, 'journal-mark');
  const text = readFileSync(path, 'latin1');
  writeFileSync(path, text.replace(mark(2n), mark(2n).slice(0, 12)));
  expect(open().read()).toEqual([mark(1n)]);
});

test('a mark signed with another secret is returned, for the caller to reject', async () => {
  const other = createMarks(new Uint8Array(32).fill(1), 'https://a.test').write({
    id: 'jnl_1',
    position: 1n,
    nonce: 'n1',
  });
  await open().keep(other);
  expect(open().read()).toEqual([other]);
});

test('a folder that cannot be written is reported, and does not stop the server', async () => {
  directory = join(directory, 'file');
  writeFileSync(directory, '');
  chmodSync(directory, 0o400);
  const store = open();
  await store.keep(mark(1n));
  expect([store.read(), warn.mock.calls.length]).toEqual([[], 1]);
});
