import { useStopResending } from '#src/web/api/approvals.ts';
import { useCan } from '#src/web/api/permissions.ts';
import { RefreshCw } from 'lucide-react';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { Link, useNavigate } from 'react-router';
import type { OperationView } from '#src/shared/contract/gatewayContract.ts';
import { type ReceivedView, actionErrorMessage } from '#src/web/api/operations/operations.ts';
import { type OperationCommand, useOperationCommands } from '#src/web/api/operations/useOperations.ts';
import { useNote } from '#src/web/report/PaymentNote.tsx';
import { locationState } from '#src/web/storage/locationState.ts';
import { COMPARED, START_PATHS } from '#src/shared/operations/kind.ts';
import { KIND } from '#src/shared/operations/kinds.ts';
import { declinedOf } from '#src/shared/operations/declined.ts';
import { stateMarkOf, needsApproval } from '#src/shared/operations/stateMark.ts';
import { knownResultId, withdrawalIdOf } from '#src/shared/operations/record.ts';
import { paths } from '#src/shared/paths.ts';
import { HandledMark } from '#src/web/list/HandledMark.tsx';
import { announce } from '#src/web/ui/announce.tsx';
import { Button, buttonClass } from '#src/web/ui/Button.tsx';
import { checkResultText } from './AttemptList.tsx';
import { CloseByHand, ConfirmNotSent, StopResending } from './EndDialogs.tsx';
import { useCarriedClock } from './StatusBlock.tsx';

interface ActionsProps {
  view: ReceivedView;
  /** The payment's current status; undefined until it has been loaded. */
  payment: string | null | undefined;
  /** No one has to act, so no button is emphasised. */
  calm: boolean;
}

export function Actions({ view, payment, calm }: ActionsProps) {
  const { operation: record } = view;
  const size = calm ? 'small' : undefined;
  const failed = record.state === 'succeeded' && stateMarkOf(record, { payment }).tone === 'alarm';
  const paidBy = failed ? knownResultId(record) : null;
  const { amount, asset } = KIND[record.kind].aboutOf(record);
  const commands = useOperationCommands(view);
  useCheckOnce(view, commands.check);
  const [errorMessage, setErrorMessage] = useState<string | null>(null);
  /** Time of the newest check before "Check now" was pressed. The result of a later check is shown beside the button. */
  const [checkedBefore, setCheckedBefore] = useState<number | null>(null);
  const newest = view.checks.at(-1);
  const isNews =
    checkedBefore !== null &&
    newest !== undefined &&
    newest.at !== checkedBefore &&
    (newest.found === 'nothing' || record.state === 'unconfirmed');
  const message = errorMessage ?? (isNews ? checkResultText(newest, view) : null);
  const may = new Set(view.allowed);
  const stop = useStopResending(record.key);
  const canApprove = useCan('approve');
  const callbacks = {
    onSuccess: () => setErrorMessage(null),
    onError: (error: Error) => setErrorMessage(actionErrorMessage(error)),
  };
  const wait = commands.send.isPending || commands.discard.isPending ? 'This is under way.' : undefined;
  const send = () => {
    // An earlier check result says nothing about this attempt.
    setCheckedBefore(null);
    commands.send.mutate(undefined, callbacks);
  };
  const again = (
    <>
      <StartAgainButtons view={view} failed={failed} size={size} />
      {paidBy !== null && (
        <HandledMark subject={{ kind: 'withdrawal', id: paidBy }} amount={amount} asset={asset} big />
      )}
    </>
  );
  return (
    <>
      <div
        className={calm ? 'acts-row ml-auto narrow:ml-0' : 'acts-row'}
        role="group"
        aria-label="Actions"
        tabIndex={-1}
        data-takes-focus
      >
        {may.has('send') && (
          <Button variant="primary" disabledReason={view.disabled['send'] ?? wait} onClick={send}>
            {KIND[record.kind].send}
          </Button>
        )}
        {may.has('discard') && (
          <Button
            disabledReason={view.disabled['discard'] ?? wait}
            onClick={() => commands.discard.mutate(undefined, callbacks)}
          >
            Discard
          </Button>
        )}
        {failed && again}
        {record.state === 'succeeded' && <ViewResult view={view} size={size} />}
        {may.has('check') && (
          <CheckNow
            view={view}
            isChecking={commands.check.isPending}
            size={size}
            onCheck={() => {
              setCheckedBefore(newest?.at ?? 0);
              commands.check.mutate(undefined, callbacks);
            }}
          />
        )}
        {may.has('resend') && <Resend view={view} wait={wait} onResend={send} />}
        {may.has('confirm-not-sent') && <ConfirmNotSent view={view} confirmNotSent={commands.confirmNotSent} />}
        {may.has('resend') && record.signed && canApprove && <StopResending stop={stop} />}
        {may.has('close') && (
          <CloseByHand close={commands.close} disabledReason={view.disabled['close'] ?? wait}>
            {KIND[record.kind].afterManualClose}
          </CloseByHand>
        )}
        {!failed && again}
      </div>
      {record.state === 'unconfirmed' && <p className="small sub">{actionsHelp(view)}</p>}
      <output className={message === null ? 'vh' : errorMessage === null ? 'small' : 'msg msg-alarm'}>{message}</output>
    </>
  );
}

