import { useCan } from '#src/web/api/permissions.ts';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { withdrawalQueries } from '#src/web/api/listQueries.ts';
import { operationQuery } from '#src/web/api/operations/operations.ts';
import { type Payment, paymentOf } from '#src/shared/overview/payment.ts';
import { useSession } from '#src/web/api/session.ts';
import { KIND, titleOf } from '#src/shared/operations/kinds.ts';
import type { Operation } from '#src/shared/operations/record.ts';
import { withdrawalFieldsOf } from '#src/shared/operations/withdrawal.ts';
import { paths } from '#src/shared/paths.ts';
import { usePaymentNames } from '#src/web/list/paymentNames.ts';
import { Amount } from '#src/web/ui/Amount.tsx';

/** The earlier sends that a person saw at review and confirmed as not duplicates. */
export function EarlierOperations({ record }: { record: Operation }) {
  if (record.secondSendOf.length === 0) return null;
  const { pays, many } = KIND[record.kind];
  return (
    <section aria-labelledby="earlier">
      <h2 id="earlier">Earlier {pays ? 'payments' : many} shown at review</h2>
      <ul className="in-pad">
        {record.secondSendOf.map((id) => (
          <li key={id}>
            <EarlierLink id={id} />
          </li>
        ))}
      </ul>
    </section>
  );
}

const KEY = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** A withdrawal id, an operation key, or a token for something that may not be shown to this session. */
function EarlierLink({ id }: { id: string }) {
  if (id.startsWith('wd_')) return <EarlierWithdrawal id={id} />;
  if (!KEY.test(id)) return <>Sent by another account or API key, or missing from the records</>;
  return <EarlierOperation operationKey={id} />;
}

function EarlierWithdrawal({ id }: { id: string }) {
  const { account } = useSession();
  const canRead = useCan('read');
  const { data } = useQuery({ ...withdrawalQueries.detail(account, id), enabled: canRead });
  return (
    <Link to={paths.withdrawal(id)}>
      {data?.found ? <PaymentWords payment={paymentOf('withdrawal', data.row)} /> : <Id text={id} />}
    </Link>
  );
}

function EarlierOperation({ operationKey }: { operationKey: string }) {
  const { account } = useSession();
  const { data } = useQuery(operationQuery(account, operationKey));
  const sent = data && withdrawalFieldsOf(data.operation);
  return (
    <Link to={paths.operation(operationKey)}>
      {sent ? (
        <PaymentWords payment={paymentOf('withdrawal', { id: '', ...sent })} />
      ) : data ? (
        titleOf(data.operation, true)
      ) : (
        <Id text={operationKey} />
      )}
    </Link>
  );
}

function PaymentWords({ payment }: { payment: Payment }) {
  const nameOf = usePaymentNames();
  return (
    <>
      <Amount value={payment.amount} asset={payment.asset ?? undefined} flow /> {nameOf(payment)}
    </>
  );
}

function Id({ text }: { text: string }) {
  return (
    <span className="id" translate="no">
      {text}
    </span>
  );
}
