import { Download, LockKeyhole, RefreshCw } from 'lucide-react';
import { Link, useSearchParams } from 'react-router';
import { useRefusal } from '#src/web/api/permissions.ts';
import { type Session, useSession } from '#src/web/api/session.ts';
import { byWhom, NOBODY } from '#src/shared/author.ts';
import type { ClosedPeriod } from '#src/shared/contract/statementContract.ts';
import { useTeam } from '#src/web/api/team.ts';
import type { TeamItem } from '#src/shared/contract/teamContract.ts';
import { isZero } from '#src/shared/amount.ts';
import { numberWords } from '#src/shared/text.ts';
import { paths } from '#src/shared/paths.ts';
import { readText, withParams } from '#src/shared/searchParams.ts';
import { shortDayWords, formatClock, span, type Zone, zoneName } from '#src/shared/time.ts';
import { StillLoading } from '#src/web/list/StillLoading.tsx';
import { Button } from '#src/web/ui/Button.tsx';
import { Chip } from '#src/web/ui/Chip.tsx';
import { ErrorNotice, IgnoredInLink } from '#src/web/list/ErrorNotice.tsx';
import { PageFrame, PageHeader } from '#src/web/ui/PageHeader.tsx';
import { deferred } from '#src/web/ui/useLoaded.ts';
import { Time, useZone, ZoneContext } from '#src/web/ui/Time.tsx';
import { useNow } from '#src/web/ui/useNow.ts';
import { AssetStatement } from './AssetStatement.tsx';
import { ClosedPeriods, downloadPeriod, PeriodControl } from './Periods.tsx';
import type { ShownMonth, ShownSum } from '#src/shared/contract/monthJobContract.ts';
import { NOUNS } from '#src/shared/statement/periodRows.ts';
import { PreparedNote } from './PreparedNote.tsx';
import { SumsTable, TotalsTable } from './SumsTable.tsx';
import { type MonthClose, useMonthClose } from './useMonthClose.ts';
import './month-close.css';
import { seriesZone } from '#src/shared/statement/seriesZone.ts';
import {
  type Bounds,
  monthOf,
  nextPeriod,
  nextToClose,
  periodIn,
  periodName,
  searchOf,
} from '#src/shared/statement/period.ts';

// Not on the first screen.
const below = () => import('./Findings.tsx');
const Limits = deferred(() => below().then((read) => read.Limits));
const Findings = deferred(() => below().then((read) => read.Findings));
const CloseDialog = deferred(() => below().then((read) => read.CloseDialog));
const OvertakenDialog = deferred(() => below().then((read) => read.OvertakenDialog));

export function Component() {
  const session = useSession();
  const { data, error, refetch } = useTeam('closed-periods');
  if (data) {
    const closed = data.items.toSorted((a, b) => a.value.number - b.value.number);
    return (
      <ZoneContext value={seriesZone(closed.map(({ value }) => value))}>
        <MonthView key={session.account} session={session} closed={closed} />
      </ZoneContext>
    );
  }
  return (
    <PageFrame title="Month close">
      <Failed error={error} heading="Closed periods couldn’t be loaded" onRetry={() => void refetch()} />
    </PageFrame>
  );
}

function Failed({ error, ...of }: { error: unknown; heading: string; onRetry?: () => void }) {
  return error !== null && <ErrorNotice {...of} error={error} />;
}

