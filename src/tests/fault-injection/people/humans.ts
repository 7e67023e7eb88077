import { setImmediate as turn } from 'node:timers/promises';
import { parseJson, isObject } from '#src/shared/answers.ts';
import { actStatement } from '#src/shared/contract/peopleContract.ts';
import { PERSON_HEADER, SIGN_TICKET_PATH } from '#src/shared/serverPaths.ts';
import { ORIGIN, RP_ID } from '#src/server/people/testOrigin.ts';
import { createAuthenticator } from '#src/server/people/testAuthenticator.ts';
import { type PeopleScene, type PeopleServer, COMPANY_ACCOUNT } from './peopleScene.ts';

export type Authenticator = ReturnType<typeof createAuthenticator>;

/** Somebody with one browser and one or more passkeys. */
export interface Human {
  name: string;
  /** Their id; null before they joined. */
  person: string | null;
  /** The passkeys that they use; older ones may be lost or in other hands. */
  authenticator: Authenticator;
  earlier: Authenticator[];
  cookies: Map<string, string>;
}

export interface PeopleReply {
  status: number;
  body: Record<string, unknown>;
  text: string;
}

export interface PeopleCall {
  method: string;
  path: string;
  body?: Record<string, unknown>;
}

export function newHuman(scene: PeopleScene): Human {
  const authenticator = createAuthenticator();
  return { name: scene.name('human '), person: null, authenticator, earlier: [], cookies: new Map() };
}

const SESSION_TOKEN = /^[\w-]{65}$/;

/** The session's token in the browser's cookies; null without one. */
export function tokenOf({ cookies }: Pick<Human, 'cookies'>): string | null {
  return [...cookies.values()].find((value) => SESSION_TOKEN.test(value)) ?? null;
}

/** Lets pending work that waits for no timer finish. */
export async function finishPendingWork(): Promise<void> {
  for (let turns = 0; turns < 12; turns += 1) await turn();
}

/** Sends one request to one server. `isByPerson`: false for a page that refreshes by itself. */
export async function send(
  scene: PeopleScene,
  { cookies }: Pick<Human, 'cookies'>,
  { method, path, body }: PeopleCall,
  server: PeopleServer = scene.random.pick(scene.servers),
  isByPerson = scene.random.chance(0.7),
): Promise<PeopleReply> {
  const text = body === undefined ? '' : JSON.stringify(body);
  const token = tokenOf({ cookies });
  if (isByPerson && token !== null) scene.active(token);
  const request = new Request(ORIGIN + path, {
    method,
    headers: {
      cookie: [...cookies].map((pair) => pair.join('=')).join('; '),
      'x-account': COMPANY_ACCOUNT,
      ...(isByPerson && { [PERSON_HEADER]: '1' }),
      ...(body && { 'content-type': 'application/json' }),
    },
  });
  const response = await server.fetch(request, text);
  for (const line of response.headers.getSetCookie()) {
    const [pair = ''] = line.split(';');
    const name = pair.slice(0, pair.indexOf('='));
    if (line.includes('Max-Age=0')) cookies.delete(name);
    else cookies.set(name, pair.slice(name.length + 1));
  }
  const answer = await response.text();
  scene.heard(answer, `the answer to ${method} ${path}`);
  await finishPendingWork();
  const parsed = parseJson(answer);
  scene.tell(`${server.host.name} answers ${method} ${path}: ${response.status} ${answer.slice(0, 120)}`);
  return { status: response.status, body: isObject(parsed) ? parsed : {}, text: answer };
}

interface Ticket {
  ticket: string;
  here: { challenge: string; origin: string; rpId: string };
}

/** Null if the server gives no ticket. */
async function ticketFor(
  scene: PeopleScene,
  human: Pick<Human, 'cookies'>,
  request: Record<string, unknown>,
  server: PeopleServer,
): Promise<Ticket | null> {
  return ticketIn((await send(scene, human, { method: 'POST', path: '/session/ticket', body: request }, server)).body);
}

/** Null for a refusal. */
function ticketIn({ ticket, options }: PeopleReply['body']): Ticket | null {
  if (typeof ticket !== 'string' || !isObject(options)) return null;
  return { ticket, here: { challenge: String(options['challenge']), origin: ORIGIN, rpId: RP_ID } };
}

/** The request with the passkey's signature; null if the server gave no ticket for it. */
export async function signed(
  scene: PeopleScene,
  human: Pick<Human, 'cookies'>,
  { method, path, body = {} }: PeopleCall,
  { signer, server }: { signer: Authenticator; server: PeopleServer },
): Promise<PeopleCall | null> {
  const statement = actStatement(method, path, body);
  const ticket = await ticketFor(scene, human, { purpose: 'act', statement }, server);
  if (ticket === null) return null;
  return { method, path, body: { ...body, proof: { ticket: ticket.ticket, response: signer.sign(ticket.here) } } };
}

/** The request for a payment with its maker's signature; without one if the server gives no ticket. */
export async function withSignature(
  scene: PeopleScene,
  human: Pick<Human, 'cookies'>,
  { method, path, body }: PeopleCall & { body: { body: string; second_send_of: string[] } },
  { key, signer, server }: { key: string; signer: Authenticator; server: PeopleServer },
): Promise<PeopleCall & { body: Record<string, unknown> }> {
  const payment = { key, body: body.body, second_send_of: body.second_send_of };
  const proof = await proofFor(scene, human, { decision: 'send', payments: [payment] }, { signer, server });
  return { method, path, body: { ...body, ...(proof !== null && { proof }) } };
}

/** A signature over payments; null if the server gives no ticket. */
export async function proofFor(
  scene: PeopleScene,
  human: Pick<Human, 'cookies'>,
  toSign: Record<string, unknown>,
  { signer, server }: { signer: Authenticator; server: PeopleServer },
): Promise<Record<string, unknown> | null> {
  const ask = { method: 'POST', path: SIGN_TICKET_PATH, body: toSign };
  const ticket = ticketIn((await send(scene, human, ask, server)).body);
  return ticket && { ticket: ticket.ticket, response: signer.sign(ticket.here) };
}

export async function signInCall(
  scene: PeopleScene,
  human: Human,
  { signer, server }: { signer: Authenticator; server: PeopleServer },
): Promise<PeopleCall | null> {
  const ticket = await ticketFor(scene, human, { purpose: 'sign-in' }, server);
  if (ticket === null) return null;
  const body = { ticket: ticket.ticket, response: signer.sign(ticket.here) };
  return { method: 'POST', path: '/session/passkey', body };
}

export async function joinCall(
  scene: PeopleScene,
  human: Human,
  { token, server }: { token: string; server: PeopleServer },
): Promise<PeopleCall | null> {
  const ticket = await ticketFor(scene, human, { purpose: 'join', token }, server);
  if (ticket === null) return null;
  const response = human.authenticator.register(ticket.here);
  return { method: 'POST', path: '/api/join', body: { token, ticket: ticket.ticket, response, name: human.name } };
}
