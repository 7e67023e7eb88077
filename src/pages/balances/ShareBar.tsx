import { type Part, PARTS } from '#src/api/balanceIdentity.ts';
import type { BalanceRow } from '#src/api/schemas.ts';
import { visible } from '#src/lib/text.ts';
import { useAmountsHidden } from '#src/ui/Amount.tsx';
import { compositionOf, compositionWords } from './composition.ts';

const look: Record<Part, string> = { available: 's1', pending: 's2', locked: 's3' };

interface ShareBarProps {
  balance: BalanceRow;
  /** Id of the table that has the same in figures. */
  figures?: string;
}

/** How the three parts divide one asset: width only, the percentages in its name and tip; words where a bar would lie. */
export function ShareBar({ balance, figures }: ShareBarProps) {
  const hidden = useAmountsHidden();
  // A bar tells proportions of what is not to be seen; the legend says so once.
  if (hidden) return <svg className="share" aria-hidden />;
  const composition = compositionOf(balance);
  if (composition.kind === 'none') return <p className="share-none">{composition.why}</p>;
  const words = compositionWords(composition.shares);
  return (
    <svg
      className="share"
      role="img"
      aria-label={`${visible(balance.asset)}: ${words}`}
      aria-details={figures}
      data-tip={words}
    >
      {composition.shares.map(({ part, from, percent }) =>
        percent === 0 ? null : (
          <rect key={part} className={look[part]} x={`${from}%`} width={`${percent}%`} y="0" height="6" />
        ),
      )}
    </svg>
  );
}

/** What the strokes of the bar mean. */
export function Legend({ children }: { children: React.ReactNode }) {
  const hidden = useAmountsHidden();
  return (
    <div className="legend">
      {hidden ? (
        <span>No bars while amounts are hidden.</span>
      ) : (
        PARTS.map((part) => (
          <span key={part}>
            <svg className="key" viewBox="0 0 14 8" aria-hidden>
              <rect className={look[part]} x="0.5" y="0.5" width="13" height="7" />
            </svg>
            {part}
          </span>
        ))
      )}
      <span className="dim">{children}</span>
    </div>
  );
}
