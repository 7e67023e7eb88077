import { type ComponentType, createElement, type ReactNode, useEffect, useState } from 'react';
import { firstPaint } from './firstPaint.ts';

interface Loaded<T> {
  value: T | null;
  failed: boolean;
}

/** A module that a page reads only when it needs it, and never before the first screen stands. `load`: module scope. */
export function useLoaded<T>(load: () => Promise<T>, known: T | null = null): Loaded<T> {
  const [loaded, setLoaded] = useState<Loaded<T>>({ value: known, failed: false });
  const isThere = loaded.value !== null;
  useEffect(() => {
    if (isThere) return undefined;
    let wanted = true;
    firstPaint
      .then(load)
      .then((value) => wanted && setLoaded({ value, failed: false }))
      .catch(() => wanted && setLoaded({ value: null, failed: true }));
    return () => {
      wanted = false;
    };
  }, [load, isThere]);
  return loaded;
}

/** A part of a page that is read when it is first drawn; until then nothing, or what stands in its place. */
export function deferred<P extends object>(
  load: () => Promise<ComponentType<P>>,
  meanwhile: ReactNode = null,
): ComponentType<P> {
  // What was read once is there at once from then on.
  let known: ComponentType<P> | null = null;
  const loadOnce = async () => (known = await load());
  return function Deferred(props: P) {
    const { value } = useLoaded(loadOnce, known);
    return value ? createElement(value, props) : meanwhile;
  };
}

/** True once `active` has been true for `ms`; what is quick shows no skeleton at all. */
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
