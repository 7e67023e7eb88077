import type { IncomingMessage } from 'node:http';
import { Hono } from 'hono';
import type { Operations } from '#src/server/operations/operations.ts';
import type { GatewayOptions } from './gatewayOptions.ts';
import type { Bindings } from './bindings.ts';
import type { RequestSessions } from './requestSession.ts';
import { isByPerson, readBody, refuse, refuseStranger } from './guards.ts';
import { log } from './log.ts';
import { type Accounts, credentialOf } from '#src/server/people/accounts.ts';
import { sessionsUnavailable } from '#src/server/people/sessions.ts';
import { JournalAway } from '#src/server/operations/ports.ts';
import { refuseUpstream, type Service } from './upstream/service.ts';
import {
  CODE_SAME_ACCOUNT,
  CODE_SAME_ACCOUNT_UNKNOWN,
  type SameAccountQuestion,
} from '#src/shared/contract/gatewayContract.ts';
import { machineClock } from './clock.ts';
import { apiKeyFault } from '#src/shared/apiKey.ts';
import { PATHS, REQUEST_ID_HEADER } from '#src/shared/contract/contract.ts';
import { isObject, isWebPage, parseJson, readEnvelope, type ServiceAnswer } from '#src/shared/answers.ts';

const BODY_LIMIT = 16_000;

/** GET says who is signed in, DELETE signs out; with `?account=` only that account. */
export function serveOwnSession(requestSessions: RequestSessions): Hono<Bindings> {
  const app = new Hono<Bindings>();

  app.get('/', async (c) => {
    const found = await requestSessions.recognise(c.req.header('cookie'), isByPerson(c));
    if (!found) return refuseStranger();
    return c.json(requestSessions.view(found.session));
  });

  app.delete('/', async (c) => {
    const account = c.req.query('account');
    if (account !== undefined) {
      // A tab may report its refused key late, when another tab has a newer session, so the account must match. In people
      // mode the key is the server's, and its refusal doesn't sign anybody out.
      const found = await requestSessions.recognise(c.req.header('cookie'), false);
      if (found?.session.account === account && found.session.person === null)
        await requestSessions.sessions.end(found.token, 'key-refused');
      return c.body(null, 204);
    }
    await requestSessions.end(c.req.header('cookie'), 'signed-out');
    for (const line of requestSessions.cookies.clear()) c.header('Set-Cookie', line, { append: true });
    return c.body(null, 204);
  });
  return app;
}

/** POST signs in with an API key. `beforeRefusal` is awaited before a key that the service refused is answered. */
export function serveKeySignIn(
  requestSessions: RequestSessions,
  options: Pick<GatewayOptions, 'accounts' | 'joining' | 'operations' | 'journalOnly' | 'readOnly'>,
  beforeRefusal: (incoming: IncomingMessage) => Promise<void>,
): Hono<Bindings> {
  const { accounts, operations, journalOnly: allowsJournalOnly } = options;
  const app = new Hono<Bindings>();

  app.post('/', async (c) => {
    const body = await readBody(c.env.incoming, BODY_LIMIT);
    if (body instanceof Response) return body;
    const json = parseJson(new TextDecoder().decode(body));
    const input = isObject(json) ? json : {};
    const key = readKey(input, requestSessions.service.demoKey);
    if (key instanceof Response) return key;
    const { service } = requestSessions;
    const credential = credentialOf(key, service.name);
    const refusal = await checkKey(service, key);
    const account = refusal
      ? allowsJournalOnly
        ? await accountWithRecords(refusal, accounts, operations, credential)
        : null
      : await accountOf(key, { credential, answer: answerIn(input), who: nameIn(input) }, options);
    if (account instanceof Response) return account;
    if (account === null) {
      if (refusal && isAboutKey(refusal)) await beforeRefusal(c.env.incoming);
      return refusal ?? refuseStranger();
    }
    const journalOnly = refusal !== null;
    const sandbox = journalOnly ? null : await service.sandboxAccount(key);
    const who = { account, credential, sandbox, name: nameIn(input), journalOnly, person: null };
    const name = requestSessions.cookies.nameFor(c.req.header('cookie'));
    const token = await requestSessions.sessions.start({ key: journalOnly ? null : key, ...who });
    c.header('Set-Cookie', requestSessions.cookies.set(name, token));
    await requestSessions.end(c.req.header('cookie'), 'replaced');
    const session = await requestSessions.sessions.open(token);
    return session ? c.json(requestSessions.view(session), 201) : refuseStranger();
  });
  return app;
}

