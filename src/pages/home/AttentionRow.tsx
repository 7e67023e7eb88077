import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { type Payment, PAYMENTS } from '#src/api/payments.ts';
import { useSession } from '#src/api/session.ts';
import { isAmount } from '#src/lib/amount.ts';
import { locationState } from '#src/lib/locationState.ts';
import { KIND } from '#src/lib/operations/kinds.ts';
import type { Operation } from '#src/lib/operations/record.ts';
import { withdrawalFieldsOf } from '#src/lib/operations/withdrawal.ts';
import { knownStatus } from '#src/lib/paymentStatus.ts';
import { paths } from '#src/lib/paths.ts';
import { capital, visible } from '#src/lib/text.ts';
import { isPlausibleTime, lasting } from '#src/lib/time.ts';
import { HandledMark } from '#src/list/HandledMark.tsx';
import { usePaymentNames } from '#src/list/paymentNames.ts';
import { Amount } from '#src/ui/Amount.tsx';
import { buttonClass } from '#src/ui/Button.tsx';
import { UntrustedText } from '#src/ui/UntrustedText.tsx';
import { useNow } from '#src/ui/useNow.ts';
import { type Attention, differs } from './attention.ts';

/** What happened to the money, and why somebody has to look. */
export function What({ of }: { of: Attention }) {
  switch (of.kind) {
    case 'operation':
      return of.operation.record === null ? (
        <Words to={paths.operation(of.operation.key)} why="Whether it was sent can’t be seen here.">
          A recorded payment can’t be read
        </Words>
      ) : (
        <Recorded record={of.operation.record} isContradicted={differs(of.operation)} />
      );
    case 'failed':
      return <Failed payment={of.payment} />;
    case 'stuck':
      return <Stuck {...of} />;
    case 'balance':
      return (
        <Words
          to={paths.balance(of.balance.asset)}
          why={
            of.sum === null ? (
              'A part of it is no amount. Shown as received.'
            ) : (
              <>
                Available, pending and locked make <Amount value={of.sum} compared flow />, the total says{' '}
                <Amount value={of.balance.total} compared flow />.
              </>
            )
          }
        >
          <UntrustedText value={of.balance.asset} max={24} /> balance{' '}
          {of.sum === null ? 'can’t be checked' : 'doesn’t add up'}
        </Words>
      );
  }
}

function Words({ to, why, children }: { to: string; why: ReactNode; children: ReactNode }) {
  return (
    <>
      <Link to={to}>{children}</Link>
      <span>{why}</span>
    </>
  );
}

function Recorded({ record, isContradicted }: { record: Operation; isContradicted: boolean }) {
  const name = usePaymentNames(useSession().account);
  const { amount, asset } = KIND[record.kind].aboutOf(record);
  const sent = withdrawalFieldsOf(record);
  const isReady = record.state === 'ready';
  const pays = KIND[record.kind].pays;
  return (
    <Words
      to={paths.operation(record.key)}
      why={
        isContradicted
          ? 'The provider’s response names another payment than was sent. Compare both before you pay again.'
          : isReady
            ? 'Nothing was sent yet. Send it or discard it.'
            : `No response from the provider. ${pays ? 'Don’t pay it any other way' : 'Don’t do it again'} until this is resolved.`
      }
    >
      {amount === null ? capital(KIND[record.kind].one) : <Amount value={amount} asset={asset ?? undefined} flow />}{' '}
      {sent && name({ ...sent, kind: 'withdrawal', id: '' })}{' '}
      {isContradicted
        ? 'got a response that differs'
        : isReady
          ? 'was saved, not sent'
          : 'may or may not have been sent'}
    </Words>
  );
}

function Failed({ payment }: { payment: Payment }) {
  const { kind, id, status, asset, amount } = payment;
  const name = usePaymentNames(useSession().account)(payment);
  const isBack = status === 'returned';
  return (
    <Words
      to={PAYMENTS[kind].detail(id)}
      why={
        <>
          {kind === 'deposit' ? (
            isBack ? (
              'It went back to its sender. '
            ) : (
              'It isn’t credited to your balance. '
            )
          ) : isBack ? (
            'It came back. Check your balance. '
          ) : (
            <>
              <Amount value={amount} asset={asset ?? undefined} flow /> is available again.{' '}
            </>
          )}
          <HandledMark subject={{ kind, id }} />
        </>
      }
    >
      <Amount value={amount} asset={asset ?? undefined} flow /> {name} {verbOf(status)}
    </Words>
  );
}

function verbOf(status: string | null): string {
  const word = knownStatus(status)?.word.toLowerCase() ?? '';
  return word === 'failed' || word === 'expired' ? word : `was ${word}`;
}

function Stuck({ payment, waiting, usual }: Extract<Attention, { kind: 'stuck' }>) {
  const { kind, id, status, asset, amount } = payment;
  const name = usePaymentNames(useSession().account)(payment);
  const what = `${visible(asset ?? '')} ${PAYMENTS[kind].noun.many}`.trim();
  return (
    <Words
      to={PAYMENTS[kind].detail(id)}
      why={
        usual === null
          ? `Waiting ${lasting(waiting)}. How long ${what} usually take isn’t known yet.`
          : `${capital(what)} usually take ${lasting(Math.max(60, usual))}. This one has waited ${lasting(waiting)}.`
      }
    >
      <Amount value={amount} asset={asset ?? undefined} flow /> {name} is still{' '}
      {knownStatus(status)?.word.toLowerCase() ?? <UntrustedText value={status ?? 'without a status'} max={40} />}
    </Words>
  );
}

/** How long it has been so. */
export function Waiting({ of }: { of: Attention }) {
  const now = useNow(10);
  if (of.kind === 'stuck') return lasting(of.waiting);
  const at =
    of.kind === 'operation' ? of.operation.firstSentAt : of.kind === 'failed' ? (of.at ?? of.payment.created_at) : null;
  if (!isPlausibleTime(at)) return null;
  return <span data-tip-unix={at}>{lasting(Math.max(0, now - at))}</span>;
}

/** The one thing to do next. */
export function Act({ of }: { of: Attention }) {
  const { read_only: readOnly } = useSession();
  const button = buttonClass();
  switch (of.kind) {
    case 'operation': {
      const { record, key } = of.operation;
      const isUnconfirmed = record?.state === 'unconfirmed' && !differs(of.operation);
      return (
        <Link className={button} to={paths.operation(key)}>
          {isUnconfirmed ? 'Resolve' : differs(of.operation) ? 'Compare' : 'Open'}
        </Link>
      );
    }
    case 'failed': {
      const { kind, id, asset, chain, amount, address } = of.payment;
      if (kind === 'deposit' || readOnly || !isAmount(amount))
        return (
          <Link className={button} to={PAYMENTS[kind].detail(id)}>
            View {kind}
          </Link>
        );
      const prefill = { asset: asset ?? '', chain: chain ?? '', amount, address: address ?? '' };
      return (
        <Link className={button} to={paths.newWithdrawal} state={locationState({ prefill })}>
          Send again
        </Link>
      );
    }
    case 'stuck':
      return (
        <Link className={button} to={PAYMENTS[of.payment.kind].detail(of.payment.id)}>
          View {of.payment.kind}
        </Link>
      );
    case 'balance':
      return (
        <Link className={button} to={paths.balance(of.balance.asset)}>
          View balance
        </Link>
      );
  }
}
