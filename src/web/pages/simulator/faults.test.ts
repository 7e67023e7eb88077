import { expect, test } from 'vitest';
import { readFault } from '#src/sandbox/fault.ts';
import { describeArmed, faultOf, targets, troubles } from './faults.ts';

const pairs = troubles.flatMap((trouble) => targets.map((target) => ({ trouble, target })));

test.each(pairs)('$trouble.label, $target.label: taken by the sandbox, and named again', ({ trouble, target }) => {
  const fault = readFault({ ...faultOf(trouble, target, 3, trouble.seconds ?? 0) });
  expect(fault.times).toBe(3);
  expect(describeArmed({ fault })).toEqual({ what: trouble.label, meets: target.words });
});

test('a fault of somebody else is named as far as it is known', () => {
  expect(describeArmed({ fault: readFault({ path: '/v1/charges', stall: true }) })).toEqual({
    what: 'Another fault',
    meets: 'Any method /v1/charges',
  });
});
