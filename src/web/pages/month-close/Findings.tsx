import { Search } from 'lucide-react';
import { Link } from 'react-router';
import { type Author, authorName } from '#src/shared/author.ts';
import { PATHS } from '#src/shared/contract/contract.ts';
import type { ClosedPeriod } from '#src/shared/contract/statementContract.ts';
import { isZero } from '#src/shared/amount.ts';
import { counted, numberWords, revealHidden, visibleCode } from '#src/shared/text.ts';
import { paths } from '#src/shared/paths.ts';
import { Amount } from '#src/web/ui/Amount.tsx';
import { Button } from '#src/web/ui/Button.tsx';
import { Dialog } from '#src/web/ui/Dialog.tsx';
import { Notice } from '#src/web/ui/Notice.tsx';
import { Time } from '#src/web/ui/Time.tsx';
import { UntrustedText } from '#src/web/ui/UntrustedText.tsx';
import { withoutYear } from '#src/shared/statement/period.ts';
import type { Adjustment } from '#src/shared/statement/reportedRows.ts';
import type { ShownLate, ShownMonth } from '#src/shared/contract/monthJobContract.ts';
import { periodRowAmount, countWords, type PeriodList, NOUNS, stateOf } from '#src/shared/statement/periodRows.ts';
import type { Closable } from './closingAttempt.ts';
import type { MonthClose } from './useMonthClose.ts';
import { TeamProblem } from '#src/web/list/TeamProblem.tsx';
import { RateFileChoice, useRateFile } from './RateFileChoice.tsx';

export function Limits({ month: { sums, unplaced, malformed, feesUnknown, rows } }: { month: ShownMonth }) {
  return (
    <>
      {sums === null && (
        <Notice tone="plain" title="This provider offers no ledger.">
          {PATHS.ledgerEntries} isn’t there, so only deposits and withdrawals are counted. Opening and closing balances,
          fees outside of withdrawals, swaps and corrections can’t be shown, and nothing can be compared with the
          balance.
          {rows.withdrawals === null && ' Withdrawals aren’t listed either.'}
        </Notice>
      )}
      {unplaced.count > 0 && (
        <Notice tone="open" title={`${counted(unplaced.count, 'row is', 'rows are')} in no period.`}>
          Without a usable time, asset or amount:{' '}
          {unplaced.ids.map((id) => (
            <span key={id} className="id">
              <UntrustedText value={id} max={40} />{' '}
            </span>
          ))}
          {unplaced.count > unplaced.ids.length && '…'}
        </Notice>
      )}
      {malformed > 0 && (
        <Notice tone="open" title={`${counted(malformed, 'item has', 'items have')} no ID.`}>
          What has no ID can’t be in a statement.
        </Notice>
      )}
      {feesUnknown > 0 && (
        <p className="small sub">
          {counted(feesUnknown, 'withdrawal states', 'withdrawals state')} no fee: it is in the withdrawals line.
        </p>
      )}
    </>
  );
}

export function Findings({ close, isFirst }: { close: MonthClose; isFirst: boolean }) {
  const { month, lateRows, running, closedPeriod } = close;
  const differs = month?.sums?.some(({ difference }) => difference !== null && !isZero(difference)) === true;
  if (lateRows === null) {
    return differs && !running ? (
      <div className="acts-row">
        <Button
          className="narrow:h-auto narrow:min-h-(--control) narrow:py-1 narrow:text-left narrow:whitespace-normal"
          icon={<Search aria-hidden />}
          onClick={close.find}
        >
          Find what’s missing
        </Button>
      </div>
    ) : null;
  }
  if (lateRows.adjustments === 0) {
    return (
      <Notice
        tone="plain"
        live
        title={month?.malformed ? 'Nothing is missing among items with a readable ID.' : 'Nothing is missing.'}
      >
        {countWords(lateRows.rows)} checked: each is in {isFirst ? 'this statement' : 'a statement'}
        {differs && ', so the difference has another cause'}.
      </Notice>
    );
  }
  return (
    <section aria-labelledby="found" className="grid gap-2">
      <h2 id="found">{closedPeriod === null ? 'Adjustments of closed periods' : 'Late for this period'}</h2>
      <p className="small sub">
        {countWords(lateRows.rows)} checked.{' '}
        {closedPeriod === null ? 'They go into this statement.' : 'They go into the next statement.'}
      </p>
      <FoundRows found={lateRows.found} />
    </section>
  );
}

const PATH_OF: Record<PeriodList, (id: string) => string> = {
  deposits: paths.deposit,
  withdrawals: paths.withdrawal,
  ledger: paths.ledgerEntry,
};

