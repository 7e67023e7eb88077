// The operations that this tab has asked the server to record, until it knows that they are. A request is repeated
// until an answer proves what happened, and only while a page shows it. They live in this tab's memory alone, so that
// nothing is sent by itself after a reload.
import { useLayoutEffect, useMemo, useSyncExternalStore } from 'react';
import { type OperationKind, START_PATHS } from '#src/shared/operations/kind.ts';
import { randomName } from '#src/shared/operations/random.ts';
import type { EarlierSends, NotSent, OperationView } from '#src/shared/contract/gatewayContract.ts';
import { createStore } from '#src/web/ui/store.ts';
import { createUnloadGuard } from '#src/web/ui/unloadGuard.ts';
import { getSession, getSessionEnd, subscribeSession } from '#src/web/api/session.ts';

/** The server's final word about a key. */
export type StartConclusion =
  | { kind: 'recorded'; view: OperationView }
  /** Recorded earlier with other content; this request was not recorded. */
  | { kind: 'reused'; view: OperationView }
  /** A tombstone: nothing was sent, and nothing will be under this key. */
  | { kind: 'not-sent'; notSent: NotSent; message: string | null; lookAlikes: EarlierSends | null }
  /** Another account holds the key. */
  | { kind: 'taken' }
  /** Recorded, in a row that the server cannot read. */
  | { kind: 'unreadable' };

export type StartAnswer = StartConclusion | { kind: 'unknown'; failure: string };

interface StartDetails {
  key: string;
  account: string;
  kind: OperationKind;
  /** By the database's clock, ms: a copy of the request that arrives later is refused. */
  notAfter: number;
  /** Typed values, for the way back to the form. */
  values: Record<string, string>;
}

interface StartBase extends StartDetails {
  /** The name of the session it was started in. */
  userName: string | null;
  /** Refers to the values from the history state, which must contain neither them nor the key. */
  draft: string;
  /** Where the person sees it: on its own page, or in place of a form; null if nowhere. */
  visibleOn: 'page' | 'form' | null;
}

/** The server is being asked to record it or, after Discard, to guarantee that nothing is sent. */
export interface UnansweredStart extends StartBase {
  status: 'recording' | 'discarding';
  /** Why the last request proved nothing; null before one has ended. */
  failure: string | null;
}

export interface ConcludedStart extends StartBase {
  status: 'concluded';
  conclusion: Exclude<StartConclusion, { kind: 'recorded' }>;
  /** Whether its page has shown the conclusion. */
  isRead: boolean;
}

/** Removed once it is recorded: its operation takes over. */
export type PendingStart = UnansweredStart | ConcludedStart;

const guardUnload = createUnloadGuard();
const starts = createStore<ReadonlyMap<string, PendingStart>>(new Map());
const usedKeys = new Set<string>();

export function getPendingStart(key: string): PendingStart | undefined {
  return starts.get().get(key);
}

function getUnanswered(key: string): UnansweredStart | undefined {
  const start = getPendingStart(key);
  return start?.status === 'concluded' ? undefined : start;
}

function set(start: PendingStart): void {
  const isRead = start.status === 'concluded' && (start.isRead || start.visibleOn === 'page');
  const next = start.status === 'concluded' ? { ...start, isRead } : start;
  update(new Map(starts.get()).set(start.key, next));
}

function remove(key: string): void {
  const next = new Map(starts.get());
  next.delete(key);
  update(next);
}

function update(next: ReadonlyMap<string, PendingStart>): void {
  guardUnload([...next.values()].some(({ status }) => status !== 'concluded'));
  starts.set(next);
}

interface StartRequests {
  /** Asks the server once to record it and send it. */
  record: () => Promise<StartAnswer>;
  /** Asks the server once to guarantee that nothing is sent under the key. */
  discard: () => Promise<StartAnswer>;
  onRecorded: (view: OperationView) => void;
  /** Called if nothing was sent because another, unresolved operation would do the same. */
  onBlocked?: () => void;
}

/** Asks the server to record and send this until an answer proves what happened; a key is used once. */
export function startOperation(details: StartDetails, requests: StartRequests): void {
  const { key } = details;
  if (usedKeys.has(key)) return;
  usedKeys.add(key);
  const userName = getSession()?.name ?? null;
  const draft = randomName('draft_');
  set({ ...details, userName, draft, visibleOn: null, status: 'recording', failure: null });
  void askUntilAnswered(key, requests);
}

const BACKOFF_MS = [1_000, 2_000, 4_000, 5_000] as const;

