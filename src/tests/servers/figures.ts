import { appendFileSync } from 'node:fs';

const file = process.env['FIGURES'];

/** Records the figures of a long run for its summary; a short run has none. */
export function note(of: string, figures: Record<string, number>): void {
  if (file) appendFileSync(file, `${JSON.stringify({ of, ...figures })}\n`);
}