function FoundRows({ found: { count, rows } }: { found: ShownLate['found'] }) {
  return (
    <>
      <ul className="[&>li]:border-b [&>li]:border-rule [&>li]:py-1 [&>li]:wrap-anywhere">
        {rows.map((adjustment) => (
          <li key={`${adjustment.list} ${adjustment.id}`}>
            <Row adjustment={adjustment} />
          </li>
        ))}
      </ul>
      {count > rows.length && (
        <p className="small sub">
          The first {rows.length} of {numberWords(count)}; adjustments.csv of the statement has them all.
        </p>
      )}
    </>
  );
}

function Row({ adjustment: { list, what, id, was, row } }: { adjustment: Adjustment }) {
  return (
    <>
      <Link className="id" to={PATH_OF[list](id)}>
        <UntrustedText value={id} max={40} />
      </Link>{' '}
      <Time unix={row.created_at} /> <Amount value={periodRowAmount(list, row)} asset={row.asset?.slice(0, 20)} flow />{' '}
      {what === 'late' ? (
        `${NOUNS[list].one} not in a statement`
      ) : (
        <>
          now <UntrustedText value={stateOf(list, row)} max={40} />, was <UntrustedText value={was ?? ''} max={40} />
        </>
      )}
    </>
  );
}

interface CloseDialogProps {
  name: string;
  number: number;
  /** Null if the period isn't ready to be closed. */
  ready: Closable | null;
  saving: boolean;
  error: unknown;
  onClose: (rates: Uint8Array | null) => void;
  onStay: () => void;
}

export function CloseDialog({ name, number, ready, saving, error, onClose, onStay }: CloseDialogProps) {
  const rates = useRateFile(ready);
  return (
    <Dialog
      open={ready !== null}
      onClose={onStay}
      title={`Close ${name}?`}
      actions={
        <>
          <Button
            variant="primary"
            disabledReason={saving ? 'Saving' : rates.whyNot}
            onClick={() => onClose(rates.bytes)}
          >
            Close {withoutYear(name)}
          </Button>
          <Button onClick={onStay}>Cancel</Button>
        </>
      }
    >
      {error !== null && <TeamProblem error={error} heading="Not closed" />}
      {ready && (
        <div className="grid gap-3">
          <Contents number={number} ready={ready} />
          <RateFileChoice
            rates={rates}
            disabledReason={saving ? 'Saving' : ready.mayBeClosed ? 'This period may be closed already' : undefined}
          />
        </div>
      )}
    </Dialog>
  );
}

interface OvertakenProps {
  /** Null if no colleague closed a period meanwhile. */
  period: ClosedPeriod | null;
  by: Author;
  /** A colleague closed the period on screen itself. */
  isOwn: boolean;
  onDismiss: () => void;
}

/** Replaces the dialog to close a period if a colleague closed that period, or the one before, in the meantime. */
export function OvertakenDialog({ period, by, isOwn, onDismiss }: OvertakenProps) {
  return (
    <Dialog
      open={period !== null}
      onClose={onDismiss}
      title={`${revealHidden(authorName(by) || 'A colleague')} closed ${withoutYear(period?.name ?? '')} in the meantime`}
      actions={
        <Button variant="primary" onClick={onDismiss}>
          OK
        </Button>
      }
    >
      <p>
        Nothing was saved from here.{' '}
        {isOwn ? 'Everyone gets the same file.' : 'The sums are loaded again. Check them before you close the period.'}
      </p>
    </Dialog>
  );
}

function Contents({ number, ready: { month, late } }: { number: number; ready: Closable }) {
  const { deposits, withdrawals, ledger } = month.rows;
  const rows = { deposits, withdrawals: withdrawals ?? undefined, ledger: ledger ?? undefined };
  const open = (month.sums ?? []).filter(({ verdict }) => verdict !== 'agrees');
  return (
    <>
      <p>
        Statement {number}: {countWords(rows)}. Everyone gets the same file, and it can’t be reopened. Later changes are
        added to the next month as adjustments.
      </p>
      <p className="small sub">
        Checked for late rows in {number === 1 ? 'the days before' : 'closed periods'}: {countWords(late.rows)}.
      </p>
      {late.adjustments > 0 && (
        <>
          <h3>Adjustments of closed periods in it</h3>
          <FoundRows found={late.found} />
        </>
      )}
      {open.map(({ asset, difference, verdict }) => (
        <Notice
          key={asset}
          tone={verdict === 'unexplained' ? 'alarm' : 'open'}
          title={`${visibleCode(asset.slice(0, 20))}:`}
        >
          {difference === null ? (
            'the balance can’t be compared.'
          ) : (
            <>
              a difference of <Amount value={difference} asset={asset} flow signed />
              {verdict === 'explained' ? ', explained by entries newer than the balance.' : ' is not explained.'}
            </>
          )}
        </Notice>
      ))}
    </>
  );
}
