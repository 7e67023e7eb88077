import { encode } from 'uqr';
import { expect, test } from 'vitest';
import { qrPath } from './Qr.tsx';

const ADDRESS = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4';

/** The modules that a path fills, as rows of # and space. */
function drawn({ size, path }: { size: number; path: string }): string[] {
  const rows = Array.from({ length: size }, () => Array.from({ length: size }, () => ' '));
  for (const [, x, y] of path.matchAll(/M(\d+) (\d+)h1v1h-1z/g)) rows[Number(y)]![Number(x)] = '#';
  return rows.map((row) => row.join(''));
}

test('the path fills exactly the dark modules, with a border of four light ones', () => {
  const bare = encode(ADDRESS, { ecc: 'M', border: 0 });
  const rows = drawn(qrPath(ADDRESS));
  expect(rows).toHaveLength(bare.size + 8);
  const inner = rows.slice(4, -4).map((row) => row.slice(4, -4));
  expect(inner).toEqual(bare.data.map((row) => row.map((dark) => (dark ? '#' : ' ')).join('')));
  expect(rows.join('').split('#')).toHaveLength(inner.join('').split('#').length);
});

test('the three corner patterns are in place', () => {
  const rows = drawn(qrPath(ADDRESS));
  const corner = ['#######', '#     #', '# ### #', '# ### #', '# ### #', '#     #', '#######'];
  const at = (x: number, y: number) => rows.slice(y, y + 7).map((row) => row.slice(x, x + 7));
  const far = rows.length - 4 - 7;
  expect([at(4, 4), at(far, 4), at(4, far)]).toEqual([corner, corner, corner]);
});
