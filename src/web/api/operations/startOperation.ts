// Requests on their way to the journal: each is asked again until the server has said what became of it, while a page
// shows that. They live in this tab's memory alone, so that nothing is sent by itself after a reload, or out of sight.
import { useLayoutEffect, useMemo, useSyncExternalStore } from 'react';
import * as v from 'valibot';
import { errorOfNoAnswer } from '#src/web/api/errors.ts';
import {
  type NotSent,
  type OperationView,
  operationViewSchema,
  type StartRequest,
} from '#src/shared/contract/gatewayContract.ts';
import type { GatewayAnswer, GatewayAttempt } from '#src/web/api/gatewayAnswer.ts';
import { attempt } from '#src/web/api/http.ts';
import { getSession, getSessionEnd, subscribeSession } from '#src/web/api/session.ts';
import { parseJson } from '#src/shared/answers.ts';
import { stringifyExact } from '#src/shared/json/exactJson.ts';
import { type LocationState, locationState, readLocationState } from '#src/web/storage/locationState.ts';
import { randomName } from '#src/shared/operations/random.ts';
import { discardKey, isOperationError, OperationError, operationPath, refusalOf } from './operations.ts';
import { type Conclusion, type Start, starts, until } from './starts.ts';

interface Asked {
  request: StartRequest;
  /** Where the operation goes once it is recorded. */
  keep: (view: OperationView) => void;
}

const requests = new Map<string, Asked>();

function set(key: string, start: Start | null): void {
  const next = new Map(starts.get());
  if (start === null) next.delete(key);
  else next.set(key, { ...start, seen: start.seen || (start.shown === 'page' && start.conclusion !== null) });
  if (start === null || start.conclusion !== null) requests.delete(key);
  guardLeaving();
  starts.set(next);
}

interface ToStart extends Asked {
  key: string;
  account: string;
  values: Record<string, string>;
}

/** Asks the server to record this and send it, now and, while it is shown, until it has said what became of it; a key is started once. */
export function startOperation({ key, account, request, keep, values }: ToStart): void {
  if (starts.get().has(key)) return;
  requests.set(key, { request, keep });
  const { kind, not_after: notAfter } = request;
  const who = getSession()?.name ?? null;
  set(key, {
    key,
    account,
    who,
    kind,
    notAfter,
    values,
    conclusion: null,
    failure: null,
    shown: null,
    seen: false,
    dropped: false,
  });
  void askUntilTold(key, account);
}

const BACKOFF_MS = [1_000, 2_000, 4_000, 5_000] as const;

async function askUntilTold(key: string, account: string): Promise<void> {
  for (let tried = 0; ; tried += 1) {
    await mayAsk(key, account, tried === 0);
    const asked = requests.get(key);
    if (asked === undefined) return;
    if (starts.get().get(key)?.dropped) await discardStart(account, key).catch(() => undefined);
    else {
      const result = await attempt({
        method: 'PUT',
        path: operationPath(key),
        body: stringifyExact(asked.request),
        account,
      });
      if (conclude(key, result)) return;
    }
    if (!requests.has(key)) return;
    await rest(BACKOFF_MS[Math.min(tried, BACKOFF_MS.length - 1)] ?? 0, key);
  }
}

/** Takes what an attempt brought; false: it says nothing of what happened. */
function conclude(key: string, result: GatewayAttempt): boolean {
  const start = starts.get().get(key);
  if (!start || start.conclusion !== null) return true;
  const conclusion = concluded(key, result);
  if (conclusion === null) set(key, { ...start, failure: failureOf(result) });
  else settle(start, conclusion);
  return conclusion !== null;
}

function settle(start: Start, conclusion: Conclusion): void {
  if (conclusion.kind === 'recorded' || conclusion.kind === 'reused') requests.get(start.key)?.keep(conclusion.view);
  set(start.key, conclusion.kind === 'recorded' ? null : { ...start, conclusion });
}

export function startWasRecorded(view: OperationView): void {
  const start = starts.get().get(view.operation.key);
  if (start && start.conclusion === null) settle(start, { kind: 'recorded', view });
}

/** A DELETE was answered with a tombstone: no copy of the request sends anything any more. */
export function startWasDiscarded(key: string, notSent: NotSent): void {
  const start = starts.get().get(key);
  const why = { kind: 'not-sent', notSent, message: null, lookAlikes: null } as const;
  if (start && start.conclusion === null) settle(start, why);
}

/** Its person wants nothing sent under this key: from now on that is asked for, until the server has heard it. */
export function dropStart(key: string): void {
  const start = starts.get().get(key);
  if (start && start.conclusion === null) set(key, { ...start, dropped: true });
}

/** Asks the server once that nothing is sent under this key; throws what asking throws. */
export async function discardStart(account: string, key: string) {
  try {
    const done = await discardKey(account, key);
    if ('view' in done) startWasRecorded(done.view);
    else startWasDiscarded(key, done.notSent);
    return done;
  } catch (error) {
    // It was sent before it could be discarded; any other refusal says nothing.
    const view = error instanceof OperationError ? error.extras.view : undefined;
    if (view) startWasRecorded(view);
    throw error;
  }
}

