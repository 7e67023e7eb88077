import type { ElementType, ReactNode } from 'react';
import { Fragment, jsx } from 'react/jsx-runtime';

// Page translators put elements of their own in the place of text. Of text beside other nodes React keeps the node, and
// fails once it has to remove it or to insert before it; text that is all of an element it sets as a whole. So text that
// has siblings gets an element here, whoever wrote it: nobody has to think of it in a component.

/** Elements that hold text alone, or no element of HTML. */
const TEXT_ONLY = new Set<ElementType>(['option', 'title', 'textarea', 'style', 'text', 'tspan', 'desc']);

export interface WithChildren {
  children?: ReactNode;
  translate?: unknown;
}

/** The props with each text in an element of its own, or all of it as one text where nothing else is there. */
export function withOwnText<P extends WithChildren>(type: ElementType, props: P): P {
  const { children, translate } = props;
  // No translator changes anything in it.
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

/** With text that follows text in its first place; every other node keeps its own, and so its state. */
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

/** Blank text is nothing to translate, and in a flex container it must stay nothing. */
function wrapped(node: ReactNode, at: number): ReactNode {
  if (Array.isArray(node)) return (node as readonly ReactNode[]).map(wrapped);
  return isText(node) && /\S/.test(String(node)) ? jsx('span', { children: String(node) }, `text ${at}`) : node;
}
