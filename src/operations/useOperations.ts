import { useMemo, useSyncExternalStore } from 'react';
import { useSession } from '#src/api/session.ts';
import type { OperationView, OperationsView } from './outcomes.ts';
import { browserOperations } from './browser.ts';
import { viewOf, viewsOf } from './views.ts';
import { useServiceNow } from './useServiceNow.ts';

/** The operations of this session's service and account, newest first; live. */
export function useOperations(): OperationsView {
  const session = useSession();
  const operations = browserOperations();
  const snapshot = useSyncExternalStore(operations.subscribe, operations.getSnapshot, operations.getSnapshot);
  return useMemo(() => viewsOf(snapshot, session), [snapshot, session]);
}

/** One operation and what may be done with it now. */
export function useOperation(id: string): OperationView {
  const session = useSession();
  const operations = browserOperations();
  const snapshot = useSyncExternalStore(operations.subscribe, operations.getSnapshot, operations.getSnapshot);
  const { now, serviceNow } = useServiceNow(operations);
  return useMemo(() => viewOf(snapshot, session, id, now, serviceNow), [snapshot, session, id, now, serviceNow]);
}