/** Resolves when the account is the one that is signed in and its person looks on, or the request was given up. */
function mayAsk(key: string, account: string, isFirst: boolean): Promise<void> {
  const isShown = () => isFirst || starts.get().get(key)?.shown != null;
  return until(() => !requests.has(key) || (getSession()?.account === account && isShown()));
}

/** For what shows a start: it is asked for again as long as this is there. */
export function useShown(key: string | undefined, by: 'page' | 'form'): void {
  // Before it is painted: the banner tells what no page shows.
  useLayoutEffect(() => {
    if (key === undefined) return undefined;
    showStart(key, by);
    return () => showStart(key, null);
  }, [key, by]);
}

export function showStart(key: string, shown: Start['shown']): void {
  const start = starts.get().get(key);
  if (start) set(key, { ...start, shown });
}

/** Waits, but no longer than until the network is back. */
function rest(ms: number, key: string): Promise<void> {
  return new Promise((resolve) => {
    const over = new AbortController();
    const end = (): void => {
      clearTimeout(timer);
      over.abort();
      resolve();
    };
    const timer = setTimeout(end, ms);
    if (typeof window !== 'undefined') window.addEventListener('online', end, { signal: over.signal });
    const stop = starts.subscribe(() => {
      if (requests.has(key)) return;
      stop();
      end();
    });
    over.signal.addEventListener('abort', stop);
  });
}

// Nobody resumes another person's work: a sign-out, another account or another name end what was asked for here.
subscribeSession(() => {
  const { account, name: who } = getSession() ?? {};
  if (account === undefined) {
    if (getSessionEnd() !== 'signed-out') return;
    drafts.clear();
  }
  for (const start of starts.get().values()) if (start.account !== account || start.who !== who) set(start.key, null);
});

function ask(event: BeforeUnloadEvent): void {
  event.preventDefault();
}

/** Asks before the page is closed, only until the server has the record. */
function guardLeaving(): void {
  if (typeof window === 'undefined') return;
  // A listener that stays keeps the page out of the back/forward cache.
  if (requests.size > 0) window.addEventListener('beforeunload', ask);
  else window.removeEventListener('beforeunload', ask);
}

/** The start of this key by this page; undefined when it made none, and when its operation was recorded. */
export function useStart(key: string): Start | undefined {
  return useSyncExternalStore(starts.subscribe, starts.get).get(key);
}

/** What the server has not answered for yet, oldest first. */
export function useStarting(): readonly Start[] {
  const all = useSyncExternalStore(starts.subscribe, starts.get);
  return useMemo(() => [...all.values()].filter(({ conclusion }) => conclusion === null), [all]);
}

const drafts = new Map<string, Pick<Start, 'account' | 'values'>>();

/** The state that leads to a form as it was typed; it holds a name for it alone. */
export function draftState({ account, values }: Pick<Start, 'account' | 'values'>): LocationState {
  const draft = randomName('draft_');
  drafts.set(draft, { account, values });
  return locationState({ draft });
}

/** What a form starts with, by field: what was typed before by this account, or what another page hands over. */
export function formValuesIn(state: unknown): Record<string, string> {
  const { draft, prefill } = readLocationState(state);
  if (draft === undefined) return prefill ?? {};
  const kept = drafts.get(draft);
  return kept && kept.account === getSession()?.account ? kept.values : {};
}

/**
 * What an attempt to record something concludes; null: nothing. Another copy may still be on its way, so only the
 * server's own word with its proof beside it counts, whatever the status.
 */
export function concluded(key: string, result: GatewayAttempt): Conclusion | null {
  if (result.kind === 'no-answer' || !result.complete) return null;
  if (result.status === 200 || result.status === 201) {
    const view = v.safeParse(operationViewSchema, parseJson(result.text));
    return view.success && view.output.operation.key === key ? { kind: 'recorded', view: view.output } : null;
  }
  return refused(key, result);
}

function refused(key: string, answer: GatewayAnswer): Conclusion | null {
  const error = refusalOf(answer);
  const { status, message } = error;
  if (status === 409 && isOperationError(error, 'key_reused')) {
    const { view } = error.extras;
    return view?.operation.key === key ? { kind: 'reused', view } : null;
  }
  if (status === 409 && isOperationError(error, 'look_alike')) {
    const { look_alikes: lookAlikes, not_sent: notSent } = error.extras;
    if (lookAlikes === undefined) return null;
    // The code says that the key is spent, whether or not the tombstone stands beside it.
    return { kind: 'not-sent', notSent: notSent ?? { why: 'look-alike', at: 0 }, message, lookAlikes };
  }
  if (status === 409 && isOperationError(error, 'key_taken')) return { kind: 'taken' };
  if (status === 409 && isOperationError(error, 'unreadable')) return { kind: 'unreadable' };
  const isTombstone =
    (status === 410 && isOperationError(error, 'not_sent')) ||
    (status === 422 && isOperationError(error, 'invalid_request_error', 'too_late'));
  if (!isTombstone || error.extras.not_sent === undefined) return null;
  return { kind: 'not-sent', notSent: error.extras.not_sent, message, lookAlikes: null };
}

export function failureOf(result: GatewayAttempt): string {
  return result.kind === 'no-answer' ? errorOfNoAnswer(result.reason).message : refusalOf(result).message;
}
