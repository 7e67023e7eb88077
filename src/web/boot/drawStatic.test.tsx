import fc from 'fast-check';
import type { ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test, vi } from 'vitest';
import type { ListField, ListRow } from '#src/web/list/fields.tsx';
import { drawStatic } from './drawStatic.ts';
import type { CellContext } from '#src/web/list/rows/cellContext.ts';
import { drawCell, drawRow } from '#src/web/list/rows/listCells.tsx';

const escaped = (text: string) =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#x27;');

/** The parts of the DOM that drawStatic uses; `html` is formatted as by React. */
class FakeElement {
  readonly #name: string;
  readonly #attributes = new Map<string, string>();
  readonly #styles: string[] = [];
  readonly #parts: (FakeElement | string)[] = [];
  readonly style = { setProperty: (name: string, value: string) => this.#styles.push(`${name}:${value}`) };
  constructor(name: string) {
    this.#name = name;
  }
  get ownerDocument() {
    return { createDocumentFragment: () => new FakeElement('') };
  }
  setAttribute(name: string, value: string): void {
    this.#attributes.set(name, value);
  }
  append(part: FakeElement | string): void {
    this.#parts.push(part);
  }
  get inner(): string {
    return this.#parts.map((part) => (typeof part === 'string' ? escaped(part) : part.html)).join('');
  }
  get html(): string {
    if (this.#name === '') return this.inner;
    const attributes = [...this.#attributes].map(([name, value]) => ` ${name}="${escaped(value)}"`);
    if (this.#styles.length > 0) attributes.push(` style="${escaped(this.#styles.join(';'))}"`);
    return `<${this.#name}${attributes.toSorted().join('')}>${this.inner}</${this.#name}>`;
  }
}

function drawn(node: ReactNode): string {
  vi.stubGlobal('document', { createElement: (name: string) => new FakeElement(name) });
  const element = new FakeElement('');
  drawStatic(node, element as unknown as Element);
  vi.unstubAllGlobals();
  return element.html;
}

/** React's markup with the attributes of each element sorted, as above. */
function byReact(node: ReactNode): string {
  return renderToStaticMarkup(node).replaceAll(/<(\w+)((?: [\w-]+="[^"]*")+)>/g, (_, name: string, all: string) => {
    const attributes = all.match(/ [\w-]+="[^"]*"/g) ?? [];
    return `<${name}${attributes.toSorted().join('')}>`;
  });
}

const onlyReact = (): never => {
  throw new TypeError('Only React can draw it.');
};
const context: CellContext = {
  hrefOf: (id) => `/deposits/${encodeURIComponent(id)}`,
  linkColumn: 'created',
  one: 'deposit',
  amountOf: (row) => row['received_amount'],
  decimals: 8,
  zone: 'utc',
  amountsHidden: false,
  odd: { amount: onlyReact, time: onlyReact },
};
const hostile = fc.oneof(
  fc.string({ maxLength: 40 }),
  fc.constantFrom('<script>alert(1)</script>', '\u202Egnp.exe', '"><img src=x>', 'a'.repeat(500)),
);
const amount = fc.oneof(fc.stringMatching(/^-?[0-9]{1,60}(\.[0-9]{1,40})?$/), fc.constant('9'.repeat(60)));
const FIELDS: readonly ListField<ListRow>[] = [
  { name: 'id', label: 'ID', kind: 'id' },
  { name: 'status', label: 'Status', kind: 'status' },
  { name: 'chain', label: 'Chain', kind: 'chain' },
  { name: 'address', label: 'To', kind: 'address' },
  { name: 'tx_hash', label: 'Hash', kind: 'hash' },
  { name: 'amount', label: 'Amount', kind: 'amount' },
  { name: 'moved', label: 'Moved', kind: 'movement' },
  { name: 'created_at', label: 'Created', kind: 'time' },
];

test('a row is drawn as by React, whatever its values', () => {
  const row = fc.record({
    id: hostile,
    asset: hostile,
    status: fc.oneof(hostile, fc.constantFrom('failed', 'completed', 'broadcasted', 'pending', null)),
    chain: fc.oneof(hostile, fc.constantFrom('trc20', null)),
    address: fc.oneof(hostile, fc.constant(null)),
    tx_hash: fc.oneof(hostile, fc.constant(null)),
    amount,
    moved: amount,
    created_at: fc.integer({ min: 1_600_000_000, max: 1_900_000_000 }),
  });
  fc.assert(
    fc.property(row, fc.boolean(), (row, newDay) => {
      const cells = FIELDS.map((field) =>
        drawCell(field, row, {
          column: field.name,
          row,
          value: row[field.name as keyof typeof row],
          context,
          seen: false,
        }),
      );
      const node = drawRow({ at: 3, height: 36, open: false, newDay }, cells);
      expect(drawn(node)).toBe(byReact(node));
    }),
  );
});

test('a component, a handler and an unknown attribute are left to React', () => {
  const Component = () => <b>x</b>;
  expect(() => drawn(<Component />)).toThrow('component');
  expect(() => drawn(<p onCopy={() => undefined}>x</p>)).toThrow('onCopy');
  expect(() => drawn(<p title="x">x</p>)).toThrow('title');
});
