import type { Fault } from './fault.ts';
import { textOf, withHeader, withoutHeader, type Act, type Outcome } from './outcome.ts';
import { Refusal } from './refusal.ts';

const WORDS: Record<number, [string, string]> = {
  400: ['invalid_request_error', 'invalid_request_error'],
  401: ['authentication_error', 'authentication_error'],
  403: ['permission_error', 'permission_error'],
  404: ['invalid_request_error', 'not_found'],
  409: ['idempotency_error', 'idempotency_in_progress'],
  425: ['api_error', 'too_early'],
  429: ['rate_limit_error', 'rate_limited'],
  503: ['api_error', 'service_unavailable'],
};

/** An error in the envelope for a fault that names a status alone. */
export function envelopeOutcome(status: number, requestId: string, headers: [string, string][]): Outcome {
  const [type, code] = WORDS[status] ?? (status >= 500 ? ['api_error', 'internal_error'] : ['api_error', 'error']);
  const refusal = new Refusal(status, type, code, `The sandbox was told to answer ${status}.`);
  return {
    status,
    headers: withHeader(headers, 'Content-Type', 'application/json'),
    body: refusal.envelope(requestId),
  };
}

function typeOf(text: string): string {
  return /^\s*</.test(text) ? 'text/html; charset=utf-8' : 'application/json';
}

function patched(body: Outcome['body'], patch: unknown): Outcome['body'] {
  try {
    return JSON.stringify(mergePatch(JSON.parse(textOf(body)), patch));
  } catch {
    return body;
  }
}

function actOf(fault: Fault, given: Act | undefined): Act | undefined {
  const act: Act = { ...given };
  // A delay before the commit has been waited for already.
  if (fault.delay > 0 && (fault.when === 'after' || answersAlone(fault))) act.delayMs = fault.delay;
  if (fault.drop) act.drop = true;
  if (fault.cutAt !== null) act.cutAt = fault.cutAt;
  if (fault.stall) act.stall = true;
  return Object.keys(act).length === 0 ? undefined : act;
}

/** True when the fault answers in place of the service, which then does nothing. */
export function answersAlone(fault: Fault): boolean {
  return fault.when === 'before' && (fault.status !== null || fault.body !== null || fault.drop || fault.stall);
}

/** What the fault makes of an answer. */
export function applyFault(fault: Fault, given: Outcome, requestId: string): Outcome {
  let outcome: Outcome = given;
  if (fault.status !== null && fault.body === null && fault.patch === null && fault.status >= 400) {
    outcome = { ...given, ...envelopeOutcome(fault.status, requestId, given.headers) };
  }
  let { headers, body } = outcome;
  if (fault.body !== null) {
    body = fault.body.text;
    headers = withHeader(headers, 'Content-Type', typeOf(fault.body.text));
  }
  if (fault.patch !== null) body = patched(body, fault.patch.value);
  for (const [name, value] of fault.headers) headers = withHeader(headers, name, value);
  for (const name of fault.removeHeaders) headers = withoutHeader(headers, name);
  const act = actOf(fault, outcome.act);
  const { act: _, ...plain } = outcome;
  return { ...plain, status: fault.status ?? outcome.status, headers, body, ...(act !== undefined && { act }) };
}

type Json = unknown;

function isObject(value: Json): value is Record<string, Json> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * JSON merge patch (RFC 7396: null removes), with two additions: an object patches an array by index
 * (`{"data": {"0": {…}}}`), and `{"$set": value}` puts the value itself, null included.
 */
export function mergePatch(target: Json, patch: Json): Json {
  if (!isObject(patch)) return patch;
  if (Object.keys(patch).length === 1 && Object.hasOwn(patch, '$set')) return patch['$set'];
  if (Array.isArray(target) && Object.keys(patch).every((key) => /^\d+$/.test(key))) {
    return target
      .map((item: Json, index) => (Object.hasOwn(patch, index) ? mergePatch(item, patch[index]) : item))
      .filter((_, index) => patch[index] !== null);
  }
  const merged = new Map<string, Json>(isObject(target) ? Object.entries(target) : []);
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) merged.delete(key);
    else merged.set(key, mergePatch(merged.get(key), value));
  }
  // fromEntries defines properties: a key named __proto__ stays a key.
  return Object.fromEntries(merged);
}
