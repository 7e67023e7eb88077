import { PERSON_HEADER } from '#src/shared/serverPaths.ts';

/** A person who used the page this recently counts as present. */
const PRESENT_MS = 60_000;
const INPUT_EVENTS = ['pointerdown', 'pointermove', 'keydown', 'wheel'] as const;

let usedAt = Number.NEGATIVE_INFINITY;

/** Notes when somebody uses the page: polling alone must not keep a session open. */
export function watchPersonActivity(): void {
  for (const event of INPUT_EVENTS)
    window.addEventListener(event, () => (usedAt = performance.now()), { capture: true, passive: true });
}

/** Tells the server that a person is using the page; empty when nobody is. */
export function personHeader(): [string, string][] {
  return performance.now() - usedAt < PRESENT_MS ? [[PERSON_HEADER, '1']] : [];
}