/** The account of a key that the service accepts; the response if a person has to decide first. */
async function accountOf(
  key: string,
  { credential, answer, who }: { credential: string; answer: string | false | null; who: string | null },
  { accounts, joining, readOnly }: Pick<GatewayOptions, 'accounts' | 'joining' | 'readOnly'>,
): Promise<string | Response> {
  // A read-only server records nothing under the key, so the question can wait until the person signs in on another server.
  if (readOnly) return accounts.findAccount(credential).catch(sessionsUnavailable);
  if (joining === null) return accounts.findOrCreateAccount(credential).catch(sessionsUnavailable);
  const now = machineClock.mono();
  const result = await joining.accountAtSignIn(key, { credential, answer, who, now }).catch(sessionsUnavailable);
  switch (result.kind) {
    case 'account':
      return result.account;
    case 'same': {
      const { account, since } = result.found;
      const body: SameAccountQuestion = { same_account: { account, since: Math.floor(since / 1_000) } };
      return refuse('not-allowed', 409, CODE_SAME_ACCOUNT, 'This key reads the withdrawals of a known account.', body);
    }
    case 'unavailable':
      return refuse(
        'upstream',
        503,
        CODE_SAME_ACCOUNT_UNKNOWN,
        'This key is new here. The provider didn’t respond when we checked whether it belongs to an account that is known here. Try again.',
      );
    case 'too-many':
      return refuse('not-ready', 429, 'too_many', 'This key was checked too often. Try again in a minute.');
  }
}

/** The account that the person chose to join, or false to keep the key separate; null if they haven't been asked yet. */
function answerIn({ join }: SignInInput): string | false | null {
  return typeof join === 'string' || join === false ? join : null;
}

type SignInInput = Record<string, unknown>;

function readKey({ key, demo }: SignInInput, demoKey: string | null): string | Response {
  if (demo === true) return demoKey ?? refuse('not-allowed', 403, 'no_demo_key', 'Only the sandbox has a demo key.');
  if (typeof key !== 'string' || key === '')
    return refuse('not-allowed', 400, 'invalid_request_error', 'key must be the API key.');
  const fault = apiKeyFault(key);
  return fault === null ? key : refuse('not-allowed', 400, 'invalid_request_error', fault);
}

/** The account of a refused key if the journal has records of it, so that its operations can be closed; otherwise null. */
async function accountWithRecords(
  refusal: Response,
  accounts: Accounts,
  { ports }: Operations,
  credential: string,
): Promise<string | null> {
  if (refusal.status !== 401) return null;
  try {
    const account = await accounts.findAccount(credential);
    return (await ports.rows.hasAccount({ service: ports.service.name, account })) ? account : null;
  } catch (error) {
    // The service's refusal counts even if the database can't be read.
    log('No journal at a sign-in', error instanceof JournalAway ? error.cause : error);
    return null;
  }
}

const LONGEST_NAME = 60;

function nameIn({ name }: SignInInput): string | null {
  // The database can't store NUL or lone surrogates, and no name has control characters.
  const text = typeof name === 'string' ? name.replace(/[\p{Cc}\p{Cs}]/gu, '').trim() : '';
  return text === '' ? null : Array.from(text).slice(0, LONGEST_NAME).join('');
}

/** Tests an API key with one read; null if the service accepts it, otherwise the response that explains why not. */
export async function checkKey(service: Service, apiKey: string): Promise<Response | null> {
  const answer = await service.read(apiKey, `${PATHS.balances}?limit=1`);
  if (answer.kind === 'no-answer') {
    return answer.reason === 'redirect' ? refuseOther('A redirect') : refuseUpstream(answer.reason);
  }
  if (!answer.complete) return refuseUpstream('network');
  const json = parseJson(answer.text);
  if (answer.status === 200 && isObject(json) && json['object'] === 'list' && Array.isArray(json['data'])) return null;
  // The service's own refusal, usually a wrong key.
  const refused = answer.status >= 400 && answer.status <= 599;
  if (refused && readEnvelope(answer.text)?.code != null) return passedOn(answer);
  return refuseOther(
    isWebPage(answer) ? `A web page (status ${answer.status})` : `Something else (status ${answer.status})`,
  );
}

/** A 4xx other than a rate limit is about the key; anything else is about the service. */
function isAboutKey({ status }: Response): boolean {
  return status >= 400 && status < 500 && status !== 429;
}

function refuseOther(what: string): Response {
  return refuse(
    'upstream',
    502,
    'not_the_payment_service',
    `${what} came back in place of the provider’s response. The API key was not checked.`,
  );
}

function passedOn({ status, text, contentType, requestId, retryAfter, date }: ServiceAnswer): Response {
  const headers = new Headers();
  const set = (name: string, value: string | null) => value !== null && headers.set(name, value);
  set('Content-Type', contentType);
  set(REQUEST_ID_HEADER, requestId);
  set('Retry-After', retryAfter);
  set('Date', date === null ? null : new Date(date * 1000).toUTCString());
  return new Response(text, { status, headers });
}
