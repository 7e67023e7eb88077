import { expect, test } from 'vitest';
import { postgresPrograms } from './programs.ts';

// Stands in for the contract suite where there is no PostgreSQL: a machine that must have one fails here.
test('PostgreSQL may be absent unless REQUIRE_POSTGRES says otherwise', () => {
  expect(postgresPrograms()).toBeUndefined();
  expect(process.env['REQUIRE_POSTGRES'], 'REQUIRE_POSTGRES=1, but initdb is not here').toBeUndefined();
});
