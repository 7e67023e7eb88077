import { parseArgs } from 'node:util';
import { SettingsError } from './settings.ts';

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
