import { wait } from './pause.ts';
import { inTurn, type TakeTurn } from './turns.ts';

export interface Polling {
  /** When to read next, Unix milliseconds; asked again and again, so that a read made by a person counts too. */
  due: () => number;
  /** Its failure is its owner's to show; `due` must move on after one too. */
  read: (signal: AbortSignal) => Promise<unknown>;
}

/** What polling has to know of its tab. */
export interface Tab {
  hidden: () => boolean;
  /** Resolves when it is shown again, or the signal aborts. */
  shown: (signal: AbortSignal) => Promise<void>;
  /** Calls back whenever the network is there again. */
  onOnline: (act: () => void, signal: AbortSignal) => void;
}

const browserTab: Tab = {
  hidden: () => document.visibilityState === 'hidden',
  shown: (signal) =>
    new Promise((resolve) => {
      document.addEventListener('visibilitychange', () => resolve(), { once: true, signal });
      signal.addEventListener('abort', () => resolve(), { once: true });
    }),
  onOnline: (act, signal) => window.addEventListener('online', act, { signal }),
};

/** How often to look whether a read is due. */
const LOOK = 5_000;
/** Windows that are shown together do not all read at once. */
const SPREAD = 2_000;

/** Reads in turn whenever it is due, until aborted: never in a hidden tab, and soon after the tab or the network is back. */
export async function poll(
  { due, read }: Polling,
  signal: AbortSignal,
  takeTurn: TakeTurn = inTurn,
  tab: Tab = browserTab,
): Promise<void> {
  let networkBack = false;
  tab.onOnline(() => {
    networkBack = true;
  }, signal);
  const left = (): number => (networkBack ? 0 : due() - Date.now());
  const readOne = async (): Promise<void> => {
    // Its turn may come late.
    if (signal.aborted || tab.hidden() || left() > 0) return;
    networkBack = false;
    await read(signal);
  };
  while (!signal.aborted) {
    try {
      if (tab.hidden()) {
        await tab.shown(signal);
        await wait(Math.random() * SPREAD, signal);
      } else if (left() > 0) {
        await wait(Math.min(left(), LOOK), signal);
      } else {
        await takeTurn(signal, readOne);
        // Whatever `due` says then, and where a lock is refused: never in a tight loop.
        await wait(LOOK / 5, signal);
      }
    } catch {
      if (!signal.aborted) await wait(LOOK, signal).catch(() => undefined);
    }
  }
}
