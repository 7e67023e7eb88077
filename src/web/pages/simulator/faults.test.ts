import { expect, test } from 'vitest';
import { readFault } from '#src/sandbox/fault.ts';
import { describeArmed, faultOf, targets, troubles } from './faults.ts';

const pairs = troubles.flatMap((trouble) => targets.map((target) => ({ trouble, target })));

test.each(pairs)(
  'the sandbox accepts “$trouble.label” for “$target.label”, and it is described the same',
  ({ trouble, target }) => {
    const fault = readFault({ ...faultOf(trouble, target, 3, trouble.seconds ?? 0) });
    expect(fault.times).toBe(3);
    expect(describeArmed({ fault })).toEqual({ what: trouble.label, meets: target.words });
  },
);

test('an unknown fault is described as far as possible', () => {
  expect(describeArmed({ fault: readFault({ path: '/v1/charges', stall: true }) })).toEqual({
    what: 'Another fault',
    meets: 'Any method /v1/charges',
  });
});