function MonthView({ session, closed }: { session: Session; closed: readonly TeamItem<ClosedPeriod>[] }) {
  const zone = useZone();
  const now = useNow(60);
  const [search, setSearch] = useSearchParams();
  const named = periodIn(search);
  const bounds = named ?? monthOf(now, zone, 1);
  const ignored = named ? [] : [...search].filter(([name]) => name.startsWith('created_'));
  const periods = closed.map(({ value }) => value);
  const refusal = useRefusal('close-month');
  const close = useMonthClose({ session, closed: periods, bounds });
  const { closedPeriod, month, ready, error } = close;
  const name = closedPeriod?.name ?? periodName(bounds, zone);
  const item = closed.find(({ value }) => value === closedPeriod);
  return (
    <>
      <PageHeader
        title="Month close"
        asOf={month ? `As of ${formatClock(month.asOf, zone).slice(0, 5)} ${zoneName(zone)}` : '\u00a0'}
        actions={
          <>
            <Button icon={<RefreshCw aria-hidden />} onClick={close.load}>
              Refresh
            </Button>
            <Button
              variant="primary"
              icon={closedPeriod ? <Download aria-hidden /> : <LockKeyhole aria-hidden />}
              disabledReason={closedPeriod ? undefined : whyNot(refusal, close, { bounds, closed: periods, zone })}
              onClick={() => (closedPeriod ? downloadPeriod(closedPeriod) : close.prepare())}
            >
              {closedPeriod ? 'Download ZIP' : 'Close period'}
            </Button>
          </>
        }
      />
      <div className="page-body">
        <div className="flex flex-wrap items-center gap-3 px-gutter pb-2">
          <PeriodControl
            bounds={bounds}
            closed={periods}
            onChange={(next) => setSearch(withParams(searchOf(next), { asset: readText(search, 'asset') }))}
          />
          {item && (
            <Chip tone="proof" icon={<LockKeyhole aria-hidden />}>
              Closed{byWhom(item)} <Time unix={item.created_at} />
            </Chip>
          )}
          {/* On phones the progress replaces the note, so that nothing moves. */}
          <div className="contents narrow:grid narrow:basis-full narrow:items-center narrow:*:[grid-area:1/1]">
            <ProgressLine close={close} />
            <p className={`small sub basis-full ${hasProgress(close) ? 'narrow:invisible' : ''}`}>
              Periods and times on this page are in {zoneName(zone)}, the same for everybody on this account.
            </p>
          </div>
        </div>
        <IgnoredInLink ignored={ignored.map((parts) => parts.join('='))} />
        {close.preparedAt !== null && <PreparedNote at={close.preparedAt} now={now} />}
        <Before closed={periods} bounds={bounds} />
        {month === null && <Failed error={error} heading={`${name} couldn’t be loaded`} onRetry={close.load} />}
        {month && <MonthSums close={close} month={month} name={name} bounds={bounds} closed={periods} />}
        <ClosedPeriods closed={closed} />
      </div>
      <CloseDialog
        name={name}
        number={periods.length + 1}
        ready={ready}
        saving={close.running}
        error={error}
        onClose={(rates) => close.close(name, rates)}
        onStay={close.leaveDialog}
      />
      <OvertakenDialog
        period={close.overtakenBy}
        by={closed.find(({ value }) => value === close.overtakenBy) ?? NOBODY}
        isOwn={close.overtakenBy === closedPeriod}
        onDismiss={close.dismissOvertaken}
      />
    </>
  );
}

interface MonthSumsProps {
  close: MonthClose;
  month: ShownMonth;
  name: string;
  bounds: Bounds;
  closed: readonly ClosedPeriod[];
}

/** The sums of all assets, and the statement of one, which the URL names. */
export function MonthSums({ close, month, name, bounds, closed }: MonthSumsProps) {
  const zone = useZone();
  const [search, setSearch] = useSearchParams();
  const { closedPeriod, ready, error } = close;
  const { sums } = month;
  const isOpen = bounds.to > month.asOf;
  const chosen = readText(search, 'asset');
  // An asset with adjustments stays selected even if finding them has made its sum agree.
  const isOfInterest = ({ verdict, adjustments }: ShownSum) => verdict !== 'agrees' || !isZero(adjustments);
  const asset = sums?.find((sum) => sum.asset === chosen) ?? sums?.find(isOfInterest) ?? sums?.[0];
  const totals = closedPeriod?.totals ?? month.totals;
  return (
    <>
      {sums && sums.length > 0 ? (
        <SumsTable
          sums={sums}
          chosen={asset?.asset ?? null}
          onChoose={(next) => setSearch(withParams(search, { asset: next }))}
          isOpen={isOpen}
        />
      ) : totals.length > 0 ? (
        <TotalsTable totals={totals} bounds={bounds} />
      ) : (
        // Limits says what was left out.
        month.malformed + month.unplaced.count === 0 && (
          <p className="px-gutter py-3">
            No payments{sums && ', ledger entries or balances'} up to the end of {name}.
          </p>
        )
      )}
      <div className="pad grid max-w-248 grid-cols-1 gap-4">
        {error !== null && ready === null && <ErrorNotice error={error} heading="Couldn’t finish" />}
        <Limits month={month} />
        <Findings close={close} isFirst={closed.length === 0} />
        {/* The selected asset on screen, all assets on paper. */}
        {sums?.map((sum) => (
          <div key={sum.asset} className={sum === asset ? undefined : 'print-only'}>
            <AssetStatement
              sum={sum}
              bounds={bounds}
              totals={totals}
              hasNoWithdrawalList={month.rows.withdrawals === null}
              isClosed={closedPeriod !== null}
              isOpen={isOpen}
              late={lateOf(close, sum.asset, nextToClose(closed, bounds, zone))}
            />
          </div>
        ))}
      </div>
    </>
  );
}

