import { useId } from 'react';
import { Link } from 'react-router';
import type { EarlierSend } from '#src/shared/contract/gatewayContract.ts';
import type { ReceivedReview } from '#src/web/api/operations/operations.ts';
import type { OperationKind } from '#src/shared/operations/kind.ts';
import { KIND } from '#src/shared/operations/kinds.ts';
import { paths } from '#src/shared/paths.ts';
import { ageInWords, isPlausibleTime } from '#src/shared/time.ts';
import { Amount } from '#src/web/ui/Amount.tsx';
import { Notice } from '#src/web/ui/Notice.tsx';
import { UntrustedText, ShortId } from '#src/web/ui/UntrustedText.tsx';
import { Time } from '#src/web/ui/Time.tsx';
import { useMonotonicNow } from '#src/web/ui/useNow.ts';
import type { DuplicateCheck } from './useDuplicateCheck.ts';

export const CONFIRM_FIRST = 'Confirm above to continue.';

/** Why Send is disabled, if it is. */
export function confirmFirst({ repeats, isConfirmed }: DuplicateCheck): string | undefined {
  return repeats.length > 0 && !isConfirmed ? CONFIRM_FIRST : undefined;
}

interface SecondSendProps {
  kind: OperationKind;
  asset?: string;
  duplicates: DuplicateCheck;
  review: ReceivedReview;
}

/** Shows earlier sends to the same destination. A possible repeat needs a person's confirmation that it isn't one. */
export function SecondSend({ kind, asset, duplicates, review }: SecondSendProps) {
  const { repeats, isConfirmed, setConfirmed } = duplicates;
  const id = useId();
  const { of } = review;
  if (of.length === 0) return null;
  const isRepeat = repeats.length > 0;
  return (
    <Notice tone={isRepeat ? 'open' : 'plain'} live title={titleOf(kind, isRepeat ? repeats : of)}>
      {isRepeat ? 'Nothing new was recorded or sent.' : 'It was for another amount, so this isn’t a repeat of it.'}
      <ul className="grid gap-1 py-2">
        {of.map((same) => (
          <li key={same.id} className={`border-l-3 pl-3 ${isRepeat ? 'border-open-rule' : 'border-rule-strong'}`}>
            <Earlier kind={kind} same={same} asset={asset} review={review} />
          </li>
        ))}
      </ul>
      {isRepeat && (
        <label className="check" htmlFor={id}>
          <input
            id={id}
            type="checkbox"
            checked={isConfirmed}
            onChange={({ target }) => setConfirmed(target.checked)}
          />
          <span>{KIND[kind].meantAgain}</span>
        </label>
      )}
    </Notice>
  );
}

function titleOf(kind: OperationKind, of: readonly EarlierSend[]): string {
  const { doneBefore, doneElsewhere } = KIND[kind];
  if (of.some(({ source }) => source === 'journal' || source === 'service')) return doneBefore;
  return of.some(({ source }) => source === 'others') ? doneElsewhere : 'The database was restored from an older copy.';
}

interface EarlierProps {
  kind: OperationKind;
  same: EarlierSend;
  asset: string | undefined;
  review: ReceivedReview;
}

function Earlier({ kind, same, asset, review }: EarlierProps) {
  if (same.source === 'set-back')
    return <>Newer records are missing. Check with the provider that this wasn’t sent already.</>;
  if (same.source === 'others') return <>{elsewhereText(kind, same.count ?? 1)}</>;
  const isRecorded = same.source === 'journal';
  return (
    <>
      {same.amount !== null && <Amount value={same.amount} asset={asset} flow />}
      {same.amount === null && KIND[kind].pays && 'An amount that cannot be read'}
      {same.createdAt !== null && <When unix={same.createdAt} review={review} />},{' '}
      {isRecorded ? 'recorded here: ' : 'listed by the provider: '}
      <UntrustedText value={same.status ?? 'no status'} max={60} />,{' '}
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

/** Only the count, as they may be another merchant's. */
function elsewhereText(kind: OperationKind, count: number): string {
  const { pays, one, many } = KIND[kind];
  const single = count === 1;
  const what = pays ? (single ? 'payment' : 'payments') : single ? one : many;
  const likeness = pays ? `${single ? 'goes' : 'go'} to the same destination` : `${single ? 'is' : 'are'} the same`;
  return `${count} ${what} from another account or API key of this server ${likeness}; details aren’t shown.`;
}

/** By the server's clock, as the device's may be wrong. */
function When({ unix, review }: { unix: number; review: ReceivedReview }) {
  const passed = Math.max(0, useMonotonicNow(10) - review.heard);
  const now = (review.now + passed) / 1000;
  return (
    <>
      {' '}
      {isPlausibleTime(unix) && <b>{ageInWords(unix, now)}</b>} (<Time unix={unix} />)
    </>
  );
}
