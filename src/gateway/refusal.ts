import { randomBytes } from 'node:crypto';
import type { ErrorEnvelope } from '#src/api/contract.ts';

/** Why the gateway itself answered; a request refused for any reason but `upstream` was not forwarded. */
export type GatewayError = 'session' | 'account' | 'read-only' | 'not-allowed' | 'upstream';

const GATEWAY_ERROR_HEADER = 'Gateway-Error';

/** An answer of the gateway itself, in the contract's error envelope (part 7). */
export function refuse(kind: GatewayError, status: number, code: string, message: string): Response {
  const request_id = newRequestId();
  const type = kind === 'session' ? 'authentication_error' : 'gateway_error';
  const envelope: ErrorEnvelope = { error: { type, code, message, request_id } };
  return Response.json(envelope, {
    status,
    headers: { [GATEWAY_ERROR_HEADER]: kind, 'Request-Id': request_id },
  });
}

export function newRequestId(): string {
  return `req_gateway${randomBytes(12).toString('hex')}`;
}

export function refuseStranger(): Response {
  return refuse('session', 401, 'session_required', 'There is no session here, or it has ended. Sign in.');
}
