import type { ElementType, ReactNode } from 'react';
import { Fragment, jsx } from 'react/jsx-runtime';

// Page translators replace text nodes with elements of their own. React keeps a reference to a text node that has siblings,
// and throws when it later removes that node or inserts before it; an element's only text it sets as a whole. So each text
// with siblings gets a <span> here, for all components at once.

/** Elements that hold text alone, or no element of HTML. */
const TEXT_ONLY = new Set<ElementType>(['option', 'title', 'textarea', 'style', 'text', 'tspan', 'desc']);

export interface WithChildren {
  children?: ReactNode;
  translate?: unknown;
}

/** The props with each text in an element of its own, or all of it as one text where nothing else is there. */
export function withOwnText<P extends WithChildren>(type: ElementType, props: P): P {
  const { children, translate } = props;
  // Translators leave it alone.
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

/** Joins adjacent text at the index of the first; every other node keeps its index, and with it its state. */
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

/** Blank text stays bare: there is nothing to translate, and a <span> would be an item of a flex container. */
function wrapped(node: ReactNode, at: number): ReactNode {
  if (Array.isArray(node)) return (node as readonly ReactNode[]).map(wrapped);
  return isText(node) && /\S/.test(String(node)) ? jsx('span', { children: String(node) }, `text ${at}`) : node;
}
