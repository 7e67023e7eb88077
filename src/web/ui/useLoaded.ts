import { type ComponentType, createElement, type ReactNode, useEffect, useState } from 'react';
import { firstPaint } from './firstPaint.ts';

interface Loaded<T> {
  value: T | null;
  failed: boolean;
}

interface Retryable<T> extends Loaded<T> {
  retry: () => void;
}

/** Loads a module after the first paint. `load` must be a module constant: it is compared by identity. */
export function useLoaded<T>(load: () => Promise<T>, cached: T | null = null): Retryable<T> {
  const [loaded, setLoaded] = useState<Loaded<T>>({ value: cached, failed: false });
  const isLoaded = loaded.value !== null;
  useEffect(() => {
    if (isLoaded) return undefined;
    let mounted = true;
    firstPaint
      .then(load)
      .then((value) => mounted && setLoaded({ value, failed: false }))
      .catch(() => mounted && setLoaded({ value: null, failed: true }));
    return () => {
      mounted = false;
    };
  }, [load, isLoaded]);
  const retry = (): void => {
    setLoaded({ value: null, failed: false });
    load()
      .then((value) => setLoaded({ value, failed: false }))
      .catch(async () => {
        // A browser may cache a failed import until the page is reloaded.
        if (await isServerThere()) location.reload();
        else setLoaded({ value: null, failed: true });
      });
  };
  return { ...loaded, retry };
}

function isServerThere(): Promise<boolean> {
  return fetch('/healthz').then(
    ({ ok }) => ok,
    () => false,
  );
}

/** A component that is loaded when first rendered; `meanwhile` is shown until then. */
export function deferred<P extends object>(
  load: () => Promise<ComponentType<P>>,
  meanwhile: ReactNode = null,
): ComponentType<P> {
  // Once loaded, it renders at once.
  let cached: ComponentType<P> | null = null;
  const loadOnce = async () => (cached = await load());
  return function Deferred(props: P) {
    const { value } = useLoaded(loadOnce, cached);
    return value ? createElement(value, props) : meanwhile;
  };
}

/** True once `active` has been true for `ms`, so that fast loads show no skeleton. */
export function useDelay(active: boolean, ms = 150): boolean {
  const [passed, setPassed] = useState(false);
  useEffect(() => {
    if (!active) return undefined;
    const timer = setTimeout(() => setPassed(true), ms);
    return () => {
      clearTimeout(timer);
      setPassed(false);
    };
  }, [active, ms]);
  return active && passed;
}
