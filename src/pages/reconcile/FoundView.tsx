import { useRef } from 'react';
import { Link } from 'react-router';
import type { TeamItem } from '#src/api/teamContract.ts';
import type { Book, StatedRow } from '#src/api/statementContract.ts';
import { stringifyExact } from '#src/lib/exactJson.ts';
import { paths } from '#src/lib/paths.ts';
import { byWhom } from '#src/lib/operations/who.ts';
import { TeamProblem } from '#src/list/TeamProblem.tsx';
import { saveFile } from '#src/ui/saveFile.ts';
import { Amount } from '#src/ui/Amount.tsx';
import { Button } from '#src/ui/Button.tsx';
import { Notice } from '#src/ui/Notice.tsx';
import { UntrustedText } from '#src/ui/UntrustedText.tsx';
import { Time } from '#src/ui/Time.tsx';
import { useReturnFocus } from '#src/ui/focus.ts';
import { LedgerTable, rowsClass, tableBoxClass } from './LedgerTable.tsx';
import type { Found } from './run.ts';
import { isEmpty, statementOf } from './statement.ts';
import { statementCsv, statementName } from './statementFile.ts';
import type { FoundWork } from './useRun.ts';

interface FoundViewProps {
  /** The reconciliation as it is now: a colleague may have closed a statement since the run. */
  now: TeamItem<Book>;
  work: FoundWork;
  /** The checkpoint is being set. */
  closing: boolean;
  /** Why it was not set. */
  error: unknown;
  readOnly: boolean;
  onClose: () => void;
  onDiscard: () => void;
  onAgain: () => void;
}

const SHOWN = 50;
const count = (rows: readonly unknown[]): string => rows.length.toLocaleString('en');

/** What a run found, before a checkpoint makes a statement of it. */
export function FoundView({ now, work, closing, error, readOnly, onClose, onDiscard, onAgain }: FoundViewProps) {
  const { book, found, ledger } = work;
  const overtaken = now.value.statements !== book.value.statements;
  const { fresh, late, totals, changed, young, malformed, missing, givenUp, asOf } = found;
  const nothing = isEmpty(found);
  const part = useRef<HTMLElement>(null);
  useReturnFocus(part);
  return (
    <section aria-labelledby="found" className="grid min-w-0 gap-3" ref={part}>
      <h2 id="found">Since the checkpoint</h2>
      <output>
        {count(fresh)} new, {count(late)} late, {count(changed)} changed since they were stated; as of{' '}
        <Time unix={asOf} />.{young > 0 && ` ${young} younger than two minutes wait for the next run.`}
      </output>
      {missing.length > 0 && (
        <Notice tone="alarm" title={`${count(missing)} stated deposits were not found again.`}>
          <RowList rows={missing} />
        </Notice>
      )}
      {malformed > 0 && (
        <Notice
          tone="open"
          title={malformed === 1 ? 'One item of the list has no id.' : `${malformed} items of the list have no id.`}
        >
          What has no id cannot be stated.
        </Notice>
      )}
      {totals.length > 0 && <Totals totals={totals} />}
      <div className="acts-row">
        <Button variant="primary" disabledReason={whyNot({ nothing, closing, overtaken, readOnly })} onClick={onClose}>
          Set checkpoint here
        </Button>
        {!nothing && <Button onClick={() => saveDraft(book, found)}>Download draft</Button>}
        <Button onClick={onDiscard}>Discard</Button>
      </div>
      {overtaken ? (
        <Overtaken book={now} onAgain={onAgain} />
      ) : (
        error !== null && <TeamProblem error={error} heading="The checkpoint was not set; nothing was stated" />
      )}
      {late.length > 0 && (
        <>
          <h3 className="mt-2">Late: before the checkpoint, and not seen then</h3>
          <RowList rows={late} />
        </>
      )}
      {changed.length > 0 && (
        <>
          <h3 className="mt-2">Changed since they were stated</h3>
          <ul className={rowsClass}>
            {changed.slice(0, SHOWN).map(({ id, was, statement, row }) => (
              <li key={id}>
                <RowLine row={row} /> was <UntrustedText value={was ?? 'no status'} max={40} /> in statement {statement}
              </li>
            ))}
          </ul>
          <Rest of={changed.length} />
        </>
      )}
      {fresh.length > 0 && (
        <>
          <h3 className="mt-2">New</h3>
          <RowList rows={fresh} />
        </>
      )}
      {givenUp.length > 0 && (
        <p className="small sub">{count(givenUp)} were not completed in 30 days and are no longer followed.</p>
      )}
      <LedgerTable ledger={ledger} first={book.value.statements === 0} />
    </section>
  );
}

