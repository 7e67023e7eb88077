import { RefreshCw } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { Link } from 'react-router';
import { paths } from '#src/lib/paths.ts';
import type { ActionResult, CheckResult, OperationView } from '#src/operations/outcomes.ts';
import { type OperationRecord, knownResultId } from '#src/operations/record.ts';
import { useOperationActions } from '#src/operations/useOperationActions.ts';
import { Button, buttonClass } from '#src/ui/Button.tsx';
import { useNow } from '#src/ui/useNow.ts';
import { CloseByHand } from './CloseByHand.tsx';
import { ConfirmNotSent } from './ConfirmNotSent.tsx';
import { KIND_WORDS } from '#src/operations/kindWords.ts';
import { NewForms } from './NewForms.tsx';

interface ActionsProps {
  record: OperationRecord;
  view: OperationView;
}

/** What a person may do now, what each does, and why something did not happen. */
export function Actions({ record, view }: ActionsProps) {
  const act = useOperationActions(record.id);
  const place = useRef<HTMLDivElement>(null);
  useKeepFocusNear(place, record.state);
  const [said, setSaid] = useState<string | null>(null);
  const may = new Set(view.allowed);
  const tell = (result: ActionResult | CheckResult) =>
    setSaid(result.outcome === 'not-done' ? `Nothing was sent or changed. ${result.reason}` : null);
  const callbacks = { onSuccess: tell, onError: (error: Error) => setSaid(`Nothing was sent. ${error.message}`) };
  const busy = act.send.isPending || act.resend.isPending || act.discard.isPending;
  const wait = busy ? 'This is under way.' : undefined;
  return (
    <>
      <div className="acts-row" ref={place} tabIndex={-1}>
        {may.has('send') && (
          <Button
            variant="primary"
            disabledReason={view.disabled.send ?? wait}
            onClick={() => act.send.mutate(undefined, callbacks)}
          >
            {KIND_WORDS[record.kind].send}
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
        {may.has('confirm-not-sent') && (
          <ConfirmNotSent record={record} view={view} confirmNotSent={act.confirmNotSent} />
        )}
        {may.has('close') && (
          <CloseByHand close={act.close} disabledReason={view.disabled.close ?? wait}>
            {CLOSE_FREES[record.kind]}
          </CloseByHand>
        )}
        <NewForms record={record} may={may} />
      </div>
      {record.state === 'unconfirmed' && <p className="small sub">{explained(view)}</p>}
      <output className={said === null ? 'vh' : 'msg msg-alarm'}>{said}</output>
    </>
  );
}

const CLOSE_FREES: Record<OperationRecord['kind'], string> = {
  withdrawal: 'The same destination can be paid again then: if this one was carried out, that pays twice.',
  'deposit-address': 'Ask for another address only if that one was not made, or if two do no harm.',
  charge: 'Create another charge only if that one was not created: a customer could pay both.',
  'webhook-replay': 'The same delivery can be replayed again then: if this one arrived, the shop gets it once more.',
};

/** What each button does, in one line each. */
function explained({ allowed, expired }: OperationView): string {
  const words: string[] = [];
  if (allowed.includes('check')) words.push('Check only reads.');
  if (allowed.includes('resend') && expired !== true) {
    words.push('Resend uses the same key and the same bytes, so the service carries it out at most once.');
  }
  if (allowed.includes('confirm-not-sent')) {
    words.push('Confirm not sent ends it for good, where a complete list of the service does not have it.');
  }
  if (allowed.includes('close')) words.push('Close by hand ends it here with your reason; it asks and tells nobody.');
  return words.join(' ');
}

/** A button that goes away with its state takes the focus with it: it stays among what the person may do next. */
function useKeepFocusNear(place: React.RefObject<HTMLElement | null>, state: string): void {
  const inside = useRef(false);
  useEffect(() => {
    const follow = ({ target }: FocusEvent) => {
      inside.current = target instanceof Node && place.current?.contains(target) === true;
    };
    document.addEventListener('focusin', follow);
    return () => document.removeEventListener('focusin', follow);
  }, [place]);
  const before = useRef(state);
  useEffect(() => {
    if (before.current === state) return;
    before.current = state;
    if (inside.current && document.activeElement === document.body) place.current?.focus({ preventScroll: true });
  }, [place, state]);
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
  if (id === null || record.kind !== 'withdrawal') return null;
  return (
    <Link className={buttonClass('primary')} to={paths.withdrawal(id)}>
      View withdrawal
    </Link>
  );
}
