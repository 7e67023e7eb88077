import { expect, test } from 'vitest';
import { authorName, byWhom, NOBODY } from './author.ts';

test('a name that was only typed is marked, a person’s isn’t', () => {
  expect(byWhom({ who: 'Ana', person: 'per_1' })).toBe(' by Ana');
  expect(byWhom({ who: 'Ana', person: null })).toBe(' by Ana (not verified)');
  expect(authorName({ who: 'Ana', person: null })).toBe('Ana (not verified)');
});

test('without a name there is nothing to mark', () => {
  expect([byWhom(NOBODY), byWhom({ who: '', person: null }), authorName(NOBODY)]).toEqual(['', '', '']);
});
