import { expect, test } from 'vitest';
import { accountName, parsePreferences } from './preferences.ts';

const defaults = {
  zone: 'utc',
  theme: 'system',
  hideAmounts: false,
  singleKeys: true,
  chartShown: false,
  simulatorSeen: false,
  density: 'comfortable',
  columns: {},
  ownName: '',
  accountNames: {},
  visits: {},
};

test.each([[''], ['{'], ['null'], ['[]'], ['"dark"'], ['{"zone":7,"theme":"pink","accountNames":[1]}']])(
  'stored %s gives the defaults',
  (text) => {
    expect(parsePreferences(text)).toEqual(defaults);
  },
);

test('stored preferences are read back, without names that are not text', () => {
  const text =
    '{"zone":"local","theme":"dark","singleKeys":false,"chartShown":true,"density":"compact","columns":{"/deposits":["id"],"/x":[1]},"ownName":"Ana","accountNames":{"s a":"Northmill","s b":7},"visits":{"s a":{"since":1,"at":2},"s b":3}}';
  expect(parsePreferences(text)).toEqual({
    zone: 'local',
    theme: 'dark',
    hideAmounts: false,
    singleKeys: false,
    chartShown: true,
    simulatorSeen: false,
    density: 'compact',
    columns: { '/deposits': ['id'] },
    ownName: 'Ana',
    accountNames: { 's a': 'Northmill' },
    visits: { 's a': { since: 1, at: 2 } },
  });
});

test('a name is looked up among own properties only', () => {
  expect(accountName({ ...parsePreferences(''), accountNames: {} }, '__proto__', '')).toBeUndefined();
});
