import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { isWebPage } from '#src/shared/answers.ts';
import {
  actStatement,
  type Invited,
  invitedSchema,
  joinedSchema,
  ownEmailAnswerSchema,
  type OidcResult,
  oidcResultsSchema,
  type OidcSignInRequest,
  oidcUrlSchema,
  passkeysSchema,
  peopleSchema,
  sessionItemsSchema,
  type Ticket,
  type TicketRequest,
  ticketSchema,
} from '#src/shared/contract/peopleContract.ts';
import type { Proof } from '#src/shared/contract/proofContract.ts';
import { stringifyExact } from '#src/shared/json/exactJson.ts';
import { segment } from '#src/shared/paths.ts';
import type { Permission } from '#src/shared/permissions.ts';
import { OIDC_PATH, TICKET_PATH } from '#src/shared/serverPaths.ts';
import { errorOfAnswer, errorOfNoAnswer } from './errors.ts';
import { attempt, type Call } from './http.ts';
import { askPasskey, createPasskey } from './passkeys.ts';
import { read, request } from './query.ts';
import { parseWith } from '#src/shared/contract/rows.ts';
import { sessionBegun, signInByPasskey, useSession } from './session.ts';

const PEOPLE_PATH = '/api/people';
const GRANTS_PATH = '/api/grants';
const INVITES_PATH = '/api/invites';
const PASSKEYS_PATH = '/api/passkeys';
const SESSIONS_PATH = '/api/sessions';
const EMAIL_PATH = '/api/email';

/** Part of the key of every query about people and their settings. */
export const PEOPLE = 'people';

function listQuery<T>(account: string, path: string, parse: (json: unknown) => { data: T[] }) {
  return queryOptions({
    queryKey: [account, PEOPLE, path],
    queryFn: async ({ signal }) => {
      const { data } = await read(path, undefined, parse, { account, signal });
      return data.data;
    },
  });
}

export function peopleQuery(account: string) {
  return queryOptions({
    queryKey: [account, PEOPLE, PEOPLE_PATH],
    queryFn: async ({ signal }) => {
      const { data } = await read(PEOPLE_PATH, undefined, parseWith(peopleSchema), { account, signal });
      return { people: data.data, addable: data.addable };
    },
  });
}

/** The person's own passkeys. */
export function passkeysQuery(account: string) {
  return listQuery(account, PASSKEYS_PATH, parseWith(passkeysSchema));
}

/** The person's own open sessions. */
export function sessionsQuery(account: string) {
  return listQuery(account, SESSIONS_PATH, parseWith(sessionItemsSchema));
}

/** The person's own address for notices, and whether this server sends e-mail. */
export function ownEmailQuery(account: string) {
  return queryOptions({
    queryKey: [account, PEOPLE, EMAIL_PATH],
    queryFn: async ({ signal }) => {
      const { data } = await read(EMAIL_PATH, undefined, parseWith(ownEmailAnswerSchema), { account, signal });
      return { email: data.email, isSent: data.is_sent };
    },
  });
}

/** Throws ApiError. */
export function requestTicket(input: TicketRequest): Promise<Ticket> {
  return post(TICKET_PATH, input, parseWith(ticketSchema));
}

/** Navigates to the identity provider, which later redirects to this server. Throws ApiError. */
export async function leaveForProvider(input: OidcSignInRequest): Promise<true> {
  const { url } = await post(OIDC_PATH, input, parseWith(oidcUrlSchema));
  location.assign(url);
  return true;
}

/** The result of this browser's last sign-in at the identity provider; null if there is nothing to report. Throws ApiError. */
export async function readOidcResult(): Promise<OidcResult | null> {
  return (await request({ method: 'GET', path: OIDC_PATH }, parseWith(oidcResultsSchema))).result;
}

/** False if the person cancelled. Throws ApiError or PasskeyProblem. */
export async function signInWithPasskey(): Promise<boolean> {
  const { ticket, options } = await requestTicket({ purpose: 'sign-in' });
  const response = await askPasskey(options);
  if (response === null) return false;
  await signInByPasskey({ ticket, response });
  return true;
}

/**
 * Creates the passkey of a new person; `name` is needed if the invite has none. Resolves with six digits that an admin has
 * to type, or a null code if the session has begun; null if the person cancelled. Throws ApiError or PasskeyProblem.
 */
export async function joinWithPasskey(invite: {
  token: string;
  name?: string;
}): Promise<{ code: string | null } | null> {
  const { ticket, options } = await requestTicket({ purpose: 'join', ...invite });
  const response = await createPasskey(options);
  if (response === null) return null;
  const joined = await post('/api/join', { ...invite, ticket, response }, parseWith(joinedSchema));
  if (joined.code === null) await sessionBegun();
  return joined;
}

// An admin's commands. Those that give access are signed with the admin's passkey, and return null if the admin cancelled.
// Those that take access away need no signature.

export function invitePerson(
  account: string,
  input: { name: string; permissions: Permission[] },
): Promise<Invited | null> {
  return inviteWith(account, input);
}

/** For somebody who lost their passkeys. */
export function inviteAgain(account: string, person: string): Promise<Invited | null> {
  return inviteWith(account, { person });
}

export function confirmCode(account: string, { person, code }: { person: string; code: string }): Promise<true | null> {
  return sendSigned(account, personPath(person, 'confirm'), { code });
}

