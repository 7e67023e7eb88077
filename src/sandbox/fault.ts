import * as v from 'valibot';
import { isObject } from '#src/shared/answers.ts';
import { isStorable } from '#src/shared/text.ts';
import {
  invalid,
  ErrorResponse,
  bodyText,
  withHeader,
  withoutHeader,
  type SandboxOutcome,
  type JsonObject,
} from './outcome.ts';
import { newId } from './ids.ts';

const HEADER_NAME = /^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/;
const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

const text = v.pipe(v.string('must be a string.'), v.check(isStorable, 'contains a character that cannot be stored.'));
const flag = v.optional(v.boolean('must be true or false.'), false);
const integer = (least: number, most: number) => {
  const words = `must be an integer from ${least} to ${most}.`;
  return v.pipe(v.number(words), v.integer(words), v.minValue(least, words), v.maxValue(most, words));
};
const NO_HEADERS = 'must be an object of headers that can be sent.';

const faultSchema = v.strictObject(
  {
    method: v.pipe(
      v.nullish(text, null),
      v.transform((method) => method?.toUpperCase() ?? null),
    ),
    path: v.nullish(text, '/v1/'),
    account: v.nullish(text, null),
    times: v.nullish(integer(1, 1_000_000), 1),
    when: v.nullish(v.picklist(['before', 'after'], 'must be before or after.')),
    drop: flag,
    delay: v.nullish(integer(0, 3_600_000), 0),
    status: v.nullish(integer(200, 599), null),
    headers: v.pipe(
      v.optional(
        v.record(
          v.pipe(v.string(), v.regex(HEADER_NAME, NO_HEADERS)),
          v.pipe(v.string(NO_HEADERS), v.regex(HEADER_VALUE, NO_HEADERS)),
          NO_HEADERS,
        ),
        {},
      ),
      v.transform((headers) => Object.entries(headers)),
    ),
    removeHeaders: v.optional(v.array(text, 'must be an array of header names.'), []),
    body: v.optional(v.unknown()),
    patch: v.optional(v.unknown()),
    cutAt: v.nullish(integer(0, 100_000_000), null),
    stall: flag,
    duplicate: flag,
  },
  'a fault has no such field.',
);

/** A fault: what it matches and what it does to the response. CONTROLS.md describes every field. */
export type InjectedFault = Omit<v.InferOutput<typeof faultSchema>, 'when' | 'body' | 'patch'> & {
  when: 'before' | 'after';
  body: { text: string } | null;
  patch: { value: unknown } | null;
};

export function readFault(given: JsonObject): InjectedFault {
  const read = v.safeParse(faultSchema, given);
  if (!read.success) {
    const [issue] = read.issues;
    throw invalid(v.getDotPath(issue)?.split('.')[0] ?? 'body', issue.message);
  }
  const { when, body, patch, ...rest } = read.output;
  return {
    ...rest,
    when: when ?? usualWhen(given),
    body: body === undefined ? null : { text: typeof body === 'string' ? body : JSON.stringify(body) },
    patch: patch === undefined ? null : { value: patch },
  };
}

/** A fault that replaces the response acts before the service does; one that changes the response, after. */
function usualWhen(given: JsonObject): InjectedFault['when'] {
  const replaces = given['status'] !== undefined || given['body'] !== undefined || given['drop'] === true;
  const needs = ['patch', 'duplicate', 'cutAt'].some((name) => given[name] !== undefined);
  return replaces && !needs ? 'before' : 'after';
}

const REMEMBERED_ATTEMPTS = 10_000;

const isFor = (fault: InjectedFault, account: string | null) => fault.account === null || fault.account === account;

export type FaultList = ReturnType<typeof faultList>;

