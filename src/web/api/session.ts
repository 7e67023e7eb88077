import { useSyncExternalStore } from 'react';
import * as v from 'valibot';
import { stringifyExact } from '#src/shared/json/exactJson.ts';
import { createStore } from '#src/web/ui/store.ts';
import { sameAccountSchema, type SameAccountQuestion } from '#src/shared/contract/gatewayContract.ts';
import type { Proof } from '#src/shared/contract/proofContract.ts';
import { DEMO_SIGN_IN_PATH, PASSKEY_SIGN_IN_PATH, SWITCH_ACCOUNT_PATH, TICKET_PATH } from '#src/shared/serverPaths.ts';
import { CODE_AUTHENTICATION_ERROR } from '#src/shared/contract/contract.ts';
import type { OverviewError } from '#src/shared/contract/overviewContract.ts';
import { parseJson, readEnvelope } from '#src/shared/answers.ts';
import { errorOfAnswer, errorOfNoAnswer } from './errors.ts';
import { successOf } from './query.ts';
import type { GatewayAnswer } from './gatewayAnswer.ts';
import { type Call, attempt, connectSession } from './http.ts';
import { clearRequestLog } from './requestLog.ts';
import { type Session, sessionSchema } from './sessionSchema.ts';
import { parseWith } from '#src/shared/contract/rows.ts';

export type { Session };

/** Why there is no session: never signed in here, signed out, ended by the gateway, or the service refuses the key. */
export type SessionEnd = 'none' | 'signed-out' | 'expired' | 'key-refused';

const state = createStore<{ session: Session | null; end: SessionEnd }>({ session: null, end: 'none' });

export function getSession(): Session | null {
  return state.get().session;
}

export function getSessionEnd(): SessionEnd {
  return state.get().end;
}

export const subscribeSession = state.subscribe;

export function useMaybeSession(): Session | null {
  return useSyncExternalStore(subscribeSession, getSession);
}

/** The session of a page: below the session guard there always is one. */
export function useSession(): Session {
  const session = useMaybeSession();
  if (session === null) throw new Error('A page was rendered without a session.');
  return session;
}

export function useSessionEnd(): SessionEnd {
  return useSyncExternalStore(subscribeSession, getSessionEnd);
}

function set(session: Session | null, end: SessionEnd): void {
  const before = state.get();
  if (stringifyExact(before) === stringifyExact({ session, end })) return;
  // The log holds ids of another account, or another person's requests.
  if (ownerOf(session) !== ownerOf(before.session)) clearRequestLog();
  state.set({ session, end });
}

/** Whose pages, drafts and requests these are: the account and, with passkeys, the person. */
export function ownerOf(session: Session | null): string | null {
  return session && [session.service, session.account, session.person?.id].filter(Boolean).join(' ');
}

/** Reads the session in the page (`<script type="application/json" id="session">`) and starts listening to other tabs. */
export function readEmbeddedSession(): Session | null {
  const embedded = v.safeParse(sessionSchema, parseJson(document.getElementById('session')?.textContent ?? ''));
  set(embedded.success ? embedded.output : null, 'none');
  listenToTabs((message) => {
    if (message === 'signed-out') set(null, 'signed-out');
    // Ask the gateway: the message may be older than the shared cookie.
    else void followOtherTab(message).catch(() => undefined);
  });
  return getSession();
}

async function followOtherTab(message: TabMessage): Promise<void> {
  const session = await refreshSession();
  if (session === null && message === 'key-refused' && getSessionEnd() === 'expired') set(null, 'key-refused');
}

let refreshing: Promise<Session | null> | null = null;

/** Asks the gateway who is signed in; throws ApiError, session unchanged, when it can't be reached. */
export function refreshSession(): Promise<Session | null> {
  refreshing ??= readSession().finally(() => {
    refreshing = null;
  });
  return refreshing;
}

