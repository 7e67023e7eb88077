/** The checks of all chains, read when the first address needs them. */
export const loadChains = () => import('./chains.ts');
