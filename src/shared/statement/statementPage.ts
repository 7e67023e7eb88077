// The statement of a closed period as one HTML page: it prints well, needs no other file and runs nothing.
import { formatAmount, isZero } from '#src/shared/amount.ts';
import type { ClosedPeriod, ClosedTotal, FrozenSum } from '#src/shared/contract/statementContract.ts';
import { add } from '#src/shared/money.ts';
import { counted, numberWords, revealHidden, visibleCode } from '#src/shared/text.ts';
import { dateOf, formatClock, isoUtc, type Zone, zoneName } from '#src/shared/time.ts';

/** A sum with its comparison to the balance, at the time of closing. */
export interface StatementSum extends Omit<FrozenSum, 'counts'> {
  since: string;
  balance: string | null;
  difference: string | null;
  verdict: 'agrees' | 'explained' | 'unexplained' | null;
}

export interface StatementAdjustment {
  what: 'late' | 'changed';
  /** "deposit" */
  noun: string;
  id: string;
  was: string | null;
  status: string;
  asset: string;
  amount: string;
  /** Unix seconds; null if not stated. */
  at: number | null;
}

export interface StatementFacts {
  label: string | null;
  account: string;
  service: string;
  /** "October 2026, UTC" */
  period: string;
  number: number;
  from: number;
  to: number;
  zone: Zone;
  /** When the period was read, in Unix seconds by the service's clock. */
  asOf: number;
  /** The name of the person who closed it, marked if it was only typed; null if none was given. */
  closedBy: string | null;
  /** Null without a ledger. */
  sums: readonly StatementSum[] | null;
  totals: readonly ClosedTotal[];
  adjustments: readonly StatementAdjustment[];
}

/** Keeps the page on one sheet of paper; adjustments.csv has all of them. */
const ADJUSTMENTS_MAX = 12;

const STYLE = `
@page { size: A4 landscape; margin: 12mm; }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 270mm; padding: 6mm; color: #111; background: #fff; font: 9.5pt/1.4 system-ui, sans-serif; }
h1 { margin: 0 0 1mm; font-size: 16pt; }
h2 { margin: 5mm 0 1mm; font-size: 11pt; }
p { margin: 1mm 0; }
dl { display: grid; grid-template-columns: auto 1fr; gap: 0 4mm; margin: 2mm 0; }
dt { color: #555; }
dd { margin: 0; overflow-wrap: anywhere; }
table { width: 100%; border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: 0.5mm 1.5mm; border-bottom: 0.2mm solid #bbb; text-align: left; vertical-align: top; overflow-wrap: anywhere; }
th { font-weight: 600; overflow-wrap: normal; }
thead th { border-bottom: 0.3mm solid #111; }
.amount { text-align: right; overflow-wrap: normal; }
.closing { font-weight: 600; }
.check { min-width: 35mm; overflow-wrap: normal; }
.wide { overflow-x: auto; }
.hash { font: 8pt/1.4 ui-monospace, monospace; }
tr, li { break-inside: avoid; }
thead { display: table-header-group; }
.foot { display: grid; grid-template-columns: auto minmax(60mm, 1fr); gap: 0 8mm; }
.foot th { font-weight: 400; }
ul { margin: 1mm 0; padding-left: 5mm; }
@media (max-width: 50rem) { .foot { display: block; } }
@media print { body { max-width: none; padding: 0; font-size: 8pt; line-height: 1.3; } h2 { margin-top: 3mm; } .hash { font-size: 6.5pt; } }
`;

