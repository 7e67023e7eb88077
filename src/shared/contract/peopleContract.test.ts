import * as v from 'valibot';
import { expect, test } from 'vitest';
import { actStatement, personNameSchema } from './peopleContract.ts';

test('the statement of an act doesn’t depend on its proof, nor on the order of members', () => {
  const statement = actStatement('POST', '/api/invites', { name: 'Bo', permissions: ['view'] });
  expect(statement).toBe('POST /api/invites\n{"name":"Bo","permissions":["view"]}');
  expect(actStatement('POST', '/api/invites', { permissions: ['view'], proof: {}, name: 'Bo' })).toBe(statement);
});

test.each(['Zoë Ångström', '李 小龙', 'नेहा', ' Bo '])('a name can be %j', (name) => {
  expect(v.parse(personNameSchema, name)).toBe(name.trim());
});

test.each([
  ['', /Enter a name/],
  ['B'.repeat(61), /longer than 60/],
  ['Bo\u202E', /invisible/],
  ['B\to', /invisible/],
])('a name can’t be %j', (name, words) => {
  const result = v.safeParse(personNameSchema, name);
  expect(result.issues?.[0].message).toMatch(words);
});
