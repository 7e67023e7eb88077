import { appendFileSync } from 'node:fs';

const file = process.env['FIGURES'];

/** Records figures for the summary of a long run. A short run has no summary. */
export function note(of: string, figures: Record<string, number>): void {
  if (file) appendFileSync(file, `${JSON.stringify({ of, ...figures })}\n`);
}
