import { appendFileSync } from 'node:fs';

const file = process.env['FIGURES'];

/** Keeps a long run's figures for the lines at its end; a short run has none. */
export function note(of: string, figures: Record<string, number>): void {
  if (file) appendFileSync(file, `${JSON.stringify({ of, ...figures })}\n`);
}
