import { type ReactNode } from 'react';
import { Link } from 'react-router';
import type { OperationState } from '#src/shared/operations/states.ts';
import type { EarlierSend } from '#src/shared/contract/gatewayContract.ts';
import type { ReceivedReview } from '#src/web/api/operations/operations.ts';
import type { OperationKind } from '#src/shared/operations/kind.ts';
import { KIND } from '#src/shared/operations/kinds.ts';
import { paths } from '#src/shared/paths.ts';
import { counted, numberWords } from '#src/shared/text.ts';
import { isPlausibleTime } from '#src/shared/time.ts';
import { Amount } from '#src/web/ui/Amount.tsx';
import { Check } from '#src/web/ui/Check.tsx';
import { Notice } from '#src/web/ui/Notice.tsx';
import { UntrustedText, ShortId } from '#src/web/ui/UntrustedText.tsx';
import { Time } from '#src/web/ui/Time.tsx';
import { useMonotonicNow } from '#src/web/ui/useNow.ts';
import { groupEarlier, hasFailed, sentAgo } from './earlierSends.ts';
import type { DuplicateCheck } from './useDuplicateCheck.ts';

/** The state of an operation that waits for approval by others. */
const WAITING: OperationState = 'awaiting';

export const CONFIRM_FIRST = 'Confirm above to continue.';

/** Why Send is disabled, if it is. */
export function confirmFirst({ repeats, isConfirmed }: DuplicateCheck): string | undefined {
  return repeats.length > 0 && !isConfirmed ? CONFIRM_FIRST : undefined;
}

interface SecondSendProps {
  kind: OperationKind;
  asset?: string | undefined;
  /** The recipient's name, or the short address. */
  to?: string;
  duplicates: DuplicateCheck;
  review: ReceivedReview;
}

/** Shows earlier sends to the same destination. A possible repeat needs a person's confirmation that it isn't one. */
export function SecondSend({ duplicates, ...props }: SecondSendProps) {
  const { repeats, isConfirmed, setConfirmed } = duplicates;
  const { kind, review } = props;
  if (review.of.length === 0) return null;
  const isRepeat = repeats.length > 0;
  const { lead, others, failed, unlisted } = groupEarlier(review.of, repeats);
  const list = (sends: readonly EarlierSend[]) => <EarlierList {...props} {...{ sends, lead, isRepeat }} />;
  return (
    <Notice tone={isRepeat ? 'open' : 'plain'} live title={<Title {...props} lead={lead} isRepeat={isRepeat} />}>
      {lead && hasFailed(lead) && 'It failed. '}
      {isRepeat ? 'Nothing new was recorded or sent.' : 'Different amount, so probably not a duplicate.'}
      {list([...(lead ? [lead] : []), ...unlisted])}
      <Folded summary={counted(others.length, 'earlier one', 'earlier ones')}>
        {others.length > 0 && list(others)}
      </Folded>
      <Folded summary={`${numberWords(failed.length)} failed`}>{failed.length > 0 && list(failed)}</Folded>
      {isRepeat && (
        <Check isChecked={isConfirmed} onChange={setConfirmed}>
          {KIND[kind].confirmAgainLabel}
        </Check>
      )}
    </Notice>
  );
}

type EarlierProps = Omit<SecondSendProps, 'duplicates'>;

interface TitleProps extends EarlierProps {
  lead: EarlierSend | null;
  isRepeat: boolean;
}

/** "You sent 12 USDT to Acme Hosting 4 seconds ago." */
function Title({ kind, asset, to, review, lead, isRepeat }: TitleProps) {
  const { pays, doneBefore, doneElsewhere } = KIND[kind];
  if (lead === null) {
    const isElsewhere = review.of.some(({ source }) => source === 'others');
    return isElsewhere ? doneElsewhere : 'The database was restored from an older copy.';
  }
  const { amount, createdAt } = lead;
  const when = isPlausibleTime(createdAt) ? <Age unix={createdAt} review={review} /> : 'before';
  if (!pays || amount === null || to === undefined)
    return (
      <>
        {doneBefore} {when}.
      </>
    );
  const figure = <Amount value={amount} asset={asset} flow />;
  const name = <UntrustedText value={to} max={120} />;
  if (lead.status === WAITING)
    return (
      <>
        {figure} to {name} waits for approval, prepared {when}.
      </>
    );
  return isRepeat ? (
    <>
      You sent {figure} to {name} {when}.
    </>
  ) : (
    <>
      You paid {name} {figure} {when}.
    </>
  );
}

