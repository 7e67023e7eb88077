import { RefreshCw } from 'lucide-react';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { Link, useNavigate } from 'react-router';
import type { OperationView } from '#src/shared/contract/gatewayContract.ts';
import type { Action } from '#src/shared/operations/states.ts';
import { type ReceivedView, actionErrorMessage } from '#src/web/api/operations/operations.ts';
import { type Act, useOperationActions } from '#src/web/api/operations/useOperations.ts';
import { useSession } from '#src/web/api/session.ts';
import { useNote } from '#src/web/report/PaymentNote.tsx';
import { locationState } from '#src/web/storage/locationState.ts';
import { COMPARED, START_PATHS } from '#src/shared/operations/kind.ts';
import { KIND } from '#src/shared/operations/kinds.ts';
import { chipOf } from '#src/shared/operations/stateMark.ts';
import { type Operation, knownResultId, withdrawalIdOf } from '#src/shared/operations/record.ts';
import { paths } from '#src/shared/paths.ts';
import { HandledMark } from '#src/web/list/HandledMark.tsx';
import { announce } from '#src/web/ui/announce.tsx';
import { Button, buttonClass } from '#src/web/ui/Button.tsx';
import { found } from './Attempts.tsx';
import { CloseByHand, ConfirmNotSent } from './EndDialogs.tsx';
import { useCarriedClock } from './StatusBlock.tsx';

interface ActionsProps {
  seen: ReceivedView;
  /** The payment's status as read since; undefined: it was not. */
  payment: string | null | undefined;
  /** Nothing needs a person: no button stands out. */
  calm: boolean;
}

export function Actions({ seen, payment, calm }: ActionsProps) {
  const { operation: record } = seen;
  const size = calm ? 'small' : undefined;
  const failed = record.state === 'succeeded' && chipOf(record, false, payment).tone === 'alarm';
  const paidBy = failed ? knownResultId(record) : null;
  const act = useOperationActions(seen);
  useCheckOnce(seen, act.check);
  const [said, setSaid] = useState<string | null>(null);
  /** The newest check when a person asked for another: what that brings is said where they asked. */
  const [before, setBefore] = useState<number | null>(null);
  const newest = seen.checks.at(-1);
  const isNews =
    before !== null &&
    newest !== undefined &&
    newest.at !== before &&
    (newest.found === 'nothing' || record.state === 'unconfirmed');
  const words = said ?? (isNews ? found(newest, seen) : null);
  const may = new Set(seen.allowed);
  const callbacks = { onSuccess: () => setSaid(null), onError: (error: Error) => setSaid(actionErrorMessage(error)) };
  const wait = act.send.isPending || act.discard.isPending ? 'This is under way.' : undefined;
  const send = () => {
    // What a check found before says nothing of what is sent now.
    setBefore(null);
    act.send.mutate(undefined, callbacks);
  };
  const again = (
    <>
      <StartAgainButtons record={record} may={may} failed={failed} size={size} />
      {paidBy !== null && <HandledMark subject={{ kind: 'withdrawal', id: paidBy }} big />}
    </>
  );
  return (
    <>
      <div className={calm ? 'acts-row ml-auto narrow:ml-0' : 'acts-row'} tabIndex={-1} data-takes-focus>
        {may.has('send') && (
          <Button variant="primary" disabledReason={seen.disabled['send'] ?? wait} onClick={send}>
            {KIND[record.kind].send}
          </Button>
        )}
        {may.has('discard') && (
          <Button
            disabledReason={seen.disabled['discard'] ?? wait}
            onClick={() => act.discard.mutate(undefined, callbacks)}
          >
            Discard
          </Button>
        )}
        {failed && again}
        {record.state === 'succeeded' && <ViewWithdrawal seen={seen} size={size} />}
        {may.has('check') && (
          <Button
            variant={record.state === 'unconfirmed' ? 'primary' : 'plain'}
            {...(size && { size })}
            icon={<RefreshCw className={size && 'icon-s'} aria-hidden />}
            disabledReason={act.check.isPending ? 'Checking' : seen.disabled['check']}
            // It also checks by itself: nobody's press may meet a button that moves then.
            reasonHidden={act.check.isPending}
            onClick={() => {
              setBefore(newest?.at ?? 0);
              act.check.mutate(undefined, callbacks);
            }}
          >
            Check now
          </Button>
        )}
        {may.has('resend') && <Resend seen={seen} wait={wait} onResend={send} />}
        {may.has('confirm-not-sent') && <ConfirmNotSent seen={seen} confirmNotSent={act.confirmNotSent} />}
        {may.has('close') && (
          <CloseByHand close={act.close} disabledReason={seen.disabled['close'] ?? wait}>
            {KIND[record.kind].closeFrees}
          </CloseByHand>
        )}
        {!failed && again}
      </div>
      {record.state === 'unconfirmed' && <p className="small sub">{explained(seen)}</p>}
      <output className={words === null ? 'vh' : said === null ? 'small' : 'msg msg-alarm'}>{words}</output>
    </>
  );
}

