import { dateOf, dayStart, type Zone } from '#src/shared/time.ts';

const LABEL_MAX = 60;
const ACCOUNT_LENGTH = 8;

interface Named {
  /** What people call the account; null if nobody named it. */
  label: string | null;
  /** Its ID, which tells two unnamed accounts apart. */
  account: string;
  number: number;
  /** Unix seconds: the period's first second, and the one after its last. */
  from: number;
  to: number;
  zone: Zone;
}

/** "Acme-EU_2026-10_statement-1.zip" */
export function statementFileName({ label, account, number, from, to, zone }: Named): string {
  const name = fileSafe(label ?? '') || `account-${fileSafe(account).slice(0, ACCOUNT_LENGTH)}`;
  return `${name}_${periodPart({ from, to, zone })}_statement-${number}.zip`;
}

/** "2026-10" for a whole month of the zone, else "2026-10-05-to-2026-10-11". */
function periodPart({ from, to, zone }: Pick<Named, 'from' | 'to' | 'zone'>): string {
  const [first, last, next] = [dateOf(from, zone), dateOf(to - 1, zone), dateOf(to, zone)];
  const month = first.slice(0, 7);
  const isDays = dayStart(first, zone) === from && dayStart(next, zone) === to;
  const isMonth = isDays && first.endsWith('-01') && next.endsWith('-01') && last.startsWith(month);
  return isMonth ? month : `${first}-to-${last}`;
}

/** Letters, digits, dots and hyphens, which every file system takes; an underscore separates the parts of the name. */
function fileSafe(text: string): string {
  const letters = Array.from(text.normalize('NFC').replaceAll(/[^\p{L}\p{M}\p{N}.]+/gu, '-'));
  return letters
    .slice(0, LABEL_MAX)
    .join('')
    .replaceAll(/^[-.]+|[-.]+$/g, '');
}
