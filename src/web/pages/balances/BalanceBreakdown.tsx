import { areOf, capital, visibleCode } from '#src/shared/text.ts';
import type { ReactNode } from 'react';
import type { BalanceRow } from '#src/shared/contract/rows.ts';
import { age, dateOf, formatClock, formatTime, isoUtc, isPlausibleTime } from '#src/shared/time.ts';
import { StillLoading } from '#src/web/list/StillLoading.tsx';
import { Amount, integerWidth } from '#src/web/ui/Amount.tsx';
import { Notice } from '#src/web/ui/Notice.tsx';
import { Time, useZone } from '#src/web/ui/Time.tsx';
import { UntrustedText } from '#src/web/ui/UntrustedText.tsx';
import { useDelay } from '#src/web/ui/useLoaded.ts';
import { PartKey } from './ShareBar.tsx';
import { checkIdentity, FIGURES } from '#src/shared/overview/balanceIdentity.ts';

/** Width of an amount, in em, from which its account has a whole line. */
const FULL_LINE = 48;

interface BalanceBreakdownProps {
  balance: BalanceRow;
  requestId: string | null;
  id: string;
  /** What each line consists of, if there is room to show it. */
  why?: Record<(typeof FIGURES)[number], ReactNode>;
}

export function BalanceBreakdown({ balance, requestId, id, why }: BalanceBreakdownProps) {
  const { asset } = balance;
  const identity = checkIdentity(balance);
  return (
    <>
      <table
        className="sum"
        id={id}
        style={{
          '--int': integerWidth(
            FIGURES.map((row) => balance[row]),
            FULL_LINE,
          ).css,
        }}
        aria-label={`Balance of ${visibleCode(asset)}`}
      >
        <tbody>
          {FIGURES.map((row) => (
            <tr key={row} className={row === 'total' ? 'tot' : undefined}>
              <th scope="row">
                {why && row !== 'total' && <PartKey part={row} />} {capital(row)}
              </th>
              <td className="cash">
                <Amount value={balance[row]} asset={asset} compared={identity.kind === 'broken'} />
              </td>
              {why && <td className="why">{why[row]}</td>}
            </tr>
          ))}
        </tbody>
      </table>
      <IdentityNote balance={balance} requestId={requestId} />
    </>
  );
}

interface IdentityNoteProps {
  balance: BalanceRow;
  requestId: string | null;
  /** The title includes the asset. */
  named?: boolean;
}

export function IdentityNote({ balance, requestId, named = false }: IdentityNoteProps) {
  const { asset } = balance;
  const identity = checkIdentity(balance);
  if (identity.kind === 'holds') return null;
  const request = requestId !== null && <UntrustedText mono value={requestId} max={80} />;
  if (identity.kind === 'broken') {
    return (
      <Notice tone="alarm" title={named ? `${visibleCode(asset)} doesn’t add up.` : 'Doesn’t add up.'}>
        The three parts make <Amount value={identity.sum} asset={asset} compared flow />. Shown as received. {request}
      </Notice>
    );
  }
  return (
    <Notice tone="open" title="The sum can’t be checked.">
      {identity.fields.join(', ')} {areOf(identity.fields.length)} not a decimal string. Shown as received. {request}
    </Notice>
  );
}

export function SnapshotTime({ updatedAt, now }: { updatedAt: unknown; now: number }) {
  const zone = useZone();
  if (!isPlausibleTime(updatedAt)) return <Time unix={updatedAt} />;
  const isToday = dateOf(updatedAt, zone) === dateOf(now, zone);
  return (
    <>
      <time translate="no" className="whitespace-nowrap" dateTime={isoUtc(updatedAt)} data-tip-unix={updatedAt}>
        {isToday ? formatClock(updatedAt, zone) : formatTime(updatedAt, zone, now)}
        {zone === 'utc' && ' UTC'}
      </time>
      , <span className="whitespace-nowrap">{age(updatedAt, now)}</span>
    </>
  );
}

/** Shown while balances load. No skeleton, because their number is unknown. */
export function Loading() {
  const visibly = useDelay(true);
  return (
    <output aria-busy>
      <StillLoading what="balances">{visibly && 'Loading balances…'}</StillLoading>
    </output>
  );
}
