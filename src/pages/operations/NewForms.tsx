import { useNavigate } from 'react-router';
import type { Action } from '#src/api/gatewayContract.ts';
import { locationState } from '#src/lib/locationState.ts';
import { START_PATHS } from '#src/lib/operations/kind.ts';
import type { Operation } from '#src/lib/operations/record.ts';
import { Button } from '#src/ui/Button.tsx';
import { KIND } from '#src/lib/operations/kinds.ts';

/** Ways to a new form: each mounts with a key of its own, and this operation stays as it is. */
export function NewForms({ record, may }: { record: Operation; may: Set<Action> }) {
  const navigate = useNavigate();
  const { one, formOf } = KIND[record.kind];
  const open = (prefill: boolean) => {
    const values = prefill ? formOf(record) : null;
    return navigate(START_PATHS[record.kind], values ? { state: locationState({ prefill: values }) } : {});
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
