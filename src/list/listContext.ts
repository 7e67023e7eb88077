import { createContext, use } from 'react';

/** What the cells of a list need to know of it. */
export interface ListPlace {
  hrefOf: (id: string) => string;
  /** Whether there is an Id column; without one the time is the row's link. */
  idShown: boolean;
}

export const ListContext = createContext<ListPlace>({ hrefOf: () => '', idShown: true });

export function useListPlace(): ListPlace {
  return use(ListContext);
}
