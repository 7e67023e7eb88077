/** A node for React to render components into that show nothing: a document that can do nothing is enough. */
export function container(): Element {
  const nothing = (): void => undefined;
  const page = { nodeType: 9, nodeName: '#document', addEventListener: nothing, removeEventListener: nothing };
  const body = { nodeType: 1, nodeName: 'DIV', tagName: 'DIV', namespaceURI: 'http://www.w3.org/1999/xhtml' };
  const empty = { ownerDocument: page, firstChild: null, lastChild: null, textContent: '' };
  const node: Element = Object.assign(Object.create(null), page, body, empty);
  return node;
}
