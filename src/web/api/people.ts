import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import * as v from 'valibot';
import { isWebPage, parseJson } from '#src/shared/answers.ts';
import {
  actStatement,
  type Invited,
  invitedSchema,
  joinedSchema,
  passkeysSchema,
  peopleSchema,
  type Proof,
  sessionItemsSchema,
  type Ticket,
  type TicketRequest,
  ticketSchema,
} from '#src/shared/contract/peopleContract.ts';
import { stringifyExact } from '#src/shared/json/exactJson.ts';
import { segment } from '#src/shared/paths.ts';
import type { Permission } from '#src/shared/permissions.ts';
import { TICKET_PATH } from '#src/shared/serverPaths.ts';
import { ApiError, errorOfAnswer, errorOfNoAnswer } from './errors.ts';
import type { GatewayAnswer } from './gatewayAnswer.ts';
import { attempt, type Call } from './http.ts';
import { askPasskey, createPasskey } from './passkeys.ts';
import { read, request } from './query.ts';
import { parseWith } from './schemas.ts';
import { sessionBegun, signInByPasskey, useSession } from './session.ts';

const PEOPLE_PATH = '/api/people';
const INVITES_PATH = '/api/invites';
const PASSKEYS_PATH = '/api/passkeys';
const SESSIONS_PATH = '/api/sessions';

function listQuery<T>(owner: readonly string[], path: string, parse: (json: unknown) => { data: T[] }) {
  return queryOptions({
    queryKey: [...owner, path],
    queryFn: async ({ signal }) => {
      const { data } = await read(path, undefined, parse, { account: owner[0], signal });
      return data.data;
    },
  });
}

export function peopleQuery(account: string) {
  return listQuery([account], PEOPLE_PATH, parseWith(peopleSchema));
}

/** `person`: the id of whoever is signed in. */
export function passkeysQuery(account: string, person: string) {
  return listQuery([account, person], PASSKEYS_PATH, parseWith(passkeysSchema));
}

export function sessionsQuery(account: string, person: string) {
  return listQuery([account, person], SESSIONS_PATH, parseWith(sessionItemsSchema));
}

/** Throws ApiError. */
export function requestTicket(of: TicketRequest): Promise<Ticket> {
  return post(TICKET_PATH, of, parseWith(ticketSchema));
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
 * Makes the passkey of a new person. `code`: six digits that an admin has to type; null: the session has begun. Null if
 * the person cancelled. Throws ApiError or PasskeyProblem.
 */
export async function join(token: string): Promise<{ code: string | null } | null> {
  const { ticket, options } = await requestTicket({ purpose: 'join', token });
  const response = await createPasskey(options);
  if (response === null) return null;
  const joined = await post('/api/join', { token, ticket, response }, parseWith(joinedSchema));
  if (joined.code === null) await sessionBegun();
  return joined;
}

/** The digits that an admin typed are not the person's. */
export class WrongCode extends ApiError {
  readonly triesLeft: number;

  constructor(error: ApiError, triesLeft: number) {
    super(error.message, error);
    this.triesLeft = triesLeft;
  }
}

const wrongCodeSchema = v.object({ tries_left: v.number() });

function refusalOf(answer: GatewayAnswer): ApiError {
  const error = errorOfAnswer(answer);
  const extras = error.code === 'wrong_code' ? v.safeParse(wrongCodeSchema, parseJson(answer.text)) : null;
  return extras?.success ? new WrongCode(error, extras.output.tries_left) : error;
}

/** What an admin does with a person. Each is signed by a passkey of theirs; null if they cancelled. */
export function invitePerson(
  account: string,
  of: { name: string; permissions: Permission[] },
): Promise<Invited | null> {
  return inviteWith(account, of);
}

/** For somebody who lost their passkeys. */
export function inviteAgain(account: string, person: string): Promise<Invited | null> {
  return inviteWith(account, { person });
}

export function confirmCode(account: string, { person, code }: { person: string; code: string }): Promise<true | null> {
  return act(account, personPath(person, 'confirm'), { code });
}

export function grantPermissions(
  account: string,
  { person, permissions }: { person: string; permissions: Permission[] },
): Promise<true | null> {
  return act(account, personPath(person, 'grant'), { permissions });
}

export function blockPerson(account: string, person: string): Promise<true | null> {
  return act(account, personPath(person, 'block'), {});
}

export function unblockPerson(account: string, person: string): Promise<true | null> {
  return act(account, personPath(person, 'unblock'), {});
}

export function signPersonOut(account: string, person: string): Promise<true | null> {
  return act(account, personPath(person, 'sign-out'), {});
}

/** Not signed: it only takes something away. */
export function revokeInvite(account: string, person: string): Promise<true> {
  return remove(account, INVITES_PATH, person);
}

/** One of the commands above; rejects with ApiError or PasskeyProblem. */
export function usePersonCommand<Input, Output>(command: (account: string, input: Input) => Promise<Output>) {
  const { account } = useSession();
  const client = useQueryClient();
  return useMutation({
    mutationFn: (input: Input) => command(account, input),
    // Also after a failure: a lost response may have changed something.
    onSettled: () => client.invalidateQueries({ queryKey: peopleQuery(account).queryKey }),
  });
}

/** Adds a passkey of one's own, in two steps, since each asks for a passkey. */
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
    mutationFn: (created: Proof) => act(account, PASSKEYS_PATH, { ...created }),
    onSettled: () => client.invalidateQueries({ queryKey: [account] }),
  });
  return { create, confirm };
}

export function useRemovePasskey() {
  return useRemoval(PASSKEYS_PATH);
}

export function useEndSession() {
  return useRemoval(SESSIONS_PATH);
}

/** Removes something of one's own, by its id. */
function useRemoval(path: string) {
  const { account } = useSession();
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => remove(account, path, id),
    onSettled: () => client.invalidateQueries({ queryKey: [account] }),
  });
}

/** A passkey's signature over the body of a POST; null if the person cancelled. */
async function prove(path: string, body: Record<string, unknown>): Promise<Proof | null> {
  const statement = actStatement('POST', path, body);
  const { ticket, options } = await requestTicket({ purpose: 'act', statement });
  const response = await askPasskey(options);
  return response && { ticket, response };
}

async function inviteWith(account: string, of: Record<string, unknown>): Promise<Invited | null> {
  const proof = await prove(INVITES_PATH, of);
  return proof && post(INVITES_PATH, { ...of, proof }, parseWith(invitedSchema), account);
}

/** An act without a result. */
async function act(account: string, path: string, body: Record<string, unknown>): Promise<true | null> {
  const proof = await prove(path, body);
  return proof && send({ method: 'POST', path, body: stringifyExact({ ...body, proof }), account });
}

function post<T>(path: string, body: object, parse: (json: unknown) => T, account?: string): Promise<T> {
  return request({ method: 'POST', path, body: stringifyExact(body), account }, parse, refusalOf);
}

function remove(account: string, path: string, id: string): Promise<true> {
  return send({ method: 'DELETE', path: `${path}/${segment(id)}`, account });
}

/** For a response that says only that it was done. */
async function send(call: Call): Promise<true> {
  const answer = await attempt(call);
  if (answer.kind === 'no-answer') throw errorOfNoAnswer(answer.reason, false);
  const isDone = answer.status >= 200 && answer.status < 300 && answer.complete && !isWebPage(answer);
  if (!isDone) throw refusalOf(answer);
  return true;
}

function personPath(person: string, command: string): string {
  return `${PEOPLE_PATH}/${segment(person)}/${command}`;
}
