import type { QueryClient } from '@tanstack/react-query';
import { type ComponentType, use } from 'react';
import type { RouteObject } from 'react-router';
import { RouteBoundary, RouteError, MissingChunk, reloadForNewBuild } from './RouteError.tsx';

export interface PageModule {
  Component: ComponentType;
  /** Starts what the page reads first; never rejects. */
  readFirst?: (client: QueryClient, account: string, search: string) => Promise<unknown>;
}

/** What reads the chunk of a route's page. */
export const pageLoaders = new Map<RouteObject, () => Promise<PageModule>>();

/** A page: its chunk is read when somebody goes there, and what breaks in it stays in it. */
export function page(path: string, load: () => Promise<PageModule>, children?: RouteObject[]): RouteObject {
  let reading: Promise<PageModule> | undefined;
  let read: PageModule | undefined;
  const start = () => {
    reading ??= orMissing(load).then((module) => (read = module));
    return reading;
  };
  function Page() {
    const { Component } = read ?? use(start());
    return <Component />;
  }
  const element = (
    <RouteBoundary Shown={RouteError}>
      <Page />
    </RouteBoundary>
  );
  const route = { path, element, ...(children ? { children } : {}) };
  pageLoaders.set(route, start);
  return route;
}

function Missing(): never {
  throw new MissingChunk('A part of the app is missing.');
}

/** A page's chunk. One that is gone or is not a script means a newer build: the app is read again, once. */
async function orMissing(load: () => Promise<PageModule>): Promise<PageModule> {
  try {
    return await load();
  } catch {
    await reloadForNewBuild();
    return { Component: Missing };
  }
}
