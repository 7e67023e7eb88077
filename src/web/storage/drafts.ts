// What was typed in forms and not sent, of this tab alone: it survives leaving the page and a reload, and ends with a
// sign-out. Storage may be absent or throw: then it survives leaving the page.
import * as v from 'valibot';
import { parseJson } from '#src/shared/answers.ts';
import { readStored, store } from './browserStorage.ts';

const STORAGE_KEY = 'countinghouse.drafts';
const draftSchema = v.object({
  /** The entry of the history where it was typed. */
  entry: v.string(),
  values: v.record(v.string(), v.string()),
});
export type Draft = v.InferOutput<typeof draftSchema>;
const draftsSchema = v.fallback(v.record(v.string(), draftSchema), {});

let drafts: Readonly<Record<string, Draft>> | null = null;

function known(): Readonly<Record<string, Draft>> {
  drafts ??= v.parse(draftsSchema, parseJson(readStored('sessionStorage', STORAGE_KEY)));
  return drafts;
}

function keep(next: Readonly<Record<string, Draft>>): void {
  drafts = next;
  store('sessionStorage', STORAGE_KEY, Object.keys(next).length === 0 ? '' : JSON.stringify(next));
}

/** `name`: whose form, and which. */
export function readDraft(name: string): Draft | null {
  const all = known();
  return Object.hasOwn(all, name) ? (all[name] ?? null) : null;
}

/** One with nothing in it is forgotten; what stands empty in place of a text is something. */
export function keepDraft(
  name: string,
  draft: Draft,
  isEmpty = Object.values(draft.values).every((text) => text === ''),
): void {
  const { [name]: _former, ...others } = known();
  keep(isEmpty ? others : { ...others, [name]: draft });
}

/** `leaving`: until it is over a reload may lead back to that very form, which finds it; no other form does. */
export function forgetDraft(name: string, leaving?: Promise<void>): void {
  const { [name]: _former, ...others } = known();
  if (leaving === undefined) return keep(others);
  drafts = others;
  void leaving.then(() => keep(known()));
}

export function forgetDrafts(): void {
  keep({});
}
