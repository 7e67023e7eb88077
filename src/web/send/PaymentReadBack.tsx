import { type ReactNode } from 'react';
import { chainLabel } from '#src/shared/chains/names.ts';
import type { WithdrawalFields } from '#src/shared/operations/kind.ts';
import { shorten } from '#src/shared/text.ts';
import { age } from '#src/shared/time.ts';
import { Amount } from '#src/web/ui/Amount.tsx';
import { Check } from '#src/web/ui/Check.tsx';
import { Notice } from '#src/web/ui/Notice.tsx';
import { Time, useZone } from '#src/web/ui/Time.tsx';
import { UntrustedText } from '#src/web/ui/UntrustedText.tsx';
import { useNow } from '#src/web/ui/useNow.ts';
import { type AssetBalance, availableAfter } from './useAssetBalance.ts';

// The facts to compare before money is sent, for the sender at review and for approvers.

interface PaymentSentenceProps {
  /** What the person does with the payment, such as "Send". */
  verb: string;
  payment: WithdrawalFields;
  /** The saved name of the recipient. */
  name: string | null;
}

/** The payment as one large sentence: "Send 12 USDT to Acme Hosting on Tron". */
export function PaymentSentence({ verb, payment: { amount, asset, chain, address }, name }: PaymentSentenceProps) {
  return (
    <p className="border-t-2 border-b-3 border-ink border-b-rule-cash py-4 text-figure wrap-anywhere [border-bottom-style:double] narrow:text-title [&_.amt]:whitespace-normal [&_b_.a]:font-semibold [&_b_.a]:text-ink">
      {verb}{' '}
      <b>
        <Amount value={amount} asset={asset} readBack always />
      </b>{' '}
      to{' '}
      <b>
        {name === null ? (
          <span className="font-mono" translate="no">
            {shorten(address)}
          </span>
        ) : (
          <UntrustedText value={name} max={120} />
        )}
      </b>{' '}
      on <UntrustedText value={chainLabel(chain)} max={60} />
    </p>
  );
}

interface AvailableProps {
  asset: string;
  amount: string;
  balance: AssetBalance;
}

export function AvailableNowAndAfter({ asset, amount, balance }: AvailableProps) {
  const available = balance.balance?.available;
  const after = availableAfter(available, amount);
  if (!balance.balance)
    return <span className="sub">{balance.complete ? 'No balance of this asset' : 'Not loaded'}</span>;
  return (
    <>
      <Amount value={available} asset={asset} flow />{' '}
      <span className="dim small">
        <AsOf {...balance} />
      </span>
      {after !== null && (
        <span className="block sub">
          ≈ <Amount value={after} asset={asset} flow /> afterwards, before the fee
        </span>
      )}
    </>
  );
}

export function AsOf({ read }: Pick<AssetBalance, 'read'>) {
  const zone = useZone();
  const now = useNow(10);
  if (!read) return null;
  const { date, readAt } = read;
  return (
    <span>
      as of <Time unix={date ?? readAt} />
      {zone === 'utc' && ' UTC'}, {age(readAt, Math.max(now, readAt))}
    </span>
  );
}

interface MoreThanAvailableProps {
  asset: string;
  available: unknown;
  /** Label of the checkbox. */
  confirmation: string;
  isConfirmed: boolean;
  onConfirm: (isConfirmed: boolean) => void;
}

/** Warns that the amount may be a typing error. It isn't forbidden, because the balance may have changed since it was read. */
export function MoreThanAvailable({ asset, available, confirmation, isConfirmed, onConfirm }: MoreThanAvailableProps) {
  return (
    <Notice
      tone="open"
      live
      title={
        <>
          More than you have available (<Amount value={available} asset={asset} flow />
          ).
        </>
      }
    >
      <Check isChecked={isConfirmed} onChange={onConfirm}>
        {confirmation}
      </Check>
    </Notice>
  );
}

/** One line of a list of facts to compare. */
export function ReadBack({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="grid grid-cols-[7rem_minmax(0,1fr)] items-baseline gap-4 border-b border-rule py-3 narrow:grid-cols-1 narrow:gap-1">
      <dt className="text-ink-2">{label}</dt>
      <dd className="min-w-0 wrap-anywhere">{children}</dd>
    </div>
  );
}
