import type { Journal } from './journal.ts';
import type { StoreSnapshot } from './operations.ts';
import type { CheckNote } from './outcomes.ts';
import type { OperationRecord } from './record.ts';

/** What this page shows of the journal: the snapshot is replaced whole, so that React sees every change. */
export interface Store {
  subscribe: (listener: () => void) => () => void;
  getSnapshot: () => StoreSnapshot;
  /** Reads everything again; storage that fails is a state, not an error. */
  read: () => Promise<void>;
  /** Shows a revision that was just committed. */
  put: (record: OperationRecord) => void;
  fail: (error: unknown) => void;
  addCheck: (id: string, note: CheckNote) => void;
  update: (part: Partial<Pick<StoreSnapshot, 'mayForget' | 'readable' | 'heard'>>) => void;
}

export function createStore(journal: Journal): Store {
  const listeners = new Set<() => void>();
  let snapshot: StoreSnapshot = {
    status: 'loading',
    reason: null,
    records: [],
    damaged: [],
    checks: new Map(),
    mayForget: false,
    readable: null,
    heard: null,
  };
  let writes = 0;

  const set = (part: Partial<StoreSnapshot>): void => {
    snapshot = { ...snapshot, ...part };
    for (const listener of listeners) tell(listener);
  };
  const fail = (error: unknown): void => {
    set({ status: 'unavailable', reason: error instanceof Error ? error.message : String(error) });
  };

  return {
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    getSnapshot: () => snapshot,
    read: async () => {
      try {
        for (;;) {
          const before = writes;
          const { records, damaged } = await journal.all();
          // What this page wrote meanwhile may be missing from what was read.
          if (before !== writes) continue;
          set({ status: 'ready', reason: null, records: records.map(newest), damaged });
          return;
        }
      } catch (error) {
        fail(error);
      }
    },
    put: (record) => {
      writes += 1;
      const others = snapshot.records.filter(({ id }) => id !== record.id);
      set({ records: [...others, record] });
    },
    fail,
    addCheck: (id, note) => {
      set({ checks: new Map(snapshot.checks).set(id, [...(snapshot.checks.get(id) ?? []), note]) });
    },
    update: set,
  };

  function newest(record: OperationRecord): OperationRecord {
    const shown = snapshot.records.find(({ id }) => id === record.id);
    return shown && shown.revision > record.revision ? shown : record;
  }
}

/** What is shown must not disturb what is sent: an error of the page's is the page's. */
function tell(listener: () => void): void {
  try {
    listener();
  } catch (error) {
    queueMicrotask(() => {
      throw error;
    });
  }
}
