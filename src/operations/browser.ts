import { attempt } from '#src/api/http.ts';
import { getSession, subscribeSession } from '#src/api/session.ts';
import { createOperations } from './create.ts';
import { openJournal } from './journal.ts';
import { webLocks } from './locks.ts';
import { browserMirror } from './mirror.ts';
import type { Operations } from './operations.ts';
import { randomName } from './random.ts';
import { owns } from './views.ts';

let instance: Operations | null = null;

/** The page's one instance, on the real journal, network and clock. */
export function browserOperations(): Operations {
  if (instance !== null) return instance;
  const made = createOperations({
    journal: openJournal(),
    network: attempt,
    session: getSession,
    wall: () => Date.now(),
    mono: () => performance.now(),
    random: () => Math.random(),
    name: randomName,
    later: (act, ms) => void setTimeout(act, ms),
    locks: webLocks,
    mirror: browserMirror(),
    persisted,
  });
  instance = made;
  const refresh = (): void => void made.refresh();
  subscribeSession(refresh);
  window.addEventListener('pageshow', refresh);
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') refresh();
  });
  guardLeaving(made);
  refresh();
  return made;
}

/** Puts another instance in its place; null: a new one is made at the next use. For tests. */
export function setBrowserOperations(replacement: Operations | null): void {
  instance = replacement;
}

/** Asks before the page is closed, only while one of this session's operations is ready or sending. */
function guardLeaving(operations: Operations): void {
  const ask = (event: BeforeUnloadEvent): void => event.preventDefault();
  const update = (): void => {
    const session = getSession();
    const { records } = operations.getSnapshot();
    const open = records.some(
      (record) => (record.state === 'ready' || record.state === 'sending') && owns(session, record),
    );
    // A listener that stays keeps the page out of the back/forward cache.
    if (open) window.addEventListener('beforeunload', ask);
    else window.removeEventListener('beforeunload', ask);
  };
  operations.subscribe(update);
  subscribeSession(update);
}

async function persisted(ask: boolean): Promise<boolean | null> {
  const storage: Partial<StorageManager> | undefined = navigator.storage;
  if (ask) return (await storage?.persist?.()) ?? null;
  return (await storage?.persisted?.()) ?? null;
}