export function grantPermissions(
  account: string,
  { person, permissions }: { person: string; permissions: Permission[] },
): Promise<true | null> {
  return sendSigned(account, personPath(person, 'grant'), { permissions });
}

/** Confirms a role that another admin gave. */
export function confirmRole(
  account: string,
  { id, ...role }: { id: string; person: string; permission: Permission },
): Promise<true | null> {
  return sendSigned(account, `${GRANTS_PATH}/${segment(id)}/confirm`, role);
}

export function refuseRole(account: string, id: string): Promise<true> {
  return sendUnsigned({ method: 'POST', path: `${GRANTS_PATH}/${segment(id)}/veto`, body: '{}', account });
}

export function setPersonEmail(
  account: string,
  { person, email }: { person: string; email: string | null },
): Promise<true | null> {
  return sendSigned(account, personPath(person, 'email'), { email });
}

export function setOwnEmail(account: string, email: string | null): Promise<true> {
  return sendUnsigned({ method: 'PUT', path: EMAIL_PATH, body: stringifyExact({ email }), account });
}

export function blockPerson(account: string, person: string): Promise<true> {
  return sendUnsigned({ method: 'POST', path: personPath(person, 'block'), body: '{}', account });
}

export function signPersonOut(account: string, person: string): Promise<true> {
  return sendUnsigned({ method: 'POST', path: personPath(person, 'sign-out'), body: '{}', account });
}

export function revokeInvite(account: string, person: string): Promise<true> {
  return sendUnsigned({ method: 'DELETE', path: `${INVITES_PATH}/${segment(person)}`, account });
}

/** Runs one of the commands above; rejects with ApiError or PasskeyProblem. */
export function usePersonCommand<Input, Output>(command: (account: string, input: Input) => Promise<Output>) {
  const { account } = useSession();
  const client = useQueryClient();
  return useMutation({
    mutationFn: (input: Input) => command(account, input),
    // Also after a failure: a lost response may have changed something.
    onSettled: () => client.invalidateQueries({ queryKey: [account, PEOPLE] }),
  });
}

/** Adds a passkey for the person, in two steps, because each step opens the browser's passkey dialog. */
export function useAddPasskey() {
  const { account } = useSession();
  const client = useQueryClient();
  const create = useMutation({
    mutationFn: async (): Promise<Proof | null> => {
      const { ticket, options } = await requestTicket({ purpose: 'register' });
      const response = await createPasskey(options);
      return response && { ticket, response };
    },
  });
  const confirm = useMutation({
    mutationFn: (created: Proof) => sendSigned(account, PASSKEYS_PATH, { ...created }),
    onSettled: () => client.invalidateQueries({ queryKey: [account, PEOPLE] }),
  });
  return { create, confirm };
}

/**
 * Adds the first passkey of a person who signs in at an identity provider. Resolves with six digits if another admin has
 * to type them, or a null code; null if the person cancelled.
 */
export async function addFirstPasskey(account: string): Promise<{ code: string | null } | null> {
  const { ticket, options } = await requestTicket({ purpose: 'register' });
  const response = await createPasskey(options);
  return response && post(`${PASSKEYS_PATH}/first`, { ticket, response }, parseWith(joinedSchema), account);
}

/** Signed with any of the person's passkeys. */
export function removePasskey(account: string, id: string): Promise<true | null> {
  return sendSigned(account, `${PASSKEYS_PATH}/${segment(id)}`, {}, 'DELETE');
}

export function endSession(account: string, id: string): Promise<true> {
  return sendUnsigned({ method: 'DELETE', path: `${SESSIONS_PATH}/${segment(id)}`, account });
}

/** A passkey's signature over a request; null if the person cancelled. */
async function prove(method: Method, path: string, body: Record<string, unknown>): Promise<Proof | null> {
  const statement = actStatement(method, path, body);
  const { ticket, options } = await requestTicket({ purpose: 'act', statement });
  const response = await askPasskey(options);
  return response && { ticket, response };
}

async function inviteWith(account: string, input: Record<string, unknown>): Promise<Invited | null> {
  const proof = await prove('POST', INVITES_PATH, input);
  return proof && post(INVITES_PATH, { ...input, proof }, parseWith(invitedSchema), account);
}

/** Sends a command signed with the person's passkey; null if the person cancelled. */
export async function sendSigned(
  account: string,
  path: string,
  body: Record<string, unknown>,
  method: Method = 'POST',
): Promise<true | null> {
  const proof = await prove(method, path, body);
  return proof && sendUnsigned({ method, path, body: stringifyExact({ ...body, proof }), account });
}

type Method = 'POST' | 'PUT' | 'DELETE';

function post<T>(path: string, body: object, parse: (json: unknown) => T, account?: string): Promise<T> {
  return request({ method: 'POST', path, body: stringifyExact(body), account }, parse);
}

/** Sends a request whose response has no content of interest. */
export async function sendUnsigned(call: Call): Promise<true> {
  const answer = await attempt(call);
  if (answer.kind === 'no-answer') throw errorOfNoAnswer(answer.reason, false);
  const isDone = answer.status >= 200 && answer.status < 300 && answer.complete && !isWebPage(answer);
  if (!isDone) throw errorOfAnswer(answer);
  return true;
}

function personPath(person: string, command: string): string {
  return `${PEOPLE_PATH}/${segment(person)}/${command}`;
}