/** The statement as the checkpoint would make it; its name says that it is none yet. */
function saveDraft(book: TeamItem<Book>, found: Found): void {
  const whole = statementOf(book, found, 'draft');
  saveFile(statementName(book.value.name, whole.statement.number, 'draft.csv'), statementCsv(whole));
}

interface Reasons {
  nothing: boolean;
  closing: boolean;
  overtaken: boolean;
  readOnly: boolean;
}

function whyNot({ nothing, closing, overtaken, readOnly }: Reasons): string | undefined {
  if (readOnly) return 'Read-only';
  if (nothing) return 'There is nothing new to state';
  if (closing) return 'Being saved';
  return overtaken ? 'A colleague closed a statement meanwhile' : undefined;
}

/** What was found here may stand in a colleague’s statement by now. */
function Overtaken({ book: { who, updated_at: at, value }, onAgain }: { book: TeamItem<Book>; onAgain: () => void }) {
  return (
    <Notice tone="open" live="status" title={`Statement ${value.statements} was closed meanwhile${byWhom(who)}.`}>
      <Time unix={at} age />. Nothing of this was saved: load the deposits that came since.{' '}
      <Button size="small" onClick={onAgain}>
        Load again
      </Button>
    </Notice>
  );
}

function Totals({ totals }: Pick<Found, 'totals'>) {
  return (
    <div className={tableBoxClass}>
      <table className="grid-table labelled" aria-label="Totals of new and late deposits">
        <thead>
          <tr>
            <th scope="col">Asset</th>
            <th scope="col">Status</th>
            <th scope="col">Deposits</th>
            <th scope="col" className="cash">
              Sum
            </th>
          </tr>
        </thead>
        <tbody>
          {totals.map(({ asset, status, rows, sum, unreadable }) => (
            <tr key={stringifyExact([asset, status])}>
              <th scope="row">{asset === null ? 'no asset' : <UntrustedText value={asset} max={24} />}</th>
              <td data-label="Status">{status === null ? 'no status' : <UntrustedText value={status} max={24} />}</td>
              <td data-label="Deposits">{rows.toLocaleString('en')}</td>
              <td className="cash" data-label="Sum">
                <Amount value={sum} asset={asset ?? undefined} flow />
                {unreadable > 0 && ` (${unreadable} without a readable amount)`}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function RowList({ rows }: { rows: readonly StatedRow[] }) {
  return (
    <>
      <ul className={rowsClass}>
        {rows.slice(0, SHOWN).map((row) => (
          <li key={row.id}>
            <RowLine row={row} />
          </li>
        ))}
      </ul>
      <Rest of={rows.length} />
    </>
  );
}

function RowLine({ row }: { row: StatedRow }) {
  return (
    <>
      <Link className="id" to={paths.deposit(row.id)} target="_blank" rel="noopener noreferrer">
        <UntrustedText value={row.id} max={40} />
      </Link>{' '}
      <Time unix={row.created_at} /> <UntrustedText value={row.status ?? 'no status'} max={40} />{' '}
      <Amount value={row.received_amount} asset={row.asset?.slice(0, 20)} flow />
    </>
  );
}

function Rest({ of }: { of: number }) {
  if (of <= SHOWN) return null;
  return (
    <p className="small sub">
      The first {SHOWN} of {of.toLocaleString('en')}; the statement has them all.
    </p>
  );
}
