import * as v from 'valibot';
import { parseJson } from '#src/shared/answers.ts';
import { readStored, store } from '#src/web/storage/browserStorage.ts';
import { stringifyExact } from '#src/shared/json/exactJson.ts';
import type { RequestRecord } from './requestLog.ts';

// What a reload of the page keeps of its log: when, which kind of path, how it ended. No body, header, key, query or id of
// a payment gets into the browser's storage, and it ends with the tab and at sign-out.

const STORAGE_KEY = 'countinghouse.calls';
/** Attempts; a person looks for what happened just now. */
const MOST = 300;

const outlineSchema = v.object({
  call: v.number(),
  at: v.number(),
  method: v.picklist(['GET', 'POST', 'PUT', 'DELETE']),
  path: v.pipe(v.string(), v.maxLength(200)),
  outcome: v.picklist(['answer', 'offline', 'timeout', 'aborted', 'network', 'redirect']),
  ms: v.nullable(v.number()),
  status: v.nullable(v.number()),
  requestId: v.fallback(v.nullable(v.pipe(v.string(), v.regex(/^[\w-]{1,80}$/))), null),
  replayed: v.boolean(),
});
const keptSchema = v.object({ owner: v.string(), calls: v.array(outlineSchema) });

/** "/v1/deposits/:id": the path without its query and without whatever is no word of the interface. */
export function pathPattern(path: string): string {
  const [bare = ''] = path.split('?');
  return bare
    .split('/')
    .map((part) => (/^(?:[a-z][a-z-]{0,30}|v\d|)$/.test(part) ? part : ':id'))
    .join('/');
}

export function keepCalls(owner: string, records: readonly RequestRecord[]): void {
  const calls = records.slice(-MOST).flatMap((record) => {
    const parsed = v.safeParse(outlineSchema, { ...record, path: pathPattern(record.path) });
    return parsed.success ? [parsed.output] : [];
  });
  store('sessionStorage', STORAGE_KEY, stringifyExact({ owner, calls }));
}

/** What the load before kept for this owner, and nothing of anybody else's. */
export function keptCalls(owner: string): v.InferOutput<typeof outlineSchema>[] {
  const parsed = v.safeParse(keptSchema, parseJson(readStored('sessionStorage', STORAGE_KEY)));
  return parsed.success && parsed.output.owner === owner ? parsed.output.calls : [];
}

export function forgetCalls(): void {
  store('sessionStorage', STORAGE_KEY, '');
}
