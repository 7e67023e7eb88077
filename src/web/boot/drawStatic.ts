import type { ReactElement, ReactNode } from 'react';

const FRAGMENT: unknown = Symbol.for('react.fragment');
const ATTRIBUTES = /^(role|dir|href|type|translate|data-[a-z-]+|aria-[a-z]+)$/;

/** Renders host elements to the DOM as React would. Throws, without rendering anything, at components and unknown attributes. */
export function drawStatic(node: ReactNode, parent: Element): void {
  const drawn = parent.ownerDocument.createDocumentFragment();
  draw(node, drawn);
  parent.append(drawn);
}

function draw(node: ReactNode, into: ParentNode): void {
  if (typeof node === 'string' || typeof node === 'number') return into.append(String(node));
  if (node === null || node === undefined || typeof node === 'boolean') return undefined;
  if (Array.isArray(node)) {
    for (const each of node as readonly ReactNode[]) draw(each, into);
    return undefined;
  }
  if (typeof node === 'bigint' || !isElement(node)) throw new TypeError('Only React can draw it.');
  const { type, props } = node;
  if (type === FRAGMENT) return draw(props.children, into);
  if (typeof type !== 'string') throw new TypeError('Only React can draw a component.');
  const element = document.createElement(type);
  for (const name in props) {
    if (name === 'style') setStyle(element, props[name]);
    else if (name !== 'children') setAttribute(element, name, props[name]);
  }
  draw(props.children, element);
  into.append(element);
  return undefined;
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

/** Sets properties one by one: the page's security policy blocks a style attribute as text. */
function setStyle(element: HTMLElement, style: unknown): void {
  for (const [name, value] of Object.entries(style ?? {})) {
    if (typeof value !== 'string' && typeof value !== 'number') throw new TypeError(`Only React can set ${name}.`);
    element.style.setProperty(name, typeof value === 'number' ? `${value}px` : value);
  }
}