interface CheckNowProps {
  view: ReceivedView;
  isChecking: boolean;
  size: 'small' | undefined;
  onCheck: () => void;
}

function CheckNow({ view, isChecking, size, onCheck }: CheckNowProps) {
  return (
    <Button
      variant={view.operation.state === 'unconfirmed' ? 'primary' : 'plain'}
      {...(size && { size })}
      icon={<RefreshCw className={size && 'icon-s'} aria-hidden />}
      disabledReason={isChecking ? 'Checking' : view.disabled['check']}
      // The page also checks by itself; a visible reason would then move the buttons under the pointer.
      reasonHidden={isChecking}
      onClick={onCheck}
    >
      Check now
    </Button>
  );
}

function actionsHelp({ operation, allowed, expired }: OperationView): string {
  const { one, pays } = KIND[operation.kind];
  const words: string[] = [];
  if (allowed.includes('check')) words.push('Check reads the provider’s list.');
  if (allowed.includes('resend') && !expired)
    words.push(`Resend repeats the same request and can’t ${pays ? 'pay twice' : `create a second ${one}`}.`);
  if (allowed.includes('confirm-not-sent')) {
    words.push('Confirm not sent ends it for good, where the provider’s complete list doesn’t have it.');
  }
  if (allowed.includes('close')) words.push('Close only changes this record.');
  return words.join(' ');
}

function Resend({ view, wait, onResend }: { view: ReceivedView; wait: string | undefined; onResend: () => void }) {
  const canSend = useCan('send');
  const { now } = useCarriedClock(view);
  const reason = view.disabled['resend'];
  const left = view.asleepUntil === null ? 0 : Math.ceil((view.asleepUntil - now) / 1000);
  const wasDisabled = useRef(false);
  useEffect(() => {
    if (wasDisabled.current && reason === undefined) announce('You can resend now.');
    wasDisabled.current = reason !== undefined;
  }, [reason]);
  const countdown =
    left > 0 && !view.expired && canSend ? ` ${view.waiting ? 'In' : 'You can resend in'} ${left} s.` : '';
  const disabledReason = reason === undefined ? wait : reason + countdown;
  return (
    <Button disabledReason={disabledReason} reasonHidden={reason === undefined} onClick={onResend}>
      Resend
    </Button>
  );
}

function ViewResult({ view: { operation }, size }: { view: ReceivedView; size: 'small' | undefined }) {
  const id = withdrawalIdOf(operation);
  const isAddress = operation.kind === 'deposit-address';
  if (id === null && !isAddress) return null;
  return (
    <Link className={buttonClass('plain', size)} to={id === null ? paths.address(operation.key) : paths.withdrawal(id)}>
      {isAddress ? 'View address' : 'View withdrawal'}
    </Link>
  );
}

/** The automatic checks made since the page was loaded, as "number of attempts, key". */
const checked = new Set<string>();

/** Checks once per page load and attempt, by reads only: unconfirmed operations, and accepted ones with unconfirmed fields. */
function useCheckOnce({ operation, allowed, underWay, waiting }: ReceivedView, check: OperationCommand): void {
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
  view: OperationView;
  failed: boolean;
  size: 'small' | undefined;
}

/** Links to a new form with its own key. This operation stays unchanged. */
function StartAgainButtons({ view, failed, size }: StartAgainProps) {
  const { operation: record, allowed, disabled } = view;
  const navigate = useNavigate();
  const { one, formOf } = KIND[record.kind];
  const from = { kind: 'operation' as const, id: record.key };
  const paid = withdrawalIdOf(record);
  const { item } = useNote(paid === null ? from : { kind: 'withdrawal', id: paid }, from);
  const noted = record.kind === 'withdrawal' && item ? { reference: item.value.reference } : {};
  const open = (prefill: boolean) => {
    const values = prefill ? { ...formOf(record), ...noted } : null;
    const ended = declinedOf(record);
    const declined = ended && { how: ended.how + ended.by, words: ended.words };
    const state = values && locationState({ prefill: values, ...(declined && { declined }) });
    return navigate(START_PATHS[record.kind], state ? { state } : {});
  };
  if (allowed.includes('edit-as-new')) {
    return (
      <Button variant="primary" disabledReason={disabled['edit-as-new']} onClick={() => void open(true)}>
        Edit as a new {one}
      </Button>
    );
  }
  if (!allowed.includes('start-another')) return null;
  const again = failed || record.state !== 'succeeded';
  return (
    <Button
      {...(size && { size })}
      variant={failed ? 'primary' : 'plain'}
      disabledReason={disabled['start-another']}
      onClick={() => void open(again)}
    >
      {failed ? 'Send again' : !again ? 'Start another' : needsApproval(record) ? 'Prepare again' : 'Start again'}
    </Button>
  );
}
