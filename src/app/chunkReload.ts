// After a deploy the chunks of the old build are gone. The app is then read again: once per build, never in a loop,
// and not while an operation is being recorded.
import { startsConcluded } from '#src/api/operations/starts.ts';
import { parseExact, stringifyExact } from '#src/lib/json/exactJson.ts';

const STORAGE_KEY = 'countinghouse.reloaded';
/** Names this build: the URL of the chunk that holds this module is different in each. */
const BUILD = import.meta.url;
const KEPT = 20;

export class MissingChunk extends Error {
  override readonly name = 'MissingChunk';
}

function buildsGivenUp(): string[] | null {
  try {
    const stored: unknown = parseExact(window.sessionStorage.getItem(STORAGE_KEY) ?? '[]');
    return Array.isArray(stored) ? stored.filter((each) => typeof each === 'string') : [];
  } catch {
    return null;
  }
}

/** Notes that this build is being left; false when it was left before, or when nothing can be noted. */
function giveUpThisBuild(): boolean {
  const builds = buildsGivenUp();
  if (builds === null || builds.includes(BUILD)) return false;
  try {
    window.sessionStorage.setItem(STORAGE_KEY, stringifyExact([...builds, BUILD].slice(-KEPT)));
    return true;
  } catch {
    return false;
  }
}

/** Reads the app again at the page that was asked for and never returns, or returns when this build had its turn. */
export async function reloadForNewBuild(): Promise<void> {
  await startsConcluded();
  if (!giveUpThisBuild()) return;
  window.location.reload();
  await new Promise<never>(() => {});
}
