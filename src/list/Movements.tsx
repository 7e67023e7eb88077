import { ArrowDownLeft, ArrowLeftRight, ArrowUpRight } from 'lucide-react';
import { Link } from 'react-router';
import { type Payment, PAYMENTS } from '#src/api/payments.ts';
import { useSession } from '#src/api/session.ts';
import { isAmount, isNegative } from '#src/lib/amount.ts';
import { type PaymentTone, toneOf } from '#src/lib/paymentStatus.ts';
import { paths } from '#src/lib/paths.ts';
import { compareWords, visible } from '#src/lib/text.ts';
import { dateOf, formatClock, formatTime, isoUtc, isPlausibleTime } from '#src/lib/time.ts';
import { Amount } from '#src/ui/Amount.tsx';
import { integerWidth } from '#src/ui/integerWidth.ts';
import { useZone } from '#src/ui/Time.tsx';
import './overview.css';
import { usePaymentNames } from './paymentNames.ts';
import { StatusCell } from './StatusCell.tsx';

/** What the ledger has of a swap in one of its two assets; its amount has a sign. */
export interface SwapLeg extends Pick<Payment, 'id' | 'asset' | 'created_at'> {
  kind: 'swap';
  amount?: unknown;
  /** The asset of its other leg, where that is known. */
  other: string | null;
}

interface MovementsProps {
  /** Newest first. */
  moves: readonly (Payment | SwapLeg)[];
  /** Unix seconds by the service's clock: of today only the hour is said. */
  now: number;
}

/** Payments in words, both directions, and swaps: who and when, then amount and status. */
export function Movements({ moves, now }: MovementsProps) {
  const name = usePaymentNames(useSession().account);
  return (
    <ul
      className="moves"
      style={{
        '--int': integerWidth(
          moves.map(({ amount }) => amount),
          8,
        ).css,
      }}
    >
      {moves.map((move) => {
        if (move.kind === 'swap') return <Swapped key={`swap ${move.id}`} leg={move} now={now} />;
        const { kind, id, status, asset } = move;
        const tone = toneOf(status);
        const Icon = kind === 'deposit' ? ArrowDownLeft : ArrowUpRight;
        return (
          <li key={`${kind} ${id}`}>
            <Icon aria-hidden />
            <Link className="w" to={PAYMENTS[kind].detail(id)}>
              {WORDS[kind][tone]} {name(move)}
            </Link>
            <When unix={move.created_at} now={now} />
            <span className={tone === 'alarm' ? 'v dead' : 'v'}>
              <Amount value={signed(move, tone)} asset={asset ?? undefined} signed={kind === 'deposit'} />
            </span>
            <span className="s">
              <StatusCell status={status} />
            </span>
          </li>
        );
      })}
    </ul>
  );
}

function Swapped({ leg: { id, asset, amount, other, created_at: at }, now }: { leg: SwapLeg; now: number }) {
  return (
    <li>
      <ArrowLeftRight aria-hidden />
      <Link className="w" to={paths.ledgerEntry(id)}>
        Swapped {isAmount(amount) && isNegative(amount) ? 'for' : 'from'}{' '}
        {other === null ? 'another asset' : visible(other.slice(0, 24))}
      </Link>
      <When unix={at} now={now} />
      <span className="v">
        <Amount value={amount} asset={asset ?? undefined} signed />
      </span>
    </li>
  );
}

const WORDS: Record<Payment['kind'], Record<PaymentTone, string>> = {
  deposit: { proof: 'Received', motion: 'Deposit', alarm: 'Deposit' },
  withdrawal: { proof: 'Sent', motion: 'Withdrawal', alarm: 'Withdrawal' },
};

/** What has left the balance has a minus; what has not, none. */
function signed({ kind, amount }: Payment, tone: PaymentTone): unknown {
  const left = kind === 'withdrawal' && tone === 'proof' && isAmount(amount) && !isNegative(amount);
  return left ? `-${amount}` : amount;
}

function When({ unix, now }: { unix: unknown; now: number }) {
  const zone = useZone();
  if (!isPlausibleTime(unix)) return <span className="when">no time</span>;
  const isToday = dateOf(unix, zone) === dateOf(now, zone);
  return (
    <time className="when" dateTime={isoUtc(unix)} data-tip-unix={unix}>
      {(isToday ? formatClock(unix, zone) : formatTime(unix, zone, now)).replace(/:\d\d$/, '')}
    </time>
  );
}

/** The newest of several lists, newest first; rows without a time last. */
export function newestOf<T extends Payment | SwapLeg>(moves: readonly T[], count: number): T[] {
  return moves.toSorted((a, b) => timeOf(b) - timeOf(a) || compareWords(b.id, a.id)).slice(0, count);
}

function timeOf({ created_at: at }: Payment | SwapLeg): number {
  return isPlausibleTime(at) ? at : 0;
}
