import * as fc from 'fast-check';
import type { ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { jsx, jsxs } from 'react/jsx-runtime';
import { expect, test } from 'vitest';
import { withOwnText } from './ownText.ts';

const none: ReactNode = null;
const count = 3;
const Words = () => <>of words</>;

test.each([
  { of: 'text', node: <p>Up to now</p>, markup: '<p>Up to now</p>' },
  {
    of: 'text beside an element',
    node: (
      <p>
        Up to <b>now</b>.
      </p>
    ),
    markup: '<p><span>Up to </span><b>now</b><span>.</span></p>',
  },
  {
    of: 'text in parts',
    node: (
      <p>
        {count} of {none}
        {7}
      </p>
    ),
    markup: '<p>3 of 7</p>',
  },
  {
    of: 'text in parts beside an element',
    node: (
      <p>
        {count} of {none}7<i />
      </p>
    ),
    markup: '<p><span>3 of 7</span><i></i></p>',
  },
  {
    of: 'blanks',
    node: (
      <p>
        <b>a</b> <b>b</b>
      </p>
    ),
    markup: '<p><b>a</b> <b>b</b></p>',
  },
  {
    of: 'a fragment',
    node: (
      <p>
        A number <Words />
      </p>
    ),
    markup: '<p><span>A number </span><span>of words</span></p>',
  },
  {
    of: 'a list',
    node: (
      <p>
        All:
        {['a', <b key="b">b</b>]}
      </p>
    ),
    markup: '<p><span>All:</span><span>a</span><b>b</b></p>',
  },
  { of: 'an option', node: <option>{count} rows</option>, markup: '<option>3 rows</option>' },
  {
    of: 'what is not translated',
    node: (
      <p translate="no">
        0.1<b>00</b>
      </p>
    ),
    markup: '<p translate="no">0.1<b>00</b></p>',
  },
])('$of', ({ node, markup }) => {
  expect(renderToStaticMarkup(node)).toBe(markup);
});

test('no text node has siblings, no text is lost, and every other node keeps its position', () => {
  const leaf = fc.constantFrom<ReactNode>('a', 'b ', ' ', '', 0, 12, null, undefined, false, <i key="i" />);
  fc.assert(
    fc.property(fc.array(leaf, { maxLength: 6 }), (children) => {
      const { children: own } = withOwnText('p', { children });
      const markup = renderToStaticMarkup(jsx('p', { children: own }));
      expect(markup.replaceAll(/<\/?span>/g, '')).toBe(renderToStaticMarkup(jsxs('p', { children })));
      expect(markup).not.toMatch(/<\/\w+>\s*[^\s<]|[^\s>]\s*<\w/);
      const places = (nodes: unknown) =>
        Array.isArray(nodes)
          ? nodes.flatMap((node, at) => (node === children[at] && typeof node === 'object' ? at : []))
          : null;
      expect(places(own) ?? []).toEqual(Array.isArray(own) ? places(children) : []);
    }),
  );
});
