// README.txt of a statement: what each file is, how to check it, and why there are two journals.
import { zoneName, type Zone } from '#src/shared/time.ts';

export interface ReadmeFacts {
  period: string;
  number: number;
  zone: Zone;
  hasLedger: boolean;
  /** The currency of the values; null without a rate file. */
  currency: string | null;
  names: readonly string[];
  /** People sign the payments. */
  isSigned: boolean;
}

export const README_FILE = 'README.txt';

/** Describes each file by its name. Every file of the ZIP must be described, for the people who open it. */
const FILES: Readonly<Record<string, string>> = {
  'statement.html':
    'The statement on one page, to read and to print: sums, adjustments, who closed it ("not verified" if the name was only typed), the SHA-256 of every file but this one and control-totals.json.',
  'journal.csv':
    'One row per movement, oldest first: date, time, description, recipient, reference, asset, in, out, fee, balance after.',
  'exact.csv': 'The same rows. Each number is text, so that no program rounds it.',
  'withdrawals.csv':
    'The withdrawals created in the period as the provider lists them, with recipient, reference, note, and the name of the person who sent it from here. "(not verified)" follows a name that was only typed.',
  'evidence/deposits.csv': 'The deposits created in the period, as the provider lists them.',
  'evidence/ledger.csv': 'The ledger entries of the period, as the provider lists them.',
  'evidence/adjustments.csv':
    'Rows of periods already closed that came late or changed since. They count in this statement.',
  'evidence/before.csv': 'What existed before the first period. It is in no statement.',
  'evidence/summary.csv': 'The sums by asset beside the balance; without a ledger, the totals by asset and status.',
  'evidence/operations.jsonl':
    'How each withdrawal was sent from here: request, attempts, response, one JSON object a line. "person" is the ID of whoever had signed in; null beside a name that was only typed.',
  'evidence/rates.csv': 'The rates that the values in the journal were computed with.',
  'evidence/control-totals.json': 'Counts, sums and the SHA-256 of every other file, for a program to check.',
};

export function readmeText(facts: ReadmeFacts): string {
  const { period, number, names, isSigned } = facts;
  const blocks = [
    `Statement ${number}: ${period}`,
    'FILES',
    ...names.map((name) => `${name}\n  ${fileWords(name, isSigned)}`),
    'THE JOURNAL',
    ...journalNotes(facts),
    'NUMBERS',
    ...NUMBERS,
    'TO CHECK A FILE',
    ...CHECK,
  ];
  return `${blocks.join('\n\n')}\n`.replaceAll('\n', '\r\n');
}

function fileWords(name: string, isSigned: boolean): string {
  const words = FILES[name] ?? '';
  return name === 'withdrawals.csv' && isSigned
    ? `${words} Also who prepared and who approved it, signed with a passkey.`
    : words;
}

function journalNotes({ zone, hasLedger, currency }: ReadmeFacts): string[] {
  return [
    `Dates and times are in ${zoneName(zone)}. ${hasLedger ? LEDGER_ID : PAYMENT_ID}`,
    hasLedger
      ? 'Balance after = balance before + in - out - fee. A fee that the provider does not state is part of "out".'
      : 'The provider offers no ledger: the journal lists completed payments by the time they were created, without balances. Whether the amount of a withdrawal includes its fee is not stated.',
    'An "Adjustment of a closed period" has its own date, which is before this period, and counts in this one.',
    ...(currency === null
      ? []
      : [
          `Value = (in - out - fee) x rate, in ${currency}, not rounded. The rate is that of the row's date and asset in evidence/rates.csv; without one the value is empty.`,
        ]),
  ];
}

const LEDGER_ID =
  '"id" is the source that the ledger entry names, such as a payment or swap; the entry\'s own ID if it names none.';
const PAYMENT_ID = '"id" is the payment\'s ID at the provider.';

const NUMBERS = [
  'Amounts have a decimal point, no thousands separators, and every digit.',
  'Spreadsheets keep 15 significant digits of a number and round the rest without saying so. In journal.csv, amounts of up to 15 significant digits open as numbers without loss. Longer ones are whole in the file but not once a spreadsheet has opened it: take them from exact.csv, where each number begins with an apostrophe and stays text.',
  'Text that a spreadsheet would run as a formula also begins with an apostrophe. So does text in the journals, and in recipient, reference, note and person of withdrawals.csv, that it would change into a number or date, such as 0042 or 1-2. A program that reads the files removes it. evidence/rates.csv is the file as it was given, unchanged: open it only if you trust who made it.',
];

const CHECK = [
  'The SHA-256 of every file but itself is in evidence/control-totals.json. statement.html has those of the files listed before it. Compute the SHA-256 of a file and compare:',
  '  Windows   certutil -hashfile journal.csv SHA256\n  macOS     shasum -a 256 journal.csv\n  Linux     sha256sum journal.csv',
  'The SHA-256 of the whole ZIP is on the Month close page, under Closed periods. Check it on the ZIP as you got it: a ZIP packed again has another one.',
];
