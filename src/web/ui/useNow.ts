import { useSyncExternalStore } from 'react';
import { createStore, type Store } from './store.ts';

interface Clocks {
  /** Unix seconds by the device's clock. */
  now: number;
  /** Milliseconds by the page's monotonic clock. */
  mono: number;
}

function readClocks(): Clocks {
  return { now: Math.floor(Date.now() / 1000), mono: performance.now() };
}

/** One timer per interval, however many parts of the page show an age. */
const tickers = new Map<number, Store<Clocks>>();

function tickerOf(seconds: number): Store<Clocks> {
  const existing = tickers.get(seconds);
  if (existing) return existing;
  const ticker = createStore(readClocks(), {
    onSubscribed: () => {
      const renew = (): void => ticker.set(readClocks());
      // If it was just read, don’t render again.
      if (performance.now() - ticker.get().mono > 1_000) renew();
      const timer = setInterval(renew, seconds * 1000);
      return () => clearInterval(timer);
    },
  });
  tickers.set(seconds, ticker);
  return ticker;
}

function useClocks(seconds: number): Clocks {
  const ticker = tickerOf(seconds);
  // The last is for rendering without a browser, as tests do.
  return useSyncExternalStore(ticker.subscribe, ticker.get, ticker.get);
}

/** Unix seconds by the device's clock, renewed every `seconds`. For ages on screen, never for decisions about money. */
export function useNow(seconds: number): number {
  return useClocks(seconds).now;
}

/** Milliseconds by the page's monotonic clock, which the device's clock doesn't affect; renewed every `seconds`. */
export function useMonotonicNow(seconds: number): number {
  return useClocks(seconds).mono;
}

/** The clocks at a read, Unix seconds. */
export interface ReadClocks {
  /** The service's clock; null if the response had none. */
  date: number | null;
  /** This device's clock. */
  readAt: number;
}

/** Now by the service's clock, on which its times are based. */
export function useNowByService({ date, readAt }: ReadClocks): number {
  const now = useNow(10);
  return date === null ? now : now + (date - readAt);
}