async function readSession(): Promise<Session | null> {
  const answer = await ask({ method: 'GET', path: '/session' });
  if (isSessionOver(answer)) {
    set(null, getSession() === null ? getSessionEnd() : 'expired');
    return null;
  }
  set(successOf(answer, parseWith(sessionSchema)), 'none');
  return getSession();
}

/**
 * Signs in with an API key, or with the sandbox's demo key, which stays with the gateway; `name`: who this is, for
 * colleagues. A key that is new here may belong to a known account: then a person decides first. Throws ApiError.
 */
export async function signIn(credentials: KeyCredentials): Promise<Session | SameAccount> {
  const answer = await ask({ method: 'POST', path: '/session', body: stringifyExact(credentials) });
  const question = answer.status === 409 ? v.safeParse(sameAccountSchema, parseJson(answer.text)) : null;
  return question?.success === true ? question.output.same_account : begin(answer);
}

/** `join`: the account of a SameAccount that the key is added to, or false to keep it apart. */
export type KeyCredentials = ({ key: string } | { demo: true }) & { name?: string; join?: string | false };

/** The existing account that the new key belongs to. `since`: Unix seconds. */
export type SameAccount = SameAccountQuestion['same_account'];

/** Signs in with a passkey's signature over a ticket of `sign-in`. Throws ApiError. */
export function signInByPasskey(proof: Proof): Promise<Session> {
  return beginSession(PASSKEY_SIGN_IN_PATH, proof);
}

/** Signs in as one of the sandbox's people. Throws ApiError. */
export function signInToDemo(person: string): Promise<Session> {
  return beginSession(DEMO_SIGN_IN_PATH, { person });
}

async function beginSession(path: string, body: object): Promise<Session> {
  return begin(await ask({ method: 'POST', path, body: stringifyExact(body) }));
}

function begin(answer: GatewayAnswer): Session {
  const session = successOf(answer, parseWith(sessionSchema));
  set(session, 'none');
  tellTabs('signed-in');
  return session;
}

/** Loads a session that began with a request other than a sign-in. Throws ApiError. */
export async function sessionBegun(): Promise<Session | null> {
  const session = await refreshSession();
  if (session !== null) tellTabs('signed-in');
  return session;
}

/**
 * Switches to another of the person's accounts and reloads at Home, so that nothing of the former account stays in the
 * page. Throws ApiError.
 */
export async function switchAccount(account: string): Promise<void> {
  const answer = await ask({ method: 'POST', path: SWITCH_ACCOUNT_PATH, body: stringifyExact({ account }) });
  successOf(answer, parseWith(sessionSchema));
  tellTabs('signed-in');
  window.location.assign('/');
}

/**
 * Ends the session here and in every tab; throws ApiError, still signed in, when the gateway wasn't reached. `end`: after
 * "expired" the sign-in page leads back to this page.
 */
export async function signOut(end: 'signed-out' | 'expired' = 'signed-out'): Promise<void> {
  const answer = await ask({ method: 'DELETE', path: '/session' });
  // A web page from a proxy may have any status; the server then never got the request.
  if (answer.status !== 204 && !isSessionOver(answer)) throw errorOfAnswer(answer);
  set(null, end);
  tellTabs(end);
}

/** Ends the session on this page because it's no longer valid; a second call changes nothing. */
export function sessionEnded(): void {
  if (getSession() === null) return;
  set(null, 'expired');
  tellTabs('expired');
}

let confirming: Promise<void> | null = null;

/** One refused read may be a fault of the service: only a second refusal, of the read that sign-in makes, ends the session. */
function confirmRefusal(session: Session): void {
  confirming ??= endIfRefused(session).finally(() => {
    confirming = null;
  });
}

async function endIfRefused(session: Session): Promise<void> {
  const query = new URLSearchParams({ limit: '1' });
  const answer = await attempt({ method: 'GET', path: '/v1/balances', query, account: session.account });
  if (answer.kind !== 'answer' || !isRevoked(answer) || getSession() !== session) return;
  set(null, 'key-refused');
  // Tell the gateway first, so that other tabs find the session ended too.
  await attempt({ method: 'DELETE', path: '/session', query: new URLSearchParams({ account: session.account }) });
  tellTabs('key-refused');
}

