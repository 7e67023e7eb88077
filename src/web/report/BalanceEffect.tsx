import { Link } from 'react-router';
import { isAmount, isZero } from '#src/shared/amount.ts';
import { counted } from '#src/shared/text.ts';
import { add, equal, subtract, sum } from '#src/shared/money.ts';
import { toneOf } from '#src/shared/paymentStatus.ts';
import { paths } from '#src/shared/paths.ts';
import type { ListRow } from '#src/web/list/fields.tsx';
import { Amount, integerWidth } from '#src/web/ui/Amount.tsx';
import type { LedgerPart } from './caseFile.ts';

interface EffectProps {
  kind: 'deposit' | 'withdrawal';
  row: ListRow;
  status: string | null;
  ledger: LedgerPart;
  level?: 'h2' | 'h3';
}

interface Effect {
  lines: { label: string; value: unknown; signed?: true }[];
  /** Known only from the ledger. */
  total: { label: string; value: string } | null;
  note: string | null;
}

export function BalanceEffect({ kind, row, status, ledger, level: Heading = 'h3' }: EffectProps) {
  const { lines, total, note } = (kind === 'deposit' ? received : debited)(row, status, bookedOf(row, ledger), ledger);
  const rows = [...lines, ...(total ? [total] : [])];
  const values = rows.map(({ value }) => value);
  const asset = row.asset ?? undefined;
  // The double rule marks a sum, and a fee that comes out of the amount doesn't add up to one.
  const isSum = total !== null && addUp(lines, total.value);
  return (
    <section aria-label="Amounts" className="grid grid-cols-1 gap-1">
      <div className="flex flex-wrap justify-between gap-x-3">
        <Heading className="px-0">Amounts</Heading>
        {ledger.kind === 'read' && ledger.entries.length > 0 && (
          <Link className="small" to={paths.ledger(new URLSearchParams({ source: row.id }))}>
            {ledger.more && 'at least '}
            {counted(ledger.entries.length, 'ledger entry', 'ledger entries')}
          </Link>
        )}
      </div>
      <dl className="grid grid-cols-[minmax(min-content,1fr)_auto]" style={{ '--int': integerWidth(values, 12).css }}>
        {rows.map((line) => {
          const isTotal = line === total;
          const weight = isTotal ? 'font-semibold' : '';
          const rule = isTotal && isSum ? 'border-b-3 border-double border-rule-cash' : 'border-b border-rule';
          return (
            <div key={line.label} className="contents">
              <dt className={`py-1 pr-3 ${isTotal ? weight : 'sub'} ${rule}`}>{line.label}</dt>
              <dd className={`py-1 text-right wrap-anywhere [&_.amt]:whitespace-normal ${weight} ${rule}`}>
                <Amount value={line.value} asset={asset} signed={'signed' in line} />
              </dd>
            </div>
          );
        })}
      </dl>
      {note !== null && <p className="small sub">{note}</p>}
    </section>
  );
}

function received(row: ListRow, status: string | null, booked: Booked | null, ledger: LedgerPart): Effect {
  const lines = [{ label: 'Received', value: row['received_amount'] }];
  if (!booked) return { lines, total: null, note: `Not known what was credited: ${whyNot(ledger)}` };
  const { available, pending } = booked;
  const isWaiting = isZero(available) && !isZero(pending);
  const total = isWaiting ? { label: 'Counted in pending', value: pending } : { label: 'Credited', value: available };
  const isOdd = toneOf(status) === 'alarm' && !isZero(available);
  return { lines, total, note: isOdd ? 'The ledger credited it all the same. Ask the provider.' : null };
}

function debited(row: ListRow, status: string | null, booked: Booked | null, ledger: LedgerPart): Effect {
  const { amount, fee } = row;
  const lines: Effect['lines'] = [{ label: 'Amount', value: amount }];
  if (fee !== undefined && fee !== null) lines.push({ label: 'Fee', value: fee });
  const unknownFee = fee === undefined || fee === null ? 'No fee is named yet.' : null;
  if (!booked) {
    const note = `Total debited isn’t known: ${whyNot(ledger)}`;
    return { lines, total: null, note: unknownFee === null ? note : `${unknownFee} ${note}` };
  }
  const { net, locked, fell, rose } = booked;
  if (toneOf(status) === 'alarm') {
    const moved: Effect['lines'] = [
      { label: 'Locked', value: fell, signed: true },
      { label: 'Released', value: rose, signed: true },
    ];
    return { lines: moved, total: { label: 'Left your balance', value: subtract('0', net) }, note: null };
  }
  if (isZero(net)) {
    const total = { label: 'Locked until it completes', value: locked };
    return { lines, total, note: feeWords('comes', amount, fee, locked) ?? unknownFee };
  }
  const debited = subtract('0', net);
  // Prefer the service's own text, with its trailing zeros.
  const total = isAmount(amount) && equal(debited, amount) ? amount : debited;
  return {
    lines,
    total: { label: 'Total debited', value: total },
    note: feeWords('came', amount, fee, total) ?? unknownFee,
  };
}

/** Whether the fee is part of the amount or comes on top. Only the ledger shows it; the contract doesn't say. */
function feeWords(verb: 'comes' | 'came', amount: unknown, fee: unknown, total: string): string | null {
  if (!isAmount(amount) || !isAmount(fee) || isZero(fee)) return null;
  if (equal(total, amount)) return `The fee ${verb} out of the amount.`;
  return equal(total, add(amount, fee)) ? `The fee ${verb} on top of the amount.` : null;
}

function addUp(lines: Effect['lines'], total: string): boolean {
  const values = lines.map(({ value }) => value).filter(isAmount);
  return values.length === lines.length && equal(sum(values), total);
}

type Booked = NonNullable<ReturnType<typeof bookedOf>>;

/** The booked amounts. Null unless all entries are loaded and readable: a part of them would give a wrong sum. */
function bookedOf(row: ListRow, ledger: LedgerPart) {
  if (ledger.kind !== 'read' || ledger.more || ledger.entries.length === 0) return null;
  const entries = ledger.entries.flatMap(({ amount, asset, book }) =>
    isAmount(amount) && asset === row.asset && typeof book === 'string' ? [{ amount, book }] : [],
  );
  if (entries.length < ledger.entries.length) return null;
  const amountsIn = (book: string) => entries.filter((entry) => entry.book === book).map(({ amount }) => amount);
  const available = amountsIn('available');
  return {
    net: sum(entries.map(({ amount }) => amount)),
    available: total(available),
    pending: total(amountsIn('pending')),
    locked: total(amountsIn('locked')),
    // What left the available balance, and what came back to it.
    fell: total(available.filter((amount) => amount.startsWith('-'))),
    rose: total(available.filter((amount) => !amount.startsWith('-'))),
  };
}

/** The sum. A single amount keeps its own digits. */
function total(amounts: readonly string[]): string {
  const [only, ...more] = amounts;
  return only !== undefined && more.length === 0 ? only : sum(amounts);
}

function whyNot(ledger: LedgerPart): string {
  if (ledger.kind === 'reading') return 'the ledger is still loading.';
  if (ledger.kind === 'none') return ledger.words;
  return 'the ledger has no complete entries for it.';
}