function lateOf({ closedPeriod, lateRows }: MonthClose, asset: string, next: string) {
  if (!closedPeriod || !lateRows) return null;
  const moves = lateRows.moves.find((each) => each.asset === asset);
  return moves ? { moves, next } : null;
}

function whyNot(
  refusal: string | undefined,
  { month, running, isCurrent }: MonthClose,
  { bounds: { from, to }, closed, zone }: { bounds: Bounds; closed: readonly ClosedPeriod[]; zone: Zone },
): string | undefined {
  if (refusal !== undefined) return refusal;
  if (running) return 'Loading';
  // A reload that failed or was stopped leaves the month as it was before a colleague closed another one.
  if (month === null || !isCurrent) return 'Not loaded';
  if (to > month.asOf) return `Closes on ${shortDayWords(to, zone, month.asOf)}`;
  if (closed.some((period) => from < period.to && to > period.from)) return 'Already closed, at least in part';
  const last = closed.at(-1);
  if (last === undefined || from === last.to) return undefined;
  return from < last.to ? 'Before the first closed period' : 'An earlier period comes first';
}

/** Shows the last closed period. Periods are closed in sequence, without gaps. */
function Before({ closed, bounds }: { closed: readonly ClosedPeriod[]; bounds: Bounds }) {
  const zone = useZone();
  const last = closed.at(-1);
  if (!last || bounds.from <= last.to) return null;
  const next = nextPeriod(last, zone);
  return (
    <p className="small sub px-gutter pb-2">
      Closed up to <Time unix={last.to} />. Next to close:{' '}
      <Link to={`${paths.monthClose}?${searchOf(next)}`}>{periodName(next, zone)}</Link>
    </p>
  );
}

const DOING = {
  reading: 'Loading',
  finding: 'Searching',
  checking: 'Checking everything before the period',
  closing: 'Saving',
} as const;

function hasProgress({ running, month, error }: MonthClose): boolean {
  return running || (month === null && error === null);
}

/** The progress, next to the period, where its appearance doesn't move anything. */
function ProgressLine({ close }: { close: MonthClose }) {
  const { running, cancel, goOn } = close;
  return (
    <div className="flex items-center gap-3">
      {hasProgress(close) && !running && <p className="sub">Stopped. Refresh to load the period.</p>}
      {goOn && (
        <>
          <p className="sub">Stopped.</p>
          <Button size="small" onClick={goOn}>
            Continue
          </Button>
        </>
      )}
      {running && (
        <>
          <Button size="small" onClick={cancel}>
            Cancel
          </Button>
          <output aria-live="off">
            <ProgressText close={close} />
          </output>
        </>
      )}
    </div>
  );
}

function ProgressText({ close: { doing, progress, waitsUntil } }: { close: MonthClose }) {
  if (progress === null && waitsUntil === null)
    return <StillLoading what="the period">{`${DOING[doing]}…`}</StillLoading>;
  return (
    <>
      {DOING[doing]}
      {progress !== null && (
        <>
          : {numberWords(progress.rows)} {NOUNS[progress.list].many}
          {progress.reached !== null && (
            <>
              , up to <Time unix={progress.reached} />
            </>
          )}
          {progress.share !== null && ` · ${Math.floor(progress.share * 100)} %`}
          {progress.secondsLeft !== null && ` · about ${span(progress.secondsLeft)} left`}
        </>
      )}
      {waitsUntil !== null && (
        <>
          . Waiting for the provider until <Time unix={Math.ceil(waitsUntil / 1_000)} />
        </>
      )}
    </>
  );
}
