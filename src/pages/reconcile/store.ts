import { openReconcileStore } from '#src/remembered/reconcileStore.ts';

/** The reconciliations of this browser; opened at the first use. */
export const reconcileStore = openReconcileStore();
