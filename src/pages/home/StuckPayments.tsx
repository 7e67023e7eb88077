import { Link } from 'react-router';
import { counted } from '#src/lib/count.ts';
import { ErrorLine } from '#src/list/ErrorLine.tsx';
import { StaleBar } from '#src/list/StaleBar.tsx';
import { UntrustedText } from '#src/ui/UntrustedText.tsx';
import { HowJudged } from './HowJudged.tsx';
import { Failed, HomeSection, Reading } from './HomeSection.tsx';
import { ReadOn } from './ReadOn.tsx';
import { LEAST_ROWS } from './statusHeuristic.ts';
import { StuckTable } from './StuckTable.tsx';
import type { HomeList } from './useHomeList.ts';
import { describeError } from '#src/api/errors.ts';

interface SitsLongProps {
  lists: readonly HomeList[];
  balancesRead: boolean;
}

/** Deposits and withdrawals that sit longer than their kind usually does, and how that is judged. */
export function StuckPayments({ lists, balancesRead }: SitsLongProps) {
  return (
    <HomeSection title="Sitting longer than usual">
      {lists.map((list) => (
        <OfList key={list.kind.noun.one} list={list} />
      ))}
      <HowJudged lists={lists} balancesRead={balancesRead} />
    </HomeSection>
  );
}

function OfList({ list }: { list: HomeList }) {
  const { kind, recent, error, notOffered, reading, readAgain } = list;
  const { many } = kind.noun;
  if (recent === null) {
    if (error === null) return <Reading what={many} />;
    if (!notOffered) return <Failed what={many} error={error} reading={reading} onRetry={readAgain} />;
    return (
      <p className="home-line sub">
        This service does not list {many} (it answered {describeError(error).status}), so none can be judged.{' '}
        <Link to={kind.list('')}>What was recorded here</Link>
      </p>
    );
  }
  return (
    <>
      {error !== null && <StaleBar error={error} readAt={recent.readAt} onReadAgain={readAgain} />}
      <Judged list={list} />
      {recent.reason !== null && (
        <p className="home-line">
          <UntrustedText value={recent.reason} />
        </p>
      )}
      <Older list={list} />
      <ReadOn list={list} />
    </>
  );
}

/** What kept the oldest rows from being read whole. */
function Older({ list: { kind, oldest, oldestError } }: { list: HomeList }) {
  const { many } = kind.noun;
  if (oldestError !== null) {
    return (
      <p className="home-line">
        Older {many} in a status that they pass through could not be read:{' '}
        <ErrorLine error={oldestError} max={160} copied={false} />
      </p>
    );
  }
  if (oldest === null || oldest.more.length === 0) return null;
  return (
    <p className="home-line">
      Of some statuses there are more {many} than the oldest that were read:{' '}
      {oldest.more.map((status, at) => (
        <span key={status}>
          {at > 0 && ', '}
          <UntrustedText value={status} max={40} />
        </span>
      ))}
      .
    </p>
  );
}

function Judged({ list: { kind, recent, judgement } }: { list: HomeList }) {
  if (recent === null || judgement === null) return null;
  const { one, many } = kind.noun;
  const { sitting, rows, unjudged } = judgement;
  if (rows === 0 && recent.rows.length === 0) return <p className="home-line sub">This account has no {many}.</p>;
  if (rows < LEAST_ROWS)
    return (
      <p className="home-line sub">
        {counted(rows, one, many)} with a usable time: too few to compare. <Link to={kind.list('')}>See them</Link>
      </p>
    );
  return (
    <>
      {sitting.length > 0 ? (
        <StuckTable kind={kind} sitting={sitting} />
      ) : (
        <p className="home-line sub">None of the {counted(rows, one, many)} read sits longer than the others did.</p>
      )}
      {unjudged > 0 && (
        <p className="home-line sub">
          {counted(unjudged, `${one} has`, `${many} have`)} nothing to be compared with: hardly any has moved on.
        </p>
      )}
      {rows < recent.rows.length && (
        <p className="home-line">
          {counted(recent.rows.length - rows, `${one} has`, `${many} have`)} no usable time and cannot be judged.
        </p>
      )}
      {recent.malformed > 0 && (
        <p className="home-line">{counted(recent.malformed, 'item has', 'items have')} no id and cannot be judged.</p>
      )}
    </>
  );
}
