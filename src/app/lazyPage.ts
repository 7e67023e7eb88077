import type { ComponentType } from 'react';
import { MissingChunk, reloadForNewBuild } from './newBuild.ts';

interface PageModule {
  Component: ComponentType;
}

/** Loads a page's chunk. One that is gone or is not a script means a newer build: the app is read again, once. */
export function lazyPage(load: () => Promise<PageModule>): () => Promise<PageModule> {
  return async () => {
    try {
      return await load();
    } catch (error) {
      await reloadForNewBuild();
      throw new MissingChunk('A part of the app could not be read.', { cause: error });
    }
  };
}
