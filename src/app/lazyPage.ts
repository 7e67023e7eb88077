import type { ComponentType } from 'react';
import { MissingChunk, reloadForNewBuild } from './chunkReload.ts';

interface PageModule {
  Component: ComponentType;
}

function Missing(): never {
  throw new MissingChunk('A part of the app could not be read.');
}

/** Loads a page's chunk. One that is gone or is not a script means a newer build: the app is read again, once. */
export function lazyPage(load: () => Promise<PageModule>): () => Promise<PageModule> {
  return async () => {
    try {
      return await load();
    } catch {
      await reloadForNewBuild();
      // Thrown while rendering: a lazy route that rejects on the first page leaves the router on an empty fallback.
      return { Component: Missing };
    }
  };
}