function Folded({ summary, children }: { summary: string; children: ReactNode }) {
  if (children === false) return null;
  return (
    <details className="pb-2">
      <summary>{summary}</summary>
      {children}
    </details>
  );
}

interface EarlierListProps extends EarlierProps {
  sends: readonly EarlierSend[];
  /** Named in the title. */
  lead: EarlierSend | null;
  isRepeat: boolean;
}

function EarlierList({ sends, lead, isRepeat, ...props }: EarlierListProps) {
  return (
    <ul className="grid gap-1 py-2">
      {sends.map((same) => (
        <li key={same.id} className={`border-l-3 pl-3 ${isRepeat ? 'border-open-rule' : 'border-rule-strong'}`}>
          <Earlier {...props} same={same} isInTitle={same === lead} />
        </li>
      ))}
    </ul>
  );
}

function Earlier({ kind, same, isInTitle, asset, review }: EarlierProps & { same: EarlierSend; isInTitle: boolean }) {
  if (same.source === 'set-back')
    return <>Newer records are missing. Check with the provider that this wasn’t sent already.</>;
  if (same.source === 'others') return <>{elsewhereText(kind, same.count ?? 1)}</>;
  const isRecorded = same.source === 'journal';
  return (
    <>
      {!isInTitle && <AmountAndAge {...{ kind, same, asset, review }} />}
      {isInTitle && same.createdAt !== null && (
        <>
          <Time unix={same.createdAt} />,{' '}
        </>
      )}
      {isRecorded ? 'recorded here: ' : 'listed by the provider: '}
      <UntrustedText
        value={same.status === WAITING ? 'waits for approval' : (same.status ?? 'no status')}
        max={60}
      />,{' '}
      <Link
        to={isRecorded ? paths.operation(same.id) : paths.withdrawal(same.id)}
        target="_blank"
        rel="noopener noreferrer"
      >
        <ShortId value={same.id} />
      </Link>
    </>
  );
}

function AmountAndAge({ kind, same: { amount, createdAt }, asset, review }: EarlierProps & { same: EarlierSend }) {
  return (
    <>
      {amount !== null && <Amount value={amount} asset={asset} flow />}
      {amount === null && KIND[kind].pays && 'An amount that cannot be read'}
      {createdAt !== null && <When unix={createdAt} review={review} />},{' '}
    </>
  );
}

/** Only the number of payments, because they may be another merchant's. */
function elsewhereText(kind: OperationKind, count: number): string {
  const { pays, one, many } = KIND[kind];
  const single = count === 1;
  const what = pays ? (single ? 'payment' : 'payments') : single ? one : many;
  const likeness = pays ? `${single ? 'goes' : 'go'} to the same recipient` : `${single ? 'is' : 'are'} the same`;
  return `${count} ${what} from another account or API key of this server ${likeness}; details aren’t shown.`;
}

function When({ unix, review }: { unix: number; review: ReceivedReview }) {
  return (
    <>
      {' '}
      {isPlausibleTime(unix) && <Age unix={unix} review={review} />} (<Time unix={unix} />)
    </>
  );
}

/** Calculated by the server's clock, because the device's may be wrong. */
function Age({ unix, review }: { unix: number; review: ReceivedReview }) {
  const passed = Math.max(0, useMonotonicNow(10) - review.receivedMs);
  return <>{sentAgo(unix, review.now / 1000, (review.now + passed) / 1000)}</>;
}
