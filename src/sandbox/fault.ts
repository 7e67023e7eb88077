import * as v from 'valibot';
import type { JsonObject } from './body.ts';
import { invalid } from './refusal.ts';
import { newId } from './ids.ts';

const HEADER_NAME = /^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/;
const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

const text = v.string('must be a string.');
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

/** One fault: a match and what it does to the answer. CONTROLS.md describes every field. */
export type Fault = Omit<v.InferOutput<typeof faultSchema>, 'when' | 'body' | 'patch'> & {
  when: 'before' | 'after';
  body: { text: string } | null;
  patch: { value: unknown } | null;
};

/** Reads a fault; a 400 naming the field that is wrong or unknown. */
export function readFault(given: JsonObject): Fault {
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

/** What replaces the answer comes from in front of the service, what changes it needs it. */
function usualWhen(given: JsonObject): Fault['when'] {
  const replaces = given['status'] !== undefined || given['body'] !== undefined || given['drop'] === true;
  const needs = ['patch', 'duplicate', 'cutAt'].some((name) => given[name] !== undefined);
  return replaces && !needs ? 'before' : 'after';
}

const REMEMBERED_ATTEMPTS = 10_000;

export interface FaultList {
  add(fault: Fault): string;
  /** What can still meet a request of the account, the first to meet it first; `left`: how many attempts it still meets. */
  armed(account: string): { id: string; left: number; fault: Fault }[];
  /** Removes the faults of an account, or all of them. */
  clear(account: string | null): void;
  /** The fault that meets this request, counted by attempt: an attempt that arrives again meets its own again. */
  take(account: string | null, method: string, path: string, attempt: string | null): Fault | null;
}

/** Faults live in memory: a restart clears them. */
export function faultList(): FaultList {
  let faults: { id: string; fault: Fault; left: number }[] = [];
  const attempts = new Map<string, Fault | null>();

  const remember = (key: string, fault: Fault | null) => {
    attempts.set(key, fault);
    const [oldest] = attempts.keys();
    if (attempts.size > REMEMBERED_ATTEMPTS && oldest !== undefined) attempts.delete(oldest);
  };

  return {
    add(fault) {
      const id = newId('flt_');
      faults.push({ id, fault, left: fault.times });
      return id;
    },
    armed: (account) =>
      faults
        .filter(({ fault }) => fault.account === null || fault.account === account)
        .map(({ id, left, fault }) => ({ id, left, fault })),
    clear(account) {
      faults = account === null ? [] : faults.filter(({ fault }) => fault.account !== account);
    },
    take(account, method, path, attempt) {
      const key = attempt === null ? null : JSON.stringify([account, method, path, attempt]);
      const seen = key === null ? undefined : attempts.get(key);
      if (seen !== undefined) return seen;
      const met = faults.find(
        ({ fault }) =>
          (fault.account === null || fault.account === account) &&
          (fault.method === null || fault.method === method) &&
          path.startsWith(fault.path),
      );
      if (met !== undefined) {
        met.left -= 1;
        if (met.left === 0) faults = faults.filter((other) => other !== met);
      }
      if (key !== null) remember(key, met?.fault ?? null);
      return met?.fault ?? null;
    },
  };
}
