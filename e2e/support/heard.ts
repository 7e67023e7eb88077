import type { Page } from 'playwright/test';

/**
 * Records what a screen reader announces: text added to an existing live region, and alerts. The returned function gives
 * the announcements since its last call.
 */
export async function listen(page: Page): Promise<() => Promise<string[]>> {
  await page.addInitScript(() => {
    const said: string[] = [];
    Object.assign(window, { said });
    const last = new WeakMap<Element, string>();
    new MutationObserver(() => {
      for (const region of document.querySelectorAll<HTMLElement>(
        '[role=status], [role=alert], output, [aria-live=polite]',
      )) {
        const text = region.innerText.trim();
        const before = last.get(region) ?? (region.role === 'alert' ? '' : text);
        if (text !== '' && before !== text && region.ariaLive !== 'off') said.push(text);
        last.set(region, text);
      }
      if (document.querySelector('.banner')) said.push('The banner: unconfirmed');
    }).observe(document, { subtree: true, childList: true, characterData: true, attributeFilter: ['class'] });
  });
  return () => page.evaluate(() => (window as unknown as { said: string[] }).said.splice(0));
}
