import type { BrowserContext, Page } from 'playwright/test';

/**
 * Imitates a browser's translator on every page of a context: replaces each text node by nested <font> elements, at once and
 * whenever text is added. The text itself stays, so that tests find it.
 */
export async function translatePages(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    const held: string[] = [];
    Reflect.set(window, 'heldText', held);
    const LEFT_ALONE = '[translate="no"], .notranslate, script, style, noscript, textarea, title, font';
    const replace = (text: Text) => {
      const parent = text.parentElement;
      if (parent === null || parent.closest(LEFT_ALONE) || !/\S/.test(text.data)) return;
      // React marks text nodes that it keeps a reference to. It sets an element's only text by textContent.
      if (Object.keys(text).some((name) => name.startsWith('__reactFiber'))) held.push(parent.outerHTML.slice(0, 300));
      const outer = document.createElement('font');
      const inner = outer.appendChild(document.createElement('font'));
      inner.textContent = text.data;
      text.replaceWith(outer);
    };
    const translate = (node: Node) => {
      const walker = document.createTreeWalker(node, NodeFilter.SHOW_TEXT);
      const texts: Node[] = node instanceof Text ? [node] : [];
      while (walker.nextNode()) texts.push(walker.currentNode);
      for (const text of texts) if (text instanceof Text) replace(text);
    };
    new MutationObserver((changes) => {
      for (const { addedNodes, target, type } of changes) {
        if (type === 'characterData') translate(target);
        for (const node of addedNodes) translate(node);
      }
    }).observe(document, { childList: true, subtree: true, characterData: true });
  });
}

/** Elements whose replaced text node React still references: React would throw at the next change next to it. */
export function heldText(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const held: unknown = Reflect.get(window, 'heldText');
    return Array.isArray(held) ? held.map(String) : ['No translator was here.'];
  });
}
