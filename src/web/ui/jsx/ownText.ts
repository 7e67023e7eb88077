import type { ElementType, ReactNode } from 'react';
import { Fragment, jsx } from 'react/jsx-runtime';

// Page translators replace text nodes with their own elements. React keeps a reference to a text node that has siblings, and
// throws when it later removes that node or inserts before it. An element's only text is safe, as React sets it as a whole.
// So each text with siblings is wrapped in a <span> here, for all components.

/** Elements that can contain only text, or no HTML elements. */
const TEXT_ONLY = new Set<ElementType>(['option', 'title', 'textarea', 'style', 'text', 'tspan', 'desc']);

export interface WithChildren {
  children?: ReactNode;
  translate?: unknown;
}

/** The props with each text in its own element, or joined into one text if there are no other children. */
export function withOwnText<P extends WithChildren>(type: ElementType, props: P): P {
  const { children, translate } = props;
  // Translators skip this element.
  if (translate === 'no') return props;
  if (!Array.isArray(children)) {
    return type === Fragment && isText(children) ? { ...props, children: wrapped(children, 0) } : props;
  }
  const nodes: readonly ReactNode[] = children;
  if (!nodes.some((node) => isText(node) || Array.isArray(node))) return props;
  const texts = joined(nodes);
  const isAlone = texts.every((node) => isText(node) || isNothing(node));
  if (isAlone && type !== Fragment) return { ...props, children: texts.filter(isText).join('') };
  return TEXT_ONLY.has(type) ? props : { ...props, children: texts.map(wrapped) };
}

function isText(node: ReactNode): node is string | number | bigint {
  return typeof node === 'string' || typeof node === 'number' || typeof node === 'bigint';
}

function isNothing(node: ReactNode): boolean {
  return node === null || node === undefined || typeof node === 'boolean';
}

/** Joins adjacent texts at the index of the first. Every other node keeps its index, and therefore its state. */
function joined(nodes: readonly ReactNode[]): ReactNode[] {
  const all = [...nodes];
  let first = -1;
  let text = '';
  for (const [at, node] of nodes.entries()) {
    if (isNothing(node)) continue;
    if (!isText(node)) {
      first = -1;
      continue;
    }
    all[at] = null;
    if (first === -1) [first, text] = [at, ''];
    text += String(node);
    all[first] = text;
  }
  return all;
}

/** Wraps a text in a <span>. Not blank text: it isn't translated, and a <span> would become an item in a flex container. */
function wrapped(node: ReactNode, at: number): ReactNode {
  if (Array.isArray(node)) return (node as readonly ReactNode[]).map(wrapped);
  return isText(node) && /\S/.test(String(node)) ? jsx('span', { children: String(node) }, `text ${at}`) : node;
}
