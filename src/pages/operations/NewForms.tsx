import { useNavigate } from 'react-router';
import { readWithdrawalBody } from '#src/operations/body.ts';
import { deliveryOf, readDepositAddressBody } from '#src/operations/kinds.ts';
import type { Action } from '#src/operations/outcomes.ts';
import type { OperationKind, OperationRecord } from '#src/operations/record.ts';
import { Button } from '#src/ui/Button.tsx';
import { KIND_WORDS } from '#src/operations/kindWords.ts';

/** Ways to a new form: each mounts with a key of its own, and this operation stays as it is. */
export function NewForms({ record, may }: { record: OperationRecord; may: Set<Action> }) {
  const navigate = useNavigate();
  const { one, newForm } = KIND_WORDS[record.kind];
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
const PREFILLS: Record<OperationKind, (record: OperationRecord) => object | null> = {
  withdrawal: ({ body }) => readWithdrawalBody(body),
  'deposit-address': ({ body }) => readDepositAddressBody(body),
  charge: ({ body }) => ({ body }),
  'webhook-replay': (record) => {
    const delivery = deliveryOf(record);
    return delivery === null ? null : { delivery };
  },
};
