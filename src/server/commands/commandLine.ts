import { parseArgs } from 'node:util';
import { openService } from './openService.ts';
import { type Settings, SettingsError } from './settings.ts';

const ENDED =
  'Noted: withdrawals no longer ask because of it. A payment that isn’t in the journal is called unsent again: your words vouch for those sent in between.';

/** Arguments after `npm start --`. An unknown one is refused: a mistyped command must not start a server. */
export function readArguments(args: readonly string[]): { endSetBack: string | null } {
  try {
    const { values } = parseArgs({ args: [...args], options: { 'end-set-back': { type: 'string' } } });
    return { endSetBack: values['end-set-back'] ?? null };
  } catch (error) {
    throw new SettingsError(
      'Unknown argument, or one without its text. Known: --end-set-back "what was sent in between, and how that is known".',
      { cause: error },
    );
  }
}

/** `npm start -- --end-set-back "why"`: an operator knows what was sent while the journal was set back. */
export async function endSetBack(settings: Settings, words: string): Promise<{ line: string; exitCode: number }> {
  const opened = await openService(settings);
  const refusal = await opened.operations.endSetBack(words);
  await opened.stop();
  return { line: refusal ?? ENDED, exitCode: refusal === null ? 0 : 1 };
}