/** The page; `files` are the files beside it, with their hashes. */
export function statementPage(facts: StatementFacts, files: ClosedPeriod['files']): string {
  const { period, number, sums, totals, adjustments } = facts;
  const title = `Statement ${number}: ${period}`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width">
<title>${escape(title)}</title>
<style>${STYLE}</style>
</head>
<body>
<h1>${escape(title)}</h1>
${basics(facts)}
${sums === null ? totalsTable(totals) : sumsTable(sums)}
${adjustmentsList(adjustments)}
<div class="foot">
<div>
${filesTable(files)}
</div>
<div>
<h2>How to check</h2>
${sums === null || sums.length === 0 ? '' : SUMS_CHECK}
${FILES_CHECK}
</div>
</div>
</body>
</html>
`;
}

const SUMS_CHECK = `<p>In each row, opening plus the movements is closing. The closing of one statement is the opening of the next. In journal.csv the last balance of an asset is its closing.</p>`;
const FILES_CHECK = `<p>A file is unchanged if its SHA-256 is the one above; README.txt says how to compute it. The SHA-256 of the ZIP is on the Month close page, under Closed periods.</p>`;

function basics({ label, account, service, from, to, zone, asOf, closedBy }: StatementFacts): string {
  const rows = [
    ['Account', label === null ? account : `${label} (${account})`],
    ['Provider', service],
    ['Period', `${moment(from, zone)} to ${moment(to - 1, zone)}, ${zoneName(zone)}`],
    ['As of', isoUtc(asOf)],
    ['Closed by', closedBy ?? 'no name given'],
  ];
  return `<dl>${rows.map(([name = '', text = '']) => `<dt>${name}</dt><dd>${escape(text)}</dd>`).join('')}</dl>`;
}

function moment(unix: number, zone: Zone): string {
  return `${dateOf(unix, zone)} ${formatClock(unix, zone)}`;
}

const SUM_HEADS = ['Asset', 'Opening', 'Deposits', 'Withdrawals', 'Fees', 'Other', 'Adjustments', 'Closing', 'Check'];

function sumsTable(sums: readonly StatementSum[]): string {
  const rows = sums.map(
    ({ asset, opening, deposits, withdrawals, fees, swaps, other, adjustments, closing, ...check }) => {
      const moves = [opening, deposits, withdrawals, fees, add(swaps, other), adjustments]
        .map((amount) => amountCell(amount))
        .join('');
      return `<tr><th scope="row">${escape(visibleCode(asset))}</th>${moves}${amountCell(closing, 'closing')}<td class="check">${escape(checkWords(check))}</td></tr>`;
    },
  );
  if (rows.length === 0) return '<p>Nothing moved, and there were no balances.</p>';
  return table('Sums by asset', SUM_HEADS, rows);
}

function checkWords({ verdict, difference }: Pick<StatementSum, 'verdict' | 'difference'>): string {
  if (verdict === null || difference === null) return 'Not compared with a balance';
  if (verdict === 'agrees') return 'Agrees with the balance';
  const amount = amountText(difference);
  return verdict === 'explained'
    ? `Difference ${amount}, explained by entries newer than the balance`
    : `Difference ${amount}, unexplained`;
}

function totalsTable(totals: readonly ClosedTotal[]): string {
  const rows = totals.map(({ list, asset, status, rows, sum, unreadable }) => {
    const count = numberWords(rows) + (unreadable > 0 ? ` (${numberWords(unreadable)} without an amount)` : '');
    const words = [list, status ?? 'no status', count].map((text) => `<td>${escape(text)}</td>`).join('');
    return `<tr><th scope="row">${escape(visibleCode(asset ?? 'no asset'))}</th>${words}${amountCell(sum)}</tr>`;
  });
  const note =
    '<p>The provider offers no ledger: there are no opening and closing balances, and nothing was compared.</p>';
  return note + table('Totals by asset and status', ['Asset', 'List', 'Status', 'Count', 'Sum'], rows);
}

function adjustmentsList(adjustments: readonly StatementAdjustment[]): string {
  if (adjustments.length === 0) return '<h2>Adjustments of closed periods</h2>\n<p>None.</p>';
  const items = adjustments.slice(0, ADJUSTMENTS_MAX).map(({ what, noun, id, was, status, asset, amount, at }) => {
    const change = what === 'late' ? 'not in an earlier statement' : `was ${was ?? ''}, now ${status}`;
    const day = at === null ? '' : `, ${isoUtc(at)}`;
    return `<li>${escape(`${noun} ${id}${day}, ${amountText(amount)} ${visibleCode(asset)}: ${change}`)}</li>`;
  });
  const more = adjustments.length - items.length;
  const rest = more > 0 ? `\n<p>And ${counted(more, 'more', 'more')} in evidence/adjustments.csv.</p>` : '';
  return `<h2>Adjustments of closed periods</h2>\n<ul>${items.join('')}</ul>${rest}`;
}

const amountText = (amount: string): string => formatAmount(amount, 'en');

function filesTable(files: ClosedPeriod['files']): string {
  const rows = files.map(
    ({ name, bytes, sha256 }) =>
      `<tr><th scope="row">${escape(name)}</th><td class="amount">${numberWords(bytes)}</td><td class="hash">${sha256}</td></tr>`,
  );
  return table('Files', ['Name', 'Bytes', 'SHA-256'], rows);
}

function table(caption: string, heads: readonly string[], rows: readonly string[]): string {
  const cells = heads.map((head) => `<th scope="col"${AMOUNT_HEADS.has(head) ? ' class="amount"' : ''}>${head}</th>`);
  return `<h2>${caption}</h2>
<div class="wide" role="region" tabindex="0" aria-label="${caption}">
<table>
<thead><tr>${cells.join('')}</tr></thead>
<tbody>
${rows.join('\n')}
</tbody>
</table>
</div>`;
}

const AMOUNT_HEADS = new Set([...SUM_HEADS.slice(1, -1), 'Sum', 'Bytes']);

function amountCell(amount: string, className = ''): string {
  const text = isZero(amount) ? '0' : amountText(amount);
  // A line may break where few amounts have digits, and nowhere else.
  const cell = escape(text).replace(/(\.\d{8})(?=\d)/, '$1<wbr>');
  return `<td class="${`amount ${className}`.trim()}">${cell}</td>`;
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Text for HTML, with every character that hides or reorders text named. */
function escape(text: string): string {
  return revealHidden(text).replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}
