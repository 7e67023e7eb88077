import { expect, test } from 'vitest';
import { postgresPrograms } from './programs.ts';

// Replaces the PostgreSQL suite on machines without it; fails where PostgreSQL is required.
test('PostgreSQL may be absent unless REQUIRE_POSTGRES says otherwise', () => {
  expect(postgresPrograms()).toBeUndefined();
  expect(process.env['REQUIRE_POSTGRES'], 'REQUIRE_POSTGRES=1, but initdb is not here').toBeUndefined();
});
