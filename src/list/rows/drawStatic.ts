import type { ReactElement, ReactNode } from 'react';

/** Of a document what drawing needs. */
export type Paper = Pick<Document, 'createElement' | 'createTextNode' | 'createDocumentFragment'>;

const FRAGMENT: unknown = Symbol.for('react.fragment');
const ATTRIBUTES = /^(role|dir|href|type|data-[a-z-]+|aria-[a-z]+)$/;

/** Makes of host elements what React would make of them, without it; throws at a component and at what it does not know. */
export function drawStatic(node: ReactNode, paper: Paper = document): Node {
  if (typeof node === 'string' || typeof node === 'number') return paper.createTextNode(String(node));
  const drawn = paper.createDocumentFragment();
  if (node === null || node === undefined || typeof node === 'boolean') return drawn;
  if (Array.isArray(node)) {
    for (const each of node as readonly ReactNode[]) drawn.append(drawStatic(each, paper));
    return drawn;
  }
  if (typeof node === 'bigint' || !isElement(node)) throw new TypeError('Only React can draw it.');
  const { type, props } = node;
  if (type === FRAGMENT) return drawStatic(props.children, paper);
  if (typeof type !== 'string') throw new TypeError('Only React can draw a component.');
  const element = paper.createElement(type);
  for (const [name, value] of Object.entries(props)) {
    if (name === 'style') setStyle(element, value);
    else if (name !== 'children') setAttribute(element, name, value);
  }
  element.append(drawStatic(props.children, paper));
  return element;
}

type HostElement = ReactElement<{ readonly [name: string]: unknown; readonly children?: ReactNode }>;

function isElement(node: object): node is HostElement {
  return 'type' in node && 'props' in node;
}

function setAttribute(element: HTMLElement, name: string, value: unknown): void {
  if (value === undefined || value === null) return;
  const isText = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
  if (!isText || !(name === 'className' || ATTRIBUTES.test(name))) throw new TypeError(`Only React can set ${name}.`);
  element.setAttribute(name === 'className' ? 'class' : name, String(value));
}

/** Property by property: a style attribute as text is nothing that the page's policy lets through. */
function setStyle(element: HTMLElement, style: unknown): void {
  for (const [name, value] of Object.entries(style ?? {})) {
    if (typeof value !== 'string' && typeof value !== 'number') throw new TypeError(`Only React can set ${name}.`);
    element.style.setProperty(name, typeof value === 'number' ? `${value}px` : value);
  }
}
