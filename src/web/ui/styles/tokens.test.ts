import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const css = readFileSync(new URL('./tokens.css', import.meta.url), 'utf8');
const colors = new Map(
  [...css.matchAll(/--color-([\w-]+): light-dark\((#\w{6}), (#\w{6})\)/g)].map(([, name, ...values]) => [name, values]),
);

/** WCAG's relative luminance of #rrggbb. */
function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = parseInt(hex.slice(at, at + 2), 16) / 255;
    return part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: string, other: string, theme: number): number {
  const [dark = 0, light = 0] = [one, other]
    .map((name) => luminance(colors.get(name)?.[theme] ?? ''))
    .toSorted((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

const GROUNDS = ['sheet', 'desk', 'inset', 'hover', 'selected'];
const TINTS = ['proof-tint', 'motion-tint', 'open-tint', 'alarm-tint'];
const INKS = ['ink', 'ink-2', 'ink-3', 'link', 'proof', 'motion', 'open', 'alarm'];
const SHAPES = ['rule-strong', 'accent', 'chart-1', 'chart-2', 'alarm-solid'];

test.each([
  ['text', INKS, [...GROUNDS, ...TINTS], 4.5],
  ['text on a button', ['on-accent'], ['accent', 'alarm-solid'], 4.5],
  ['edges, bars and strokes', SHAPES, GROUNDS, 3],
] as const)('%s can be told from every ground, in both themes', (_what, fronts, grounds, least) => {
  const faint = fronts.flatMap((front) =>
    grounds.flatMap((ground) =>
      ['light', 'dark'].flatMap((theme, at) => {
        const found = contrast(front, ground, at);
        return found >= least ? [] : [`${front} on ${ground}, ${theme}: ${found.toFixed(2)}`];
      }),
    ),
  );
  expect(faint).toEqual([]);
});
