import { ArrowDownLeft, ArrowLeftRight, ArrowUpRight, type LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { PaymentKind } from '#src/shared/operations/paymentHistory.ts';
import type { SwapLeg } from '#src/shared/contract/overviewContract.ts';
import type { Payment } from '#src/shared/overview/payment.ts';
import { PAYMENTS } from '#src/web/api/payments.ts';
import { isAmount, isNegative } from '#src/shared/amount.ts';
import { type PaymentTone, toneOf } from '#src/shared/paymentStatus.ts';
import { paths } from '#src/shared/paths.ts';
import { revealHidden } from '#src/shared/text.ts';
import { dateOf, formatClock, formatTime, isoUtc, isPlausibleTime, sortableTime } from '#src/shared/time.ts';
import { Amount } from '#src/web/ui/Amount.tsx';
import { useZone } from '#src/web/ui/Time.tsx';
import './overview.css';
import { movementWidth } from './movementWidth.ts';
import { usePaymentNames } from './paymentNames.ts';
import { StatusCell } from './rows/StatusCell.tsx';

interface MovementsProps {
  moves: readonly (Payment | SwapLeg)[];
  /** Unix seconds by the service's clock. Movements of today show only the time. */
  now: number;
}

function Movements({ moves, now }: MovementsProps) {
  const name = usePaymentNames();
  return (
    <ul className="moves" style={{ '--int': movementWidth(moves.map(({ amount }) => amount)) }}>
      {moves.map((move) => {
        if (move.kind === 'swap') return <Swapped key={`swap ${move.id}`} leg={move} now={now} />;
        const { kind, id, status, asset } = move;
        const tone = toneOf(status);
        return (
          <Line
            key={`${kind} ${id}`}
            Icon={kind === 'deposit' ? ArrowDownLeft : ArrowUpRight}
            to={paths[kind](id)}
            what={
              <>
                <span>{WORDS[kind][tone]}</span> <span translate="no">{name(move)}</span>
              </>
            }
            when={<When unix={move.created_at} now={now} />}
            isDead={tone === 'alarm'}
            amount={<Amount value={signed(move, tone)} asset={asset ?? undefined} signed={kind === 'deposit'} />}
          >
            <span className="max-w-44 justify-self-end">
              <StatusCell status={status} />
            </span>
          </Line>
        );
      })}
    </ul>
  );
}

function Swapped({ leg: { id, asset, amount, other, created_at: at }, now }: { leg: SwapLeg; now: number }) {
  const way = isAmount(amount) && isNegative(amount) ? 'for' : 'from';
  return (
    <Line
      Icon={ArrowLeftRight}
      to={paths.ledgerEntry(id)}
      what={`Swapped ${way} ${other === null ? 'another asset' : revealHidden(other.slice(0, 24))}`}
      when={<When unix={at} now={now} />}
      amount={<Amount value={amount} asset={asset ?? undefined} signed />}
    />
  );
}

interface LineProps {
  Icon: LucideIcon;
  to: string;
  what: ReactNode;
  when: ReactNode;
  amount: ReactNode;
  isDead?: boolean;
  children?: ReactNode;
}

function Line({ Icon, to, what, when, amount, isDead = false, children }: LineProps) {
  return (
    <li className="relative grid grid-cols-[1rem_minmax(0,1fr)_auto] gap-x-2 border-b border-rule px-gutter py-1.75 hover:bg-hover narrow:py-2.5">
      <Icon className="mt-0.5 text-ink-3" aria-hidden />
      <Link className="row-link truncate" to={to}>
        {what}
      </Link>
      {when}
      <span
        className={`col-start-2 min-w-0 wrap-anywhere [&_.amt]:whitespace-normal ${isDead ? 'dead' : 'font-medium'}`}
      >
        {amount}
      </span>
      {children}
    </li>
  );
}

const WORDS: Record<Payment['kind'], Record<PaymentTone, string>> = {
  deposit: { proof: 'Received', motion: 'Deposit', alarm: 'Deposit' },
  withdrawal: { proof: 'Sent', motion: 'Withdrawal', alarm: 'Withdrawal' },
};

/** The amount, with a minus only if it has left the balance. */
function signed({ kind, amount }: Payment, tone: PaymentTone): unknown {
  const left = kind === 'withdrawal' && tone === 'proof' && isAmount(amount) && !isNegative(amount);
  return left ? `-${amount}` : amount;
}

const whenClass = 'justify-self-end text-small whitespace-nowrap text-ink-3';

function When({ unix, now }: { unix: unknown; now: number }) {
  const zone = useZone();
  if (!isPlausibleTime(unix)) return <span className={whenClass}>no time</span>;
  const isToday = dateOf(unix, zone) === dateOf(now, zone);
  return (
    <time translate="no" className={whenClass} dateTime={isoUtc(unix)} data-tip-unix={unix}>
      {(isToday ? formatClock(unix, zone) : formatTime(unix, zone, now)).replace(/:\d\d$/, '')}
    </time>
  );
}

interface LatestProps extends MovementsProps {
  lists: readonly { kind: PaymentKind; isRead: boolean; error: Error | null; notOffered: boolean }[];
  /** Whether the other movements in `moves` are loaded, too. */
  isLoaded?: boolean;
}

/** The latest of both lists. Says what could not be loaded, and says "none" only if everything was loaded. */
export function LatestMovements({ lists, moves, now, isLoaded = true }: LatestProps) {
  const missing = lists.filter(({ isRead, error }) => !isRead && error !== null);
  const areNone = moves.length === 0 && isLoaded && lists.every(({ isRead }) => isRead);
  return (
    <>
      {areNone && <p className="more">No movements yet.</p>}
      {!areNone && (moves.length > 0 || missing.length === 0) && <Movements moves={moves} now={now} />}
      {missing.map(({ kind, notOffered }) => (
        <p className="more" key={kind}>
          {notOffered ? 'This provider doesn’t list' : 'Couldn’t load'} {PAYMENTS[kind].noun.many}.
        </p>
      ))}
    </>
  );
}

export function newestOf<T extends Payment | SwapLeg>(moves: readonly T[], count: number): T[] {
  return moves.toSorted((a, b) => sortableTime(b.created_at) - sortableTime(a.created_at)).slice(0, count);
}
