import type { JsonObject } from './body.ts';
import { invalid } from './refusal.ts';

/** One fault: a match and what it does to the answer. CONTROLS.md describes every field. */
export interface Fault {
  method: string | null;
  path: string;
  account: string | null;
  times: number;
  when: 'before' | 'after';
  drop: boolean;
  delay: number;
  status: number | null;
  headers: [string, string][];
  removeHeaders: string[];
  body: { text: string } | null;
  patch: { value: unknown } | null;
  cutAt: number | null;
  stall: boolean;
  duplicate: boolean;
}

const FIELDS = new Set([
  'account',
  'method',
  'path',
  'times',
  'when',
  'drop',
  'delay',
  'status',
  'headers',
  'removeHeaders',
  'body',
  'patch',
  'cutAt',
  'stall',
  'duplicate',
]);
const HEADER_NAME = /^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/;
const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

function integer(body: JsonObject, name: string, least: number, most: number): number | null {
  const value = body[name];
  if (value === undefined || value === null) return null;
  if (typeof value !== 'number' || !Number.isInteger(value) || value < least || value > most) {
    throw invalid(name, `must be an integer from ${least} to ${most}.`);
  }
  return value;
}

function text(body: JsonObject, name: string): string | null {
  const value = body[name];
  if (value === undefined || value === null) return null;
  if (typeof value !== 'string') throw invalid(name, 'must be a string.');
  return value;
}

function flag(body: JsonObject, name: string): boolean {
  const value = body[name] ?? false;
  if (typeof value !== 'boolean') throw invalid(name, 'must be true or false.');
  return value;
}

function headersOf(body: JsonObject): [string, string][] {
  const value = body['headers'] ?? {};
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw invalid('headers', 'must be an object of strings.');
  }
  return Object.entries(value).map(([name, content]: [string, unknown]) => {
    if (!HEADER_NAME.test(name) || typeof content !== 'string' || !HEADER_VALUE.test(content)) {
      throw invalid('headers', `${JSON.stringify(name)} is not a header that can be sent.`);
    }
    return [name, content];
  });
}

function namesOf(body: JsonObject): string[] {
  const value: unknown = body['removeHeaders'] ?? [];
  if (!Array.isArray(value)) throw invalid('removeHeaders', 'must be an array of header names.');
  return value.map((name: unknown) => {
    if (typeof name !== 'string') throw invalid('removeHeaders', 'must be an array of header names.');
    return name;
  });
}

function whenOf(body: JsonObject): 'before' | 'after' {
  const when = text(body, 'when');
  if (when === 'before' || when === 'after') return when;
  if (when !== null) throw invalid('when', 'must be before or after.');
  // Without a word: what replaces the answer comes from in front of the service, what changes it needs it.
  const replaces = body['status'] !== undefined || body['body'] !== undefined || body['drop'] === true;
  const needs = ['patch', 'duplicate', 'cutAt'].some((name) => body[name] !== undefined);
  return replaces && !needs ? 'before' : 'after';
}

/** Reads a fault; a 400 naming the field that is wrong or unknown. */
export function readFault(body: JsonObject): Fault {
  for (const name of Object.keys(body)) if (!FIELDS.has(name)) throw invalid(name, 'a fault has no such field.');
  const content = body['body'];
  return {
    method: text(body, 'method')?.toUpperCase() ?? null,
    path: text(body, 'path') ?? '/v1/',
    account: text(body, 'account'),
    times: integer(body, 'times', 1, 1_000_000) ?? 1,
    when: whenOf(body),
    drop: flag(body, 'drop'),
    delay: integer(body, 'delay', 0, 3_600_000) ?? 0,
    status: integer(body, 'status', 200, 599),
    headers: headersOf(body),
    removeHeaders: namesOf(body),
    body: content === undefined ? null : { text: typeof content === 'string' ? content : JSON.stringify(content) },
    patch: body['patch'] === undefined ? null : { value: body['patch'] },
    cutAt: integer(body, 'cutAt', 0, 100_000_000),
    stall: flag(body, 'stall'),
    duplicate: flag(body, 'duplicate'),
  };
}
