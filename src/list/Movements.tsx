import { ArrowDownLeft, ArrowUpRight } from 'lucide-react';
import { Link } from 'react-router';
import { type Payment, PAYMENTS } from '#src/api/payments.ts';
import { useSession } from '#src/api/session.ts';
import { isAmount, isNegative } from '#src/lib/amount.ts';
import { type PaymentTone, toneOf } from '#src/lib/paymentStatus.ts';
import { compareWords } from '#src/lib/text.ts';
import { dateOf, formatClock, formatTime, isoUtc, isPlausibleTime } from '#src/lib/time.ts';
import { Amount } from '#src/ui/Amount.tsx';
import { integerWidth } from '#src/ui/integerWidth.ts';
import { useZone } from '#src/ui/Time.tsx';
import './overview.css';
import { usePaymentNames } from './paymentNames.ts';
import { StatusCell } from './StatusCell.tsx';

interface MovementsProps {
  /** Newest first. */
  payments: readonly Payment[];
  /** Unix seconds by the service's clock: of today only the hour is said. */
  now: number;
}

/** Payments in words, both directions: who and when, then amount and status. */
export function Movements({ payments, now }: MovementsProps) {
  const name = usePaymentNames(useSession().account);
  return (
    <ul
      className="moves"
      style={{
        '--int': integerWidth(
          payments.map(({ amount }) => amount),
          8,
        ).css,
      }}
    >
      {payments.map((payment) => {
        const { kind, id, status, asset } = payment;
        const tone = toneOf(status);
        const Icon = kind === 'deposit' ? ArrowDownLeft : ArrowUpRight;
        return (
          <li
            key={`${kind} ${id}`}
            className="relative grid grid-cols-[1rem_minmax(0,1fr)_auto] gap-x-2 border-b border-rule px-gutter py-1.75 hover:bg-hover narrow:py-2.5"
          >
            <Icon className="mt-0.5 text-ink-3" aria-hidden />
            <Link className="row-link truncate" to={PAYMENTS[kind].detail(id)}>
              {WORDS[kind][tone]} {name(payment)}
            </Link>
            <When unix={payment.created_at} now={now} />
            <span
              className={`col-start-2 min-w-0 wrap-anywhere [&_.amt]:whitespace-normal ${tone === 'alarm' ? 'dead' : 'font-medium'}`}
            >
              <Amount value={signed(payment, tone)} asset={asset ?? undefined} signed={kind === 'deposit'} />
            </span>
            <span className="max-w-44 justify-self-end">
              <StatusCell status={status} />
            </span>
          </li>
        );
      })}
    </ul>
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

const whenClass = 'justify-self-end text-small whitespace-nowrap text-ink-3';

function When({ unix, now }: { unix: unknown; now: number }) {
  const zone = useZone();
  if (!isPlausibleTime(unix)) return <span className={whenClass}>no time</span>;
  const isToday = dateOf(unix, zone) === dateOf(now, zone);
  return (
    <time className={whenClass} dateTime={isoUtc(unix)} data-tip-unix={unix}>
      {(isToday ? formatClock(unix, zone) : formatTime(unix, zone, now)).replace(/:\d\d$/, '')}
    </time>
  );
}

/** The newest of several lists, newest first; rows without a time last. */
export function newestOf(payments: readonly Payment[], count: number): Payment[] {
  return payments.toSorted((a, b) => timeOf(b) - timeOf(a) || compareWords(b.id, a.id)).slice(0, count);
}

function timeOf({ created_at: at }: Payment): number {
  return isPlausibleTime(at) ? at : 0;
}
