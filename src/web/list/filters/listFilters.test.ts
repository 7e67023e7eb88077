import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ListFilters } from '#src/shared/contract/contract.ts';
import { pageQuery } from '#src/web/api/paging/pageQuery.ts';
import {
  changeFilters,
  describeFilters,
  rowFilterOf,
  narrowing,
  readFilters,
  sentFilters,
  writeFilters,
} from './filterTable.ts';
import { FILTERS } from './listFilters.tsx';

const { source: _source, ...PAYMENTS } = FILTERS;
const { status: _status, ...LEDGER } = FILTERS;

const read = (search: string) => readFilters<ListFilters>(new URLSearchParams(search), PAYMENTS);

describe('filters in the URL', () => {
  test('have the names of the contract', () => {
    expect(read('status=completed&asset=BTC&created_after=1&created_before=2&order=asc')).toEqual({
      filters: { status: 'completed', asset: 'BTC', created_after: 1, created_before: 2, order: 'asc' },
      ignored: [],
    });
  });

  test('an absent filter means its default, and so does the default itself', () => {
    expect(read('')).toEqual({ filters: {}, ignored: [] });
    expect(read('order=desc')).toEqual({ filters: {}, ignored: [] });
  });

  test.each([
    'created_after=abc',
    'created_before=-5',
    'created_after=1e9',
    'created_after=1.5',
    'created_after=99999999999999',
    'order=sideways',
    'status=',
    `status=${'x'.repeat(201)}`,
  ])('junk falls back and is named: %s', (search) => {
    const { filters, ignored } = read(search);
    expect(filters).toEqual({});
    expect(ignored).toHaveLength(1);
  });

  test('the first of a repeated filter counts, and the other is reported', () => {
    expect(read('status=a&status=b')).toEqual({ filters: { status: 'a' }, ignored: ['status=b'] });
  });

  test('an unknown status is accepted', () => {
    expect(read('status=%3Cscript%3E').filters).toEqual({ status: '<script>' });
  });

  test('writing keeps other parameters and drops invalid filters', () => {
    const next = writeFilters(new URLSearchParams('tab=raw&created_after=abc&status=old'), { status: 'new' }, PAYMENTS);
    expect(next).toBe('tab=raw&status=new');
  });

  test('a list reads and writes its own filters, and leaves those of others alone', () => {
    const search = new URLSearchParams('status=completed&source=dep_1&asset=BTC&asset=ETH');
    expect(readFilters<ListFilters>(search, LEDGER)).toEqual({
      filters: { asset: 'BTC', source: 'dep_1' },
      ignored: ['asset=ETH'],
    });
    expect(readFilters<ListFilters>(search, PAYMENTS).filters).toEqual({ status: 'completed', asset: 'BTC' });
    expect(writeFilters(search, { source: 'wd_2' }, LEDGER)).toBe('status=completed&source=wd_2');
  });

  test('a row at the very second of a bound belongs to one day', () => {
    const day = 1_793_491_200;
    const keep = rowFilterOf({ created_after: day - 1, created_before: day + 86_400 }, FILTERS);
    const kept = [day - 1, day, day + 86_399, day + 86_400, 'no time'].map((at) =>
      keep?.({ id: '', asset: '', created_at: at }, '1'),
    );
    expect(kept).toEqual([false, true, true, false, true]);
  });

  test('a recipient is one address, however a row spells it', () => {
    const { filters } = readFilters(new URLSearchParams('to=0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'), FILTERS);
    expect(describeFilters(filters, FILTERS, 'utc')).toBe('to 0x5aAeb…eAed');
    expect(sentFilters(filters, FILTERS)).toEqual({});
    const keep = rowFilterOf(filters, FILTERS);
    const rows = ['0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed', '0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaee', null];
    expect(rows.map((address) => keep?.({ id: '', asset: '', chain: 'ethereum', address }, '1'))).toEqual([
      true,
      false,
      false,
    ]);
  });

  test('a chain is one chain, however a link or a row spells it', () => {
    const { filters } = readFilters(new URLSearchParams('chain=TRC20'), FILTERS);
    expect(describeFilters(filters, FILTERS, 'utc')).toBe('chain Tron');
    const keep = rowFilterOf(filters, FILTERS);
    const kept = ['tron', 'Tron', 'TRX', 'ethereum', 'tronic', null].map((chain) =>
      keep?.({ id: '', asset: '', chain }, '1'),
    );
    expect(kept).toEqual([true, true, true, false, false, false]);
    expect(readFilters(new URLSearchParams('chain=my%20Chain'), FILTERS).filters).toEqual({ chain: 'my Chain' });
  });

  test('the default order is no filter', () => {
    expect(narrowing<ListFilters>({ order: 'asc' }, FILTERS)).toEqual([]);
    expect(narrowing<ListFilters>({ asset: 'BTC', order: 'asc' }, FILTERS)).toEqual(['asset']);
    expect(changeFilters({ status: 'a', asset: 'b' }, { status: undefined })).toEqual({ asset: 'b' });
  });

  test('filters read back as they were written', () => {
    const word = fc.string({ minLength: 1, maxLength: 60, unit: 'grapheme' });
    const filters = fc.record(
      {
        status: word,
        asset: word,
        created_after: fc.nat(),
        created_before: fc.nat(),
        order: fc.constant('asc' as const),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(filters, (given) => {
        const written = writeFilters(new URLSearchParams(), given, PAYMENTS);
        expect(read(written)).toEqual({ filters: given, ignored: [] });
        // The URL and the request have the same values.
        const [sent, stands] = [pageQuery(given, null, undefined), new URLSearchParams(written)];
        sent.sort();
        stands.sort();
        expect(`${sent}`).toBe(`${stands}`);
      }),
    );
  });

  test('no search string throws', () => {
    fc.assert(fc.property(fc.string(), (search) => void read(search)));
  });

  test('are described in words, without the order', () => {
    const describe = (filters: ListFilters) => describeFilters(filters, FILTERS, 'utc');
    const days = { created_after: 1_793_491_199, created_before: 1_793_577_600 };
    expect(describe({ status: 'completed', asset: 'BTC', source: 'dep_1', order: 'asc', ...days })).toBe(
      'status completed, asset BTC, source dep_1, created 1 Nov 2026, UTC',
    );
    expect(describe({ created_before: days.created_before })).toBe('created to 1 Nov 2026, UTC');
    expect(describe({ order: 'asc' })).toBe('');
  });
});
