import { createContext, type ReactNode, use } from 'react';

const HiddenContext = createContext(false);

export function AmountsHiddenProvider({ hidden, children }: { hidden: boolean; children: ReactNode }) {
  return <HiddenContext value={hidden}>{children}</HiddenContext>;
}

/** Whether the person shares the screen and wants no amount on it. */
export function useAmountsHidden(): boolean {
  return use(HiddenContext);
}
