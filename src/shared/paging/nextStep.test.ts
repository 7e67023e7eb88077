import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { createPageFollower, EMPTY_PAGES_MAX, nextStep } from './nextStep.ts';

const page = (next_cursor: string | null, has_more: boolean | null = next_cursor !== null) => ({
  next_cursor,
  has_more,
});

test('only has_more ends a list, or a missing cursor if has_more is missing too', () => {
  const used = [null];
  expect(nextStep(page('a'), { used })).toEqual({ kind: 'more', cursor: 'a' });
  expect(nextStep(page('a'), { used, emptyPages: 1 })).toEqual({ kind: 'more', cursor: 'a' });
  expect(nextStep(page('a', null), { used })).toEqual({ kind: 'more', cursor: 'a' });
  expect(nextStep(page('a', false), { used })).toEqual({ kind: 'end' });
  expect(nextStep(page(null, null), { used })).toEqual({ kind: 'end' });
  expect(nextStep(page(null, true), { used })).toMatchObject({ kind: 'broken' });
  expect(nextStep({ ...page('a'), broken: 'Why.' }, { used })).toEqual({ kind: 'broken', reason: 'Why.' });
});

test('a reader gets every item of a list, however many empty pages are between them', () => {
  const pages = fc.array(fc.record({ item: fc.nat(), emptyPages: fc.nat({ max: EMPTY_PAGES_MAX }) }), { minLength: 1 });
  fc.assert(
    fc.property(pages, (list) => {
      const sent = list.flatMap(({ emptyPages }, at) => [...Array.from({ length: emptyPages }, () => []), [at]]);
      const follower = createPageFollower();
      const received: number[] = [];
      let cursor: string | null = null;
      for (let kind = 'more'; kind === 'more';) {
        follower.noteSent(cursor);
        const at: number = cursor === null ? 0 : Number(cursor);
        const items = sent[at] ?? [];
        received.push(...items);
        const { step } = follower.follow(page(at + 1 < sent.length ? `${at + 1}` : null), items);
        kind = step.kind;
        if (step.kind === 'more') cursor = step.cursor;
      }
      expect(received).toEqual(list.map((_, at) => at));
    }),
  );
});