function explained({ allowed, expired }: OperationView): string {
  const words: string[] = [];
  if (allowed.includes('check')) words.push('Check only looks.');
  if (allowed.includes('resend') && !expired) {
    words.push('Resend repeats exactly the same request, so the provider processes it at most once.');
  }
  if (allowed.includes('confirm-not-sent')) {
    words.push('Confirm not sent ends it for good, where the provider’s complete list doesn’t have it.');
  }
  if (allowed.includes('close')) words.push('Closing only updates this record. The provider isn’t contacted.');
  return words.join(' ');
}

function Resend({ seen, wait, onResend }: { seen: ReceivedView; wait: string | undefined; onResend: () => void }) {
  const { read_only: readOnly } = useSession();
  const { now } = useCarriedClock(seen);
  const reason = seen.disabled['resend'];
  const left = seen.asleepUntil === null ? 0 : Math.ceil((seen.asleepUntil - now) / 1000);
  const wasOff = useRef(false);
  useEffect(() => {
    if (wasOff.current && reason === undefined) announce('You can resend now.');
    wasOff.current = reason !== undefined;
  }, [reason]);
  const countdown =
    left > 0 && !seen.expired && !readOnly ? ` ${seen.waiting ? 'In' : 'You can resend in'} ${left} s.` : '';
  const off = reason === undefined ? wait : reason + countdown;
  return (
    <Button disabledReason={off} reasonHidden={reason === undefined} onClick={onResend}>
      Resend
    </Button>
  );
}

function ViewWithdrawal({ seen: { operation }, size }: { seen: ReceivedView; size: 'small' | undefined }) {
  const id = withdrawalIdOf(operation);
  if (id === null) return null;
  return (
    <Link className={buttonClass('plain', size)} to={paths.withdrawal(id)}>
      View withdrawal
    </Link>
  );
}

/** What this page load has looked up by itself: an operation, after so many attempts. */
const checked = new Set<string>();

/** Looks an unconfirmed withdrawal up, by reads only, once per page and attempt; so one that is accepted and not yet confirmed in every field. */
function useCheckOnce({ operation, allowed, underWay, waiting }: ReceivedView, check: Act): void {
  const { key, state, attempts, result } = operation;
  const isPartly = state === 'succeeded' && (result?.confirmed.length ?? 0) < COMPARED.length;
  const isWanted =
    allowed.includes('check') && (state === 'unconfirmed' || isPartly) && !underWay && !waiting && !check.isPending;
  const mark = `${attempts.length} ${key}`;
  const checkNow = useEffectEvent(() => check.mutate());
  useEffect(() => {
    if (!isWanted || checked.has(mark)) return;
    checked.add(mark);
    checkNow();
  }, [isWanted, mark]);
}

interface StartAgainProps {
  record: Operation;
  may: Set<Action>;
  failed: boolean;
  size: 'small' | undefined;
}

/** Ways to a new form: each mounts with a key of its own, and this operation stays as it is. */
function StartAgainButtons({ record, may, failed, size }: StartAgainProps) {
  const navigate = useNavigate();
  const { one, formOf } = KIND[record.kind];
  const from = { kind: 'operation' as const, id: record.key };
  const paid = withdrawalIdOf(record);
  const { item } = useNote(paid === null ? from : { kind: 'withdrawal', id: paid }, from);
  const noted = record.kind === 'withdrawal' && item ? { reference: item.value.reference } : {};
  const open = (prefill: boolean) => {
    const values = prefill ? { ...formOf(record), ...noted } : null;
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
  const again = failed || record.state !== 'succeeded';
  return (
    <Button {...(size && { size })} variant={failed ? 'primary' : 'plain'} onClick={() => void open(again)}>
      {failed ? 'Send again' : again ? 'Start again' : 'Start another'}
    </Button>
  );
}
