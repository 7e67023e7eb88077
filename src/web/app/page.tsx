import type { QueryClient } from '@tanstack/react-query';
import { type ComponentType, use } from 'react';
import type { RouteObject } from 'react-router';
import { RouteBoundary, RouteError, MissingChunk, reloadForNewBuild } from './RouteError.tsx';

export interface PageModule {
  Component: ComponentType;
  /** Starts the page's first requests; never rejects. */
  readFirst?: (client: QueryClient, account: string, search: string) => Promise<unknown>;
}

/** Loads the chunk of a route's page. */
export const pageLoaders = new Map<RouteObject, () => Promise<PageModule>>();

/**
 * The route of a page with a chunk and an error boundary of its own. Unlike React.lazy, a chunk that is already loaded
 * renders at once: lazy would suspend, and the first screen would flash.
 */
export function pageRoute(path: string, load: () => Promise<PageModule>, children?: RouteObject[]): RouteObject {
  let loading: Promise<PageModule> | undefined;
  let loaded: PageModule | undefined;
  const loadOnce = () => {
    loading ??= loadOrMissing(load).then((module) => (loaded = module));
    return loading;
  };
  function Page() {
    const { Component } = loaded ?? use(loadOnce());
    return <Component />;
  }
  const element = (
    <RouteBoundary Fallback={RouteError}>
      <Page />
    </RouteBoundary>
  );
  const route = { path, element, ...(children ? { children } : {}) };
  pageLoaders.set(route, loadOnce);
  return route;
}

/** If the chunk is gone, there is a newer build: reloads the app, once. */
async function loadOrMissing(load: () => Promise<PageModule>): Promise<PageModule> {
  try {
    return await load();
  } catch {
    const why = await reloadForNewBuild();
    const Component = (): never => {
      throw new MissingChunk(why);
    };
    return { Component };
  }
}
