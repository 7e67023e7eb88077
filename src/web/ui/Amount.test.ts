import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { Amount, integerWidth } from './Amount.tsx';

test('a column grows with its longest integer part, including separators', () => {
  const small = integerWidth(['0.5', '12.000000000000000000']).em;
  const large = integerWidth(['0.5', '18204551.06']).em;
  expect(large).toBeGreaterThan(small);
  expect(large).toBeGreaterThanOrEqual(8 * 0.632 + 2 * 0.3);
});

test('a column never grows beyond the maximum', () => {
  expect(integerWidth(['9'.repeat(60)], 24).em).toBe(24);
});

test('a value that is not an amount needs no width', () => {
  expect(integerWidth([null, 12345678901234, 'x'.repeat(90)]).em).toBe(integerWidth(['1']).em);
});

const drawn = (props: Parameters<typeof Amount>[0]) => renderToStaticMarkup(createElement(Amount, props));
const textOf = (markup: string) => markup.replaceAll(/<[^>]*>/g, '');

test('a zero is shown as 0, unless it is compared with another amount', () => {
  expect(textOf(drawn({ value: '0.000000' }))).toBe('0');
  expect(textOf(drawn({ value: '-0.00' }))).toBe('0');
  expect(textOf(drawn({ value: '0.000000', compared: true }))).toBe('0.000000');
});

test('decimals after the eighth are paler, and no decimal is dropped', () => {
  const amount = drawn({ value: '1.123456789012000' });
  expect(textOf(amount)).toBe('1.123456789012000');
  expect(amount).toContain('<span class="t">9012</span><span class="z">000</span>');
  expect(drawn({ value: '1.12345678' })).not.toContain('class="t"');
  expect(drawn({ value: '1.123456789', readBack: true })).not.toContain('class="t"');
});

test('a minus is as wide as a plus, so that decimal points align', () => {
  const ownWidth = (value: string) => /--own:[^"]*/.exec(drawn({ value, signed: true }))?.[0];
  expect(ownWidth('-2.5')).toBe(ownWidth('2.5'));
});
