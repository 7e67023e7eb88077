import { capital } from '#src/lib/text.ts';

/** What one part of the page found; `whole`: its reads succeeded, were complete and could be judged. */
export interface Finding {
  what: string;
  state: 'reading' | 'failed' | 'partly' | 'whole';
  /** "2 operations are not settled"; null when it found nothing. */
  found: string | null;
}

export interface PageSummary {
  tone: 'reading' | 'open' | 'calm' | 'unsure';
  text: string;
}

/** The page in a sentence. Silence is said only when every read behind it succeeded and was complete. */
export function summaryOf(findings: readonly Finding[]): PageSummary {
  const found = findings.flatMap(({ found }) => found ?? []);
  const unsure = findings.filter(({ state }) => state === 'failed' || state === 'partly').map(({ what }) => what);
  const reading = findings.some(({ state }) => state === 'reading');
  const rest = unsure.length === 0 ? '' : ` Not known in full: ${listed(unsure)}.`;
  if (found.length > 0) return { tone: 'open', text: `${capital(listed(found))}.${rest}` };
  if (reading) return { tone: 'reading', text: 'Reading.' };
  if (unsure.length > 0) return { tone: 'unsure', text: `Nothing was found.${rest}` };
  return { tone: 'calm', text: 'Nothing needs attention.' };
}

function listed(parts: readonly string[]): string {
  const last = parts.at(-1) ?? '';
  return parts.length < 2 ? last : `${parts.slice(0, -1).join(', ')} and ${last}`;
}
