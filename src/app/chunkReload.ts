// After a deploy the chunks of the old build are gone. The app is then read again: once per build, never in a loop,
// and not while an operation is being recorded.
import * as v from 'valibot';
import { startsConcluded } from '#src/api/operations/starts.ts';
import { parseJson } from '#src/lib/answers.ts';
import { readStored, store } from '#src/lib/browserStorage.ts';
import { stringifyExact } from '#src/lib/json/exactJson.ts';

const STORAGE_KEY = 'countinghouse.reloaded';
/** Names this build: the URL of the chunk that holds this module is different in each. */
const BUILD = import.meta.url;
const KEPT = 20;
const buildsSchema = v.fallback(v.array(v.string()), []);

export class MissingChunk extends Error {
  override readonly name = 'MissingChunk';
}

/** Notes that this build is being left; false when it was left before, or when nothing can be noted. */
function giveUpThisBuild(): boolean {
  const builds = v.parse(buildsSchema, parseJson(readStored('sessionStorage', STORAGE_KEY)));
  if (builds.includes(BUILD)) return false;
  return store('sessionStorage', STORAGE_KEY, stringifyExact([...builds, BUILD].slice(-KEPT)));
}

/** Reads the app again at the page that was asked for and never returns, or returns when this build had its turn. */
export async function reloadForNewBuild(): Promise<void> {
  await startsConcluded();
  if (!giveUpThisBuild()) return;
  window.location.reload();
  await new Promise<never>(() => {});
}
