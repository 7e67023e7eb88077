import { useEffect, useMemo, useSyncExternalStore } from 'react';
import { useSession } from '#src/api/session.ts';
import type { OperationView, OperationsView } from './outcomes.ts';
import { browserOperations } from './browser.ts';
import { isFinal } from './record.ts';
import { forgetRecorded } from './recordedAt.ts';
import { viewOf, viewsOf } from './views.ts';
import { useServiceNow } from './useServiceNow.ts';

/** The operations of this session's service and account, newest first; live. */
export function useOperations(): OperationsView {
  const session = useSession();
  const operations = browserOperations();
  const snapshot = useSyncExternalStore(operations.subscribe, operations.getSnapshot, operations.getSnapshot);
  return useMemo(() => viewsOf(snapshot, session), [snapshot, session]);
}

/** One operation and what may be done with it now; shown finished, it counts as seen. */
export function useOperation(id: string): OperationView {
  const session = useSession();
  const operations = browserOperations();
  const snapshot = useSyncExternalStore(operations.subscribe, operations.getSnapshot, operations.getSnapshot);
  const { now, serviceNow } = useServiceNow(operations);
  const view = useMemo(() => viewOf(snapshot, session, id, now, serviceNow), [snapshot, session, id, now, serviceNow]);
  useEffect(() => forgetRecorded(id), [id]);
  const isUnseen = view.operation !== undefined && isFinal(view.operation.state) && view.operation.seenAt === undefined;
  const isSeen = isUnseen && document.visibilityState === 'visible';
  useEffect(() => {
    if (isSeen) void operations.seen(id);
  }, [isSeen, operations, id]);
  return view;
}
