import { useRef } from 'react';
import { describeError } from '#src/api/errors.ts';
import type { Session } from '#src/api/session.ts';
import type { TeamItem } from '#src/api/teamContract.ts';
import type { Book } from '#src/api/statementContract.ts';
import { Time } from '#src/ui/Time.tsx';
import { Button } from '#src/ui/Button.tsx';
import { ErrorNotice } from '#src/ui/ErrorNotice.tsx';
import { Fact, Facts } from '#src/ui/Facts.tsx';
import { Notice } from '#src/ui/Notice.tsx';
import { UntrustedText } from '#src/ui/UntrustedText.tsx';
import { useReturnFocus } from '#src/ui/focus.ts';
import { FoundView } from './FoundView.tsx';
import { RunStopped } from './run.ts';
import { Statements } from './Statements.tsx';
import { useRun } from './useRun.ts';

interface BookViewProps {
  book: TeamItem<Book>;
  session: Session;
  onAdd: () => void;
}

interface RunActsProps {
  running: boolean;
  onBegin: () => void;
  onCancel: () => void;
  onAdd: () => void;
}

function RunActs({ running, onBegin, onCancel, onAdd }: RunActsProps) {
  const row = useRef<HTMLDivElement>(null);
  useReturnFocus(row);
  return (
    <div className="acts-row" ref={row}>
      <Button variant="primary" disabledReason={running ? 'Reading' : undefined} reasonHidden onClick={onBegin}>
        Read new deposits
      </Button>
      {running ? (
        <Button onClick={onCancel}>Cancel</Button>
      ) : (
        <Button variant="quiet" onClick={onAdd}>
          Another reconciliation
        </Button>
      )}
    </div>
  );
}

/** One reconciliation: where it stands, the run under way, and its statements. */
export function BookView({ book: item, session, onAdd }: BookViewProps) {
  const { running, reading, found, closing, error, begin, cancel, close, discard } = useRun(item, session.account);
  const book = item.value;
  return (
    <>
      <section className="grid min-w-0 gap-3" aria-labelledby="book">
        <h2 id="book">
          <UntrustedText value={book.name} max={80} />
        </h2>
        <Facts>
          <Fact label="Checkpoint" mono={book.last !== null}>
            {book.last === null ? (
              'none yet: the first run reads from the beginning'
            ) : (
              <UntrustedText value={book.last.id} max={80} />
            )}
          </Fact>
          {book.last?.created_at != null && (
            <Fact label="Created">
              <Time unix={book.last.created_at} age />
            </Fact>
          )}
          {book.since !== null && (
            <Fact label="Begins">
              <Time unix={book.since} />
            </Fact>
          )}
          <Fact label="Followed">
            {book.followed === 0
              ? 'none: every deposit stated is completed'
              : `${book.followed.toLocaleString('en')} stated before they were completed`}
          </Fact>
        </Facts>
        {found === null && <RunActs running={running} onBegin={begin} onCancel={cancel} onAdd={onAdd} />}
        {running && (
          <output aria-live="off">
            {(reading?.rows ?? 0).toLocaleString('en')} deposits read
            {reading?.reached != null && (
              <>
                , as far as <Time unix={reading.reached} />
              </>
            )}
            {(reading?.following ?? 0) > 0 && `, ${reading?.following} of earlier statements to look up`}
          </output>
        )}
        {found === null && error !== null && <RunFailed error={error} onRetry={begin} />}
      </section>
      {found !== null && (
        <FoundView
          now={item}
          work={found}
          closing={closing}
          error={error}
          readOnly={session.read_only}
          onClose={close}
          onDiscard={discard}
          onAgain={begin}
        />
      )}
      <Statements book={item} session={session} />
    </>
  );
}

function RunFailed({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  return error instanceof RunStopped ? (
    <Notice tone="alarm" live="status" title="The run stopped; nothing was stated.">
      {error.message}
    </Notice>
  ) : (
    <ErrorNotice error={describeError(error)} heading="The run stopped; nothing was stated" onRetry={onRetry} />
  );
}
