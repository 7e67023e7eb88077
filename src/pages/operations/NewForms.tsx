import { useNavigate } from 'react-router';
import { readWithdrawalBody } from '#src/lib/operations/withdrawal.ts';
import { readDepositAddressBody } from '#src/lib/operations/depositAddress.ts';
import { deliveryOf } from '#src/lib/operations/webhookReplay.ts';
import type { Action } from '#src/api/gatewayContract.ts';
import type { Operation } from '#src/lib/operations/record.ts';
import { Button } from '#src/ui/Button.tsx';
import { KIND } from '#src/lib/operations/kinds.ts';

/** Ways to a new form: each mounts with a key of its own, and this operation stays as it is. */
export function NewForms({ record, may }: { record: Operation; may: Set<Action> }) {
  const navigate = useNavigate();
  const { one, newForm } = KIND[record.kind];
  const open = (prefill: boolean) => {
    const values = prefill ? prefillOf(record) : null;
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
function prefillOf({ kind, body, path }: Operation): object | null {
  switch (kind) {
    case 'withdrawal':
      return readWithdrawalBody(body);
    case 'deposit-address':
      return readDepositAddressBody(body);
    case 'charge':
      return { body };
    case 'webhook-replay':
      break;
  }
  const delivery = deliveryOf({ path });
  return delivery === null ? null : { delivery };
}
