import { useSyncExternalStore } from 'react';

interface Ticker {
  now: number;
  /** performance.now() */
  mono: number;
  listeners: Set<() => void>;
  subscribe: (listener: () => void) => () => void;
  read: () => number;
  readMono: () => number;
}

/** One timer per interval, however many parts of the page show an age. */
const tickers = new Map<number, Ticker>();

function unixNow(): number {
  return Math.floor(Date.now() / 1000);
}

function renew(ticker: Ticker): void {
  ticker.now = unixNow();
  ticker.mono = performance.now();
}

function tickerFor(seconds: number): Ticker {
  const known = tickers.get(seconds);
  if (known) return known;
  const listeners = new Set<() => void>();
  let timer: ReturnType<typeof setInterval> | undefined;
  const ticker: Ticker = {
    now: unixNow(),
    mono: performance.now(),
    listeners,
    read: () => ticker.now,
    readMono: () => ticker.mono,
    subscribe(listener) {
      listeners.add(listener);
      if (timer === undefined) {
        renew(ticker);
        timer = setInterval(() => {
          renew(ticker);
          for (const each of listeners) each();
        }, seconds * 1000);
      }
      return () => {
        listeners.delete(listener);
        if (listeners.size > 0) return;
        clearInterval(timer);
        timer = undefined;
      };
    },
  };
  tickers.set(seconds, ticker);
  return ticker;
}

/** Unix seconds by the device's clock, renewed every `seconds`. For ages on screen, never for decisions about money. */
export function useNow(seconds: number): number {
  const ticker = tickerFor(seconds);
  return useSyncExternalStore(ticker.subscribe, ticker.read);
}

/** Milliseconds by the page's monotonic clock, which no change of the device's moves; renewed every `seconds`. */
export function useMonotonicNow(seconds: number): number {
  const ticker = tickerFor(seconds);
  return useSyncExternalStore(ticker.subscribe, ticker.readMono);
}
