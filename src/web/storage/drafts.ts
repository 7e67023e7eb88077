// Text that was typed in forms but not sent, in this tab only. It survives navigation and a reload, and is deleted on
// sign-out. Without storage it survives navigation only.
import * as v from 'valibot';
import { parseJson } from '#src/shared/answers.ts';
import { readStored, store } from './browserStorage.ts';

const STORAGE_KEY = 'countinghouse.drafts';
const draftSchema = v.object({
  /** The key of its history entry. */
  entry: v.string(),
  values: v.record(v.string(), v.string()),
  /** When it was last changed, in Unix seconds. */
  at: v.optional(v.number()),
  /** The values came from another page and nothing was typed, so only the same history entry restores them. */
  untouched: v.optional(v.boolean()),
});
export type Draft = v.InferOutput<typeof draftSchema>;
const draftsSchema = v.fallback(v.record(v.string(), draftSchema), {});

let drafts: Readonly<Record<string, Draft>> | null = null;

function allDrafts(): Readonly<Record<string, Draft>> {
  drafts ??= v.parse(draftsSchema, parseJson(readStored('sessionStorage', STORAGE_KEY)));
  return drafts;
}

function saveAll(next: Readonly<Record<string, Draft>>): void {
  drafts = next;
  store('sessionStorage', STORAGE_KEY, Object.keys(next).length === 0 ? '' : JSON.stringify(next));
}

/** The name of a form's draft. Another account or person signed in on this tab must not find it. */
export function draftName({ service, account, person }: DraftOwner, form: string): string {
  return [service, account, person?.id, form].filter(Boolean).join(' ');
}

interface DraftOwner {
  service: string;
  account: string;
  person: { id: string } | null;
}

export function readDraft(name: string): Draft | null {
  const all = allDrafts();
  return Object.hasOwn(all, name) ? (all[name] ?? null) : null;
}

/** Saves a draft. An empty one is deleted, unless the caller says that empty fields are its content. */
export function keepDraft(
  name: string,
  draft: Draft,
  isEmpty = Object.values(draft.values).every((text) => text === ''),
): void {
  const { [name]: _former, ...others } = allDrafts();
  saveAll(isEmpty ? others : { ...others, [name]: draft });
}

/** Deletes a draft. With `leaving`, it stays stored until then for a reload of the same form, but other forms can't find it. */
export function forgetDraft(name: string, leaving?: Promise<void>): void {
  const { [name]: _former, ...others } = allDrafts();
  if (leaving === undefined) return saveAll(others);
  drafts = others;
  void leaving.then(() => saveAll(allDrafts()));
}

export function forgetDrafts(): void {
  saveAll({});
}
