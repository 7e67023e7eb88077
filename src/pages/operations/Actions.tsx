import { RefreshCw } from 'lucide-react';
import { useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { paths } from '#src/lib/paths.ts';
import { readWithdrawalBody } from '#src/operations/body.ts';
import type { ActionResult, CheckResult, OperationView } from '#src/operations/outcomes.ts';
import { type OperationRecord, knownResultId } from '#src/operations/record.ts';
import { useOperationActions } from '#src/operations/useOperationActions.ts';
import { Button, buttonClass } from '#src/ui/Button.tsx';
import { useNow } from '#src/ui/useNow.ts';

interface ActionsProps {
  record: OperationRecord;
  view: OperationView;
}

/** What a person may do now, what each does, and why something did not happen. */
export function Actions({ record, view }: ActionsProps) {
  const act = useOperationActions(record.id);
  const [said, setSaid] = useState<string | null>(null);
  const may = new Set(view.allowed);
  const tell = (result: ActionResult | CheckResult) =>
    setSaid(result.outcome === 'not-done' ? `Nothing was sent or changed. ${result.reason}` : null);
  const callbacks = { onSuccess: tell, onError: (error: Error) => setSaid(`Nothing was sent. ${error.message}`) };
  const busy = act.send.isPending || act.resend.isPending || act.discard.isPending;
  const wait = busy ? 'This is under way.' : undefined;
  return (
    <>
      <div className="acts-row">
        {may.has('send') && (
          <Button
            variant="primary"
            disabledReason={view.disabled.send ?? wait}
            onClick={() => act.send.mutate(undefined, callbacks)}
          >
            Send withdrawal
          </Button>
        )}
        {may.has('discard') && (
          <Button
            disabledReason={view.disabled.discard ?? wait}
            onClick={() => act.discard.mutate(undefined, callbacks)}
          >
            Discard
          </Button>
        )}
        {record.state === 'succeeded' && <ViewWithdrawal record={record} />}
        {may.has('check') && (
          <Button
            variant={record.state === 'unconfirmed' ? 'primary' : 'plain'}
            icon={<RefreshCw aria-hidden />}
            disabledReason={act.check.isPending ? 'Reading' : view.disabled.check}
            onClick={() => act.check.mutate(undefined, callbacks)}
          >
            Check now
          </Button>
        )}
        {may.has('resend') && (
          <Resend view={view} wait={wait} onResend={() => act.resend.mutate(undefined, callbacks)} />
        )}
        <NewForms record={record} may={may} />
      </div>
      {record.state === 'unconfirmed' && (
        <p className="small sub">
          Check only reads.
          {may.has('resend') &&
            view.expired !== true &&
            ' Resend uses the same key and the same bytes, so the service carries it out at most once.'}
        </p>
      )}
      <output className={said === null ? 'vh' : 'msg msg-alarm'}>{said}</output>
    </>
  );
}

function Resend({ view, wait, onResend }: { view: OperationView; wait: string | undefined; onResend: () => void }) {
  const now = useNow(1);
  const reason = view.disabled.resend;
  const left = view.asleepUntil === null ? 0 : Math.floor(view.asleepUntil / 1000 - now);
  const countdown = left > 0 && view.expired !== true ? ` ${view.waiting ? 'In' : 'It wakes in'} ${left} s.` : '';
  return (
    <Button disabledReason={reason === undefined ? wait : reason + countdown} onClick={onResend}>
      Resend
    </Button>
  );
}

function ViewWithdrawal({ record }: { record: OperationRecord }) {
  const id = knownResultId(record);
  if (id === null) return null;
  return (
    <Link className={buttonClass('primary')} to={paths.withdrawal(id)}>
      View withdrawal
    </Link>
  );
}

/** Ways to a new form: each mounts with a key of its own, and this operation stays as it is. */
function NewForms({ record, may }: { record: OperationRecord; may: Set<string> }) {
  const navigate = useNavigate();
  const open = (prefill: boolean) => {
    const values = prefill ? readWithdrawalBody(record.body) : null;
    return navigate(paths.newWithdrawal, values ? { state: { prefill: values } } : {});
  };
  if (may.has('edit-as-new')) {
    return (
      <Button variant="primary" onClick={() => void open(true)}>
        Edit as a new withdrawal
      </Button>
    );
  }
  if (!may.has('start-another')) return null;
  const again = record.state !== 'succeeded';
  return <Button onClick={() => void open(again)}>{again ? 'Start again' : 'Start another'}</Button>;
}
