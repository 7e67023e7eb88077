import type { Context } from 'hono';
import * as v from 'valibot';
import type { InviteFault } from '#src/server/people/inviteRows.ts';
import { parseJson } from '#src/shared/answers.ts';
import type { PeopleErrorCode } from '#src/shared/contract/peopleContract.ts';
import { isStorable } from '#src/shared/text.ts';
import type { Bindings } from './bindings.ts';
import { readBody, refuse } from './guards.ts';

const BODY_LIMIT = 64_000;

export const INVITE_FAULTS: Record<InviteFault | 'identity_taken', string> = {
  invite_used: 'This invite was used. Sign in, or ask an admin for a new one.',
  invite_ended: 'This invite was revoked or replaced. Ask for a new one.',
  invite_expired: 'This invite has expired. Ask for a new one.',
  invite_unknown: 'This link isn’t complete, or isn’t from this dashboard. Open it again as you got it.',
  identity_taken: 'Somebody here already signs in with this login. If that is you, sign in.',
};

export function peopleRefusal(code: PeopleErrorCode, status: number, message: string): Response {
  return refuse(status === 503 ? 'not-ready' : 'not-allowed', status, code, message);
}

export async function parsed<S extends v.GenericSchema>(
  c: Context<Bindings>,
  schema: S,
  limit = BODY_LIMIT,
): Promise<v.InferOutput<S> | Response> {
  const bytes = await readBody(c.env.incoming, limit);
  if (bytes instanceof Response) return bytes;
  const result = v.safeParse(schema, parseJson(new TextDecoder().decode(bytes)));
  if (result.success) return result.output;
  const path = v.getDotPath(result.issues[0]);
  return peopleRefusal('invalid_request_error', 400, `${path ?? 'The body'} is missing or not as expected.`);
}

export function refusePersonNotFound(): Response {
  return peopleRefusal('not_found', 404, 'This person isn’t on this account, or it’s you.');
}

export function refuseName(): Response {
  return peopleRefusal('name_taken', 409, 'Somebody here has this name. Add a surname or a number.');
}

/** The id in the path; '' if the text can't be an id. */
export function idOf(c: Context<Bindings>): string {
  return idIn(c.req.param('id'));
}

/** The value as an id; '' if it can't be an id. */
export function idIn(value: unknown): string {
  return typeof value === 'string' && isStorable(value) ? value : '';
}
