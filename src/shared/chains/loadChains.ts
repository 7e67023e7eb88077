/** Loads the address checks of all chains when the first address needs them: their hashes are large. */
export const loadChains = () => import('./chains.ts');