/** Only the server's own envelope counts: a 401 from a proxy in front of it says nothing about the session. */
function isSessionOver({ status, text }: GatewayAnswer): boolean {
  return status === 401 && readEnvelope(text) !== null;
}

async function ask(call: Call): Promise<GatewayAnswer> {
  const answer = await attempt(call);
  if (answer.kind === 'no-answer') throw errorOfNoAnswer(answer.reason);
  return answer;
}

export function serviceHost({ service }: Session): string {
  if (service === 'sandbox') return 'Sandbox';
  return URL.canParse(service) ? new URL(service).host : service;
}

connectSession((path) => {
  const session = getSession();
  return {
    account: session?.account ?? null,
    answered: (answer) => {
      // A late response to an earlier session, or a wrong key in the sign-in form, doesn't end this session.
      const toService = path.startsWith('/v1/');
      const isOfSession = toService || path.startsWith('/api/') || path === TICKET_PATH || path === SWITCH_ACCOUNT_PATH;
      if (session === null || session !== getSession() || !isOfSession) return;
      const mayHaveChanged = answer.gatewayError === 'account' || (!toService && isNotPermitted(answer));
      if (mayHaveChanged) refreshSession().catch(() => undefined);
      else if (answer.gatewayError === 'session') sessionEnded();
      // With passkeys the API key is the server's. Its operator has to replace it; signing in again doesn't help.
      else if (toService && session.person !== null) noteServerKey(answer);
      else if (toService && !session.rights.keyRefused && isRevoked(answer)) confirmRefusal(session);
    },
  };
});

/** Notes what a read by the dashboard's server shows about the API key. `problem`: null if the read succeeded. */
export function noteServerRead(problem: Pick<OverviewError, 'status' | 'code'> | null): void {
  const session = getSession();
  const isRefused = problem?.status === 401 && problem.code === CODE_AUTHENTICATION_ERROR;
  if (session === null || session.rights.keyRefused) return;
  if (session.person !== null && (isRefused || problem === null)) serverKeyRefused.set(isRefused);
  else if (isRefused) confirmRefusal(session);
}

const serverKeyRefused = createStore(false);

/** Whether the provider refused the server's API key at the last read, where people sign in as themselves. */
export const isServerKeyRefused = serverKeyRefused.get;

export function useServerKeyRefused(): boolean {
  return useSyncExternalStore(serverKeyRefused.subscribe, isServerKeyRefused);
}

function noteServerKey(answer: GatewayAnswer): void {
  if (isRevoked(answer)) serverKeyRefused.set(true);
  else if (answer.status === 200 && answer.gatewayError === null) serverKeyRefused.set(false);
}

/** An admin may have changed the person's roles since the page was loaded. */
function isNotPermitted({ status, text }: GatewayAnswer): boolean {
  return status === 403 && readEnvelope(text)?.code === 'not_permitted';
}

function isRevoked({ status, gatewayError, text }: GatewayAnswer): boolean {
  return status === 401 && gatewayError === null && readEnvelope(text)?.code === CODE_AUTHENTICATION_ERROR;
}

const MESSAGES = ['signed-in', 'signed-out', 'expired', 'key-refused'] as const;
type TabMessage = (typeof MESSAGES)[number];
let channel: BroadcastChannel | null = null;

/** Listens to other tabs, once. Without BroadcastChannel each tab finds out by its next request. */
function listenToTabs(onMessage: (message: TabMessage) => void): void {
  if (channel !== null) return;
  try {
    channel = new BroadcastChannel('session');
  } catch {
    return;
  }
  channel.addEventListener('message', (event: MessageEvent<unknown>) => {
    const message = MESSAGES.find((known) => known === event.data);
    if (message) onMessage(message);
  });
}

function tellTabs(message: TabMessage): void {
  try {
    channel?.postMessage(message);
  } catch {
    // A closed channel: other tabs find out by their next request.
  }
}