async function askUntilAnswered(key: string, { record, discard, onRecorded, onBlocked }: StartRequests): Promise<void> {
  for (let tries = 0; ; tries += 1) {
    await until(() => mayAsk(key, tries));
    const { status } = getUnanswered(key) ?? {};
    if (status === undefined) return;
    const answer = await (status === 'discarding' ? discard() : record());
    const start = getUnanswered(key);
    if (start === undefined) return;
    if (answer.kind === 'recorded' || answer.kind === 'reused') onRecorded(answer.view);
    if (answer.kind === 'not-sent' && answer.lookAlikes?.existing != null) onBlocked?.();
    if (answer.kind !== 'unknown') return concludeStart(key, answer);
    set({ ...start, failure: answer.failure });
    await pause(BACKOFF_MS[Math.min(tries, BACKOFF_MS.length - 1)] ?? 0);
  }
}

/** Only while its account is signed in and, after the first request, while it is visible. True for one that has ended. */
function mayAsk(key: string, tries: number): boolean {
  const start = getUnanswered(key);
  if (start === undefined) return true;
  return getSession()?.account === start.account && (tries === 0 || start.visibleOn !== null);
}

/** Waits for `ms`, or until the network is back. */
function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    const over = new AbortController();
    const end = (): void => {
      clearTimeout(timer);
      over.abort();
      resolve();
    };
    const timer = setTimeout(end, ms);
    if (typeof window !== 'undefined') window.addEventListener('online', end, { signal: over.signal });
  });
}

/** Resolves once a condition holds; it is tested when the session or a start changes. */
function until(condition: () => boolean): Promise<void> {
  if (condition()) return Promise.resolve();
  return new Promise((resolve) => {
    const unsubscribes = [subscribeSession, starts.subscribe].map((subscribe) =>
      subscribe(() => {
        if (!condition()) return;
        for (const unsubscribe of unsubscribes) unsubscribe();
        resolve();
      }),
    );
  });
}

/** From now on the server is asked to discard it, until it answers. */
export function discardPendingStart(key: string): void {
  const start = getUnanswered(key);
  if (start) set({ ...start, status: 'discarding' });
}

/** Records proof of the outcome, from any request. A conclusion is never replaced. */
export function concludeStart(key: string, conclusion: StartConclusion): void {
  const start = getUnanswered(key);
  if (start === undefined) return;
  if (conclusion.kind === 'recorded') remove(key);
  else set({ ...start, status: 'concluded', conclusion, isRead: false });
}

export function markVisible(key: string, visibleOn: PendingStart['visibleOn']): void {
  const start = getPendingStart(key);
  if (start) set({ ...start, visibleOn });
}

// Drop pending starts on sign-out or when the account or name changes. An expired session only pauses them.
subscribeSession(() => {
  const { account, name } = getSession() ?? {};
  if (account === undefined && getSessionEnd() !== 'signed-out') return;
  for (const start of starts.get().values())
    if (start.account !== account || start.userName !== name) remove(start.key);
});

/** Undefined if this tab started nothing under the key, and once the operation is recorded. */
export function usePendingStart(key: string): PendingStart | undefined {
  return usePendingStarts().get(key);
}

export function usePendingStarts(): ReadonlyMap<string, PendingStart> {
  return useSyncExternalStore(starts.subscribe, starts.get);
}

/** Oldest first. */
export function useUnansweredStarts(): readonly UnansweredStart[] {
  const all = usePendingStarts();
  return useMemo(() => [...all.values()].filter((start) => start.status !== 'concluded'), [all]);
}

/** Marks a start as visible; requests are repeated only while it is. */
export function useMarkVisible(key: string | undefined, visibleOn: 'page' | 'form'): void {
  // Before paint, because the banner shows the starts that are not visible elsewhere.
  useLayoutEffect(() => {
    if (key === undefined) return undefined;
    markVisible(key, visibleOn);
    return () => markVisible(key, null);
  }, [key, visibleOn]);
}

/** Resolves when no visible start waits for an answer. */
export function pendingStartsSettled(): Promise<void> {
  const isWaiting = ({ status, visibleOn }: PendingStart) => status !== 'concluded' && visibleOn !== null;
  return until(() => getSession() === null || ![...starts.get().values()].some(isWaiting));
}

/** The key of the newest unanswered start of the form at this path. */
export function unansweredStartOf(formPath: string): string | null {
  const start = [...starts.get().values()].findLast(
    ({ kind, status }) => status !== 'concluded' && START_PATHS[kind] === formPath,
  );
  return start?.key ?? null;
}

/** The typed values of a draft, if its account is still signed in. */
export function valuesOfDraft(draft: string): Record<string, string> {
  const start = [...starts.get().values()].find((each) => each.draft === draft);
  return start && start.account === getSession()?.account ? start.values : {};
}
