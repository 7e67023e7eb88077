import type { BalanceRow } from '#src/api/schemas.ts';
import { type Part, sharesOf } from '#src/api/balanceIdentity.ts';

const look: Record<Part, string> = { available: 's1', pending: 's2', locked: 's3' };

/** How the three parts divide one asset: width only; the numbers stand below. */
export function ShareBar({ balance }: { balance: BalanceRow }) {
  const shares = sharesOf(balance);
  if (!shares) return <svg className="share" aria-hidden />;
  const summary = shares.map(({ part, label }) => `${label} ${part}`).join(', ');
  return (
    <svg className="share" role="img" aria-label={`${balance.asset}: ${summary}`}>
      {shares.map(({ part, from, percent }) =>
        percent === 0 ? null : (
          <rect key={part} className={look[part]} x={`${from}%`} width={`${percent}%`} y="0" height="6" />
        ),
      )}
    </svg>
  );
}

/** What the strokes of the bar mean. */
export function Legend({ children }: { children: React.ReactNode }) {
  return (
    <div className="legend">
      {(['available', 'pending', 'locked'] as const).map((part) => (
        <span key={part}>
          <svg className="key" viewBox="0 0 14 8" aria-hidden>
            <rect className={look[part]} x="0.5" y="0.5" width="13" height="7" />
          </svg>
          {part}
        </span>
      ))}
      <span className="dim">{children}</span>
    </div>
  );
}
