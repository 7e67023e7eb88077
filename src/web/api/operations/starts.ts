// What this page has asked the journal to record and send; how it is asked is read with the forms (startOperation.ts).
import { type OperationKind, START_PATHS } from '#src/shared/operations/kind.ts';
import { createStore } from '#src/web/ui/store.ts';
import { getSession, subscribeSession } from '#src/web/api/session.ts';
import type { LookAlikes, NotSent, OperationView } from '#src/shared/contract/gatewayContract.ts';

/** What the server said for good about a key that a request was started under. */
export type Conclusion =
  | { kind: 'recorded'; view: OperationView }
  /** Recorded earlier with other content: what was typed now was not. */
  | { kind: 'reused'; view: OperationView }
  /** A tombstone: nothing was sent, and nothing will be under this key. */
  | { kind: 'not-sent'; notSent: NotSent; message: string | null; lookAlikes: LookAlikes | null }
  /** Another account holds the key. */
  | { kind: 'taken' }
  /** Recorded, in a row that the server cannot read. */
  | { kind: 'unreadable' };

/** A key whose request was started by this page. */
export interface Start {
  key: string;
  account: string;
  /** The name that the session had. */
  who: string | null;
  kind: OperationKind;
  /** The database's clock, milliseconds: a copy that arrives later sends nothing. */
  notAfter: number;
  /** What was typed, for the way back to the form. */
  values: Record<string, string>;
  /** null: the server has not said yet. */
  conclusion: Exclude<Conclusion, { kind: 'recorded' }> | null;
  /** Why the last time of asking brought nothing; null: none has ended yet. */
  failure: string | null;
  /** By its own page, or in the place of a form: only then is it asked again. */
  shown: 'page' | 'form' | null;
  /** Its page has told what became of it. */
  seen: boolean;
  /** Its person wants it discarded: it is that which is asked for. */
  dropped: boolean;
}

export const starts = createStore<ReadonlyMap<string, Start>>(new Map());

/** Resolves when nothing that the person signed in looks at waits for the server's word. */
export function pendingStartsSettled(): Promise<void> {
  const isOpen = ({ conclusion, shown }: Start): boolean => conclusion === null && shown !== null;
  return until(() => getSession() === null || ![...starts.get().values()].some(isOpen));
}

/** Resolves as soon as something is so; asked whenever the session or a start changes. */
export function until(isOver: () => boolean): Promise<void> {
  if (isOver()) return Promise.resolve();
  return new Promise((resolve) => {
    const stops = [subscribeSession, starts.subscribe].map((to) =>
      to(() => {
        if (!isOver()) return;
        for (const stop of stops) stop();
        resolve();
      }),
    );
  });
}

/** The key that the form at this path has started and the server has not answered for; null: none. */
export function startedAt(path: string): string | null {
  const start = [...starts.get().values()].findLast(
    ({ kind, conclusion }) => conclusion === null && START_PATHS[kind] === path,
  );
  return start?.key ?? null;
}