/** Faults live in memory: a restart clears them. */
export function faultList() {
  /** `left`: to how many more attempts it applies. */
  let faults: { id: string; left: number; fault: InjectedFault }[] = [];
  // Two generations, because repeatedly deleting a Map's first key scans past the deleted ones.
  let attempts = new Map<string, InjectedFault | null>();
  let before = attempts;
  const releases = new Map<() => void, InjectedFault>();

  return {
    add(fault: InjectedFault) {
      const id = newId('flt_');
      faults.push({ id, left: fault.times, fault });
      return id;
    },
    armed: (account: string) => faults.filter(({ fault }) => isFor(fault, account)),
    /** Removes faults and releases the responses that they delay. */
    clear(account: string | null) {
      const isKept = (fault: InjectedFault) => account !== null && fault.account !== account;
      faults = faults.filter(({ fault }) => isKept(fault));
      for (const [release, fault] of releases) if (!isKept(fault)) release();
    },
    held(fault: InjectedFault): Promise<void> | undefined {
      if (fault.delay === 0) return undefined;
      return new Promise((resolve) => {
        const release = () => {
          clearTimeout(timer);
          releases.delete(release);
          resolve();
        };
        const timer = setTimeout(release, fault.delay);
        releases.set(release, fault);
      });
    },
    /** The fault for this request. Counted by attempt: an attempt that arrives again gets the same fault. */
    take(account: string | null, method: string, path: string, attempt: string | null) {
      const key = JSON.stringify([account, method, path, attempt]);
      const seen = attempt === null ? undefined : [attempts, before].find((half) => half.has(key));
      if (seen) return seen.get(key) ?? null;
      const met = faults.find(
        ({ fault }) =>
          isFor(fault, account) && (fault.method === null || fault.method === method) && path.startsWith(fault.path),
      );
      if (met !== undefined) {
        met.left -= 1;
        if (met.left === 0) faults = faults.filter((other) => other !== met);
      }
      if (attempts.size >= REMEMBERED_ATTEMPTS / 2) [before, attempts] = [attempts, new Map()];
      if (attempt !== null) attempts.set(key, met?.fault ?? null);
      return met?.fault ?? null;
    },
  };
}

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

export function envelopeOutcome(status: number, requestId: string, headers: [string, string][]): SandboxOutcome {
  const [type, code] = WORDS[status] ?? (status >= 500 ? ['api_error', 'internal_error'] : ['api_error', 'error']);
  const refusal = new ErrorResponse(status, type, code, `The sandbox was told to answer ${status}.`);
  return {
    status,
    headers: withHeader(headers, 'Content-Type', 'application/json'),
    body: refusal.envelope(requestId),
  };
}

function patched(body: SandboxOutcome['body'], patch: unknown): SandboxOutcome['body'] {
  try {
    return JSON.stringify(mergePatch(JSON.parse(bodyText(body)), patch));
  } catch {
    return body;
  }
}

/** True if the fault replaces the service's work, not only its response. */
export function answersAlone(fault: InjectedFault): boolean {
  return fault.when === 'before' && (fault.status !== null || fault.body !== null || fault.drop || fault.stall);
}

export function applyFault(
  fault: InjectedFault,
  given: SandboxOutcome,
  requestId: string,
  held?: Promise<void>,
): SandboxOutcome {
  const { status: told, drop, cutAt, stall } = fault;
  const isBare = told !== null && told >= 400 && fault.body === null && fault.patch === null;
  let { status, headers, body } = isBare ? envelopeOutcome(told, requestId, given.headers) : given;
  if (fault.body !== null) {
    body = fault.body.text;
    headers = withHeader(headers, 'Content-Type', /^\s*</.test(body) ? 'text/html; charset=utf-8' : 'application/json');
  }
  if (fault.patch !== null) body = patched(body, fault.patch.value);
  for (const [name, value] of fault.headers) headers = withHeader(headers, name, value);
  for (const name of fault.removeHeaders) headers = withoutHeader(headers, name);
  const act = { drop, stall, ...(held && { held }), ...(cutAt !== null && { cutAt }) };
  return { status: told ?? status, headers, body, act };
}

/**
 * JSON merge patch (RFC 7396: null removes), with two additions: an object patches an array by index
 * (`{"data": {"0": {…}}}`), and `{"$set": value}` sets any value, null included.
 */
export function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch;
  if (Object.keys(patch).length === 1 && Object.hasOwn(patch, '$set')) return patch['$set'];
  if (Array.isArray(target) && Object.keys(patch).every((key) => /^\d+$/.test(key))) {
    return target
      .map((item: unknown, index) => (Object.hasOwn(patch, index) ? mergePatch(item, patch[index]) : item))
      .filter((_, index) => patch[index] !== null);
  }
  const merged = new Map<string, unknown>(isObject(target) ? Object.entries(target) : []);
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) merged.delete(key);
    else merged.set(key, mergePatch(merged.get(key), value));
  }
  // fromEntries defines properties: a key named __proto__ stays a key.
  return Object.fromEntries(merged);
}
