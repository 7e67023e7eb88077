import { useNavigate } from 'react-router';
import { readDepositAddressBody } from '#src/lib/operations/depositAddress.ts';
import { deliveryOf } from '#src/lib/operations/webhookReplay.ts';
import { readWithdrawalBody } from '#src/lib/operations/withdrawal.ts';
import type { Action } from '#src/api/gatewayContract.ts';
import type { OperationKind } from '#src/lib/operations/kind.ts';
import type { Operation } from '#src/lib/operations/record.ts';
import { Button } from '#src/ui/Button.tsx';
import { KIND } from '#src/lib/operations/kinds.ts';

/** Ways to a new form: each mounts with a key of its own, and this operation stays as it is. */
export function NewForms({ record, may }: { record: Operation; may: Set<Action> }) {
  const navigate = useNavigate();
  const { one, newForm } = KIND[record.kind];
  const open = (prefill: boolean) => {
    const values = prefill ? PREFILLS[record.kind](record) : null;
    return navigate(newForm, values ? { state: { prefill: values } } : {});
  };
  if (may.has('edit-as-new')) {
    return (
      <Button variant="primary" onClick={() => void open(true)}>
        Edit as a new {one}
      </Button>
    );
  }
  if (!may.has('start-another')) return null;
  const again = record.state !== 'succeeded';
  return <Button onClick={() => void open(again)}>{again ? 'Start again' : 'Start another'}</Button>;
}

/** What the form takes back, as its location state. */
const PREFILLS: Record<OperationKind, (record: Operation) => object | null> = {
  withdrawal: ({ body }) => readWithdrawalBody(body),
  'deposit-address': ({ body }) => readDepositAddressBody(body),
  charge: ({ body }) => ({ body }),
  'webhook-replay': (record) => {
    const delivery = deliveryOf(record);
    return delivery === null ? null : { delivery };
  },
};
