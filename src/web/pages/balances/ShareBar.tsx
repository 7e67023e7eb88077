import type { BalanceRow } from '#src/shared/contract/rows.ts';
import { isAmount, isNegative } from '#src/shared/amount.ts';
import { equal, share, sum } from '#src/shared/money.ts';
import { visibleCode } from '#src/shared/text.ts';
import { useAmountsHidden } from '#src/web/ui/Amount.tsx';
import { checkIdentity, type BalancePart, PARTS } from '#src/shared/overview/balanceIdentity.ts';

const look: Record<BalancePart, string> = {
  available: 'fill-chart-1 forced-colors:fill-[CanvasText]',
  pending:
    'fill-sheet stroke-chart-1 stroke-1 [stroke-dasharray:2_2] forced-colors:fill-[Canvas] forced-colors:stroke-[CanvasText]',
  locked: 'fill-chart-2 forced-colors:fill-[GrayText]',
};

interface ShareBarProps {
  balance: BalanceRow;
  /** Id of the table with the same figures. */
  figures?: string;
  className?: string;
}

/** The shares of a balance's three parts, with percentages in the accessible name and tooltip; text if a bar would mislead. */
export function ShareBar({ balance, figures, className = 'mt-1 w-full' }: ShareBarProps) {
  const bar = `block h-1.5 ${className}`;
  const hidden = useAmountsHidden();
  // A bar would reveal proportions of hidden amounts.
  if (hidden)
    return (
      <svg className={bar} aria-hidden>
        <rect className="fill-none stroke-rule-strong" x="0.5" y="0.5" width="99%" height="90%" />
      </svg>
    );
  const composition = compositionOf(balance);
  if (composition.kind === 'none') return <p className="text-label text-ink-3">{composition.why}</p>;
  const words = compositionWords(composition.shares);
  return (
    <svg
      className={bar}
      role="img"
      aria-label={`${visibleCode(balance.asset)}: ${words}`}
      aria-details={figures}
      data-tip={words}
    >
      {composition.shares.map(({ part, from, percent }) =>
        percent === 0 ? null : (
          <g key={part}>
            <rect className={look[part]} x={`${from}%`} width={`${percent}%`} y="0" height="100%" />
            {/* A gap separates the parts, because their colours are too similar. */}
            {from > 0 && (
              <rect className="fill-sheet forced-colors:fill-[Canvas]" x={`${from}%`} width="2" y="0" height="100%" />
            )}
          </g>
        ),
      )}
    </svg>
  );
}

export function PartKey({ part }: { part: BalancePart }) {
  return (
    <svg className="inline-block h-2 w-3.5 flex-none" viewBox="0 0 14 8" aria-hidden>
      <rect className={look[part]} x="0.5" y="0.5" width="13" height="7" />
    </svg>
  );
}

export function Legend({ keys = true, children }: { keys?: boolean; children: React.ReactNode }) {
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-1 px-gutter pb-3 text-small text-ink-2 [.stalebar+&]:pt-2">
      {(keys ? PARTS : []).map((part) => (
        <span key={part} className="inline-flex items-center gap-1.5">
          <PartKey part={part} />
          {part}
        </span>
      ))}
      <span className="dim">{children}</span>
    </div>
  );
}

interface Share {
  part: BalancePart;
  from: number;
  percent: number;
  /** "42 %", "under 1 %", "over 99 %". */
  label: string;
}

type Composition = { kind: 'parts'; shares: Share[] } | { kind: 'none'; why: string };

export function compositionOf(balance: BalanceRow): Composition {
  const amounts = PARTS.map((part) => balance[part]).filter(isAmount);
  if (amounts.length < PARTS.length) return { kind: 'none', why: 'No bar: a part is no amount' };
  if (amounts.some(isNegative)) return { kind: 'none', why: 'No bar: a part is below zero' };
  const whole = sum(amounts);
  const { kind } = checkIdentity(balance);
  if (kind === 'broken') return { kind: 'none', why: 'No bar: the parts do not make the total' };
  if (kind === 'not-checkable') return { kind: 'none', why: 'No bar: the total is no amount' };
  if (equal(whole, '0')) return { kind: 'none', why: 'Nothing held' };
  let from = 0;
  const shares = PARTS.map((part, at) => {
    const { percent, label } = share(amounts[at] ?? '0', whole);
    const of = { part, from, percent, label };
    from += percent;
    return of;
  });
  return { kind: 'parts', shares };
}

export function compositionWords(shares: readonly Share[]): string {
  return shares.map(({ part, label }) => `${label} ${part}`).join(', ');
}
