import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { failedLinesFile, usedReferences } from '#src/shared/batches/failedLines.ts';
import { counted } from '#src/shared/text.ts';
import { paths } from '#src/shared/paths.ts';
import { batchQuery } from '#src/web/api/batches.ts';
import { useSession } from '#src/web/api/session.ts';
import { ErrorNotice, LoadError } from '#src/web/list/ErrorNotice.tsx';
import { SendFormGuard } from '#src/web/send/SendFormPage.tsx';
import { Button } from '#src/web/ui/Button.tsx';
import { useHeadingFocus } from '#src/web/ui/focus.ts';
import { Notice } from '#src/web/ui/Notice.tsx';
import { PageFrame } from '#src/web/ui/PageHeader.tsx';
import { DraftNotice } from '#src/web/send/DraftNotice.tsx';
import { UntrustedText } from '#src/web/ui/UntrustedText.tsx';
import { useDelay } from '#src/web/ui/useLoaded.ts';
import { CommaQuestion, faultsIn, FileProblems } from './BatchFaults.tsx';
import { BatchReview } from './BatchReview.tsx';
import { BatchSourceForm } from './BatchSourceForm.tsx';
import { useFreshBalances } from '#src/web/send/PaymentTotals.tsx';
import { type NewBatch, useNewBatch } from './useNewBatch.ts';

const TITLE = 'New batch';

export function Component() {
  return <SendFormGuard title={TITLE} Form={NewBatchForm} />;
}

function NewBatchForm() {
  const balances = useFreshBalances();
  const batch = useNewBatch(balances);
  const from = useFailedOf(batch);
  const navigate = useNavigate();
  const { source, read, review, reviewed, error, sending } = batch;
  const hasFaults = faultsIn(batch) !== undefined;
  const isReview = reviewed !== null && review !== null;
  const isSending = sending.at === 'sending' || sending.at === 'unknown';
  useHeadingFocus(isReview ? 'review' : 'file');
  return (
    <PageFrame
      title={isReview ? 'Review batch' : TITLE}
      asOf={source && <SourceName source={source} />}
      actions={
        <Button
          variant="quiet"
          disabledReason={isSending ? 'Recording…' : undefined}
          reasonHidden
          onClick={() => {
            batch.clear();
            void navigate(paths.batches);
          }}
        >
          Cancel
        </Button>
      }
    >
      <div className="pad grid gap-6 [&_:is(input,textarea,button,a)]:scroll-mb-20">
        {batch.draftAt !== null && source !== null && (
          <DraftNotice
            what="with the file"
            at={batch.draftAt}
            disabledReason={isSending ? 'Recording…' : undefined}
            onStartOver={batch.clear}
          />
        )}
        {from.query?.error && <LoadError of={from.query} heading="Couldn’t load the batch with the failed payments" />}
        {from.isEmpty && <Notice tone="plain" live title="No payment of that batch failed." />}
        {from.usedReferences > 0 && (
          <p className="sub">
            {counted(from.usedReferences, 'reference is', 'references are')} left out: a payment that failed after the
            provider accepted it keeps its reference.
          </p>
        )}
        {error && !hasFaults && (
          <ErrorNotice error={error} heading="Couldn’t check the payments" onRetry={batch.retry} />
        )}
        {read?.kind === 'question' && (
          <CommaQuestion sign={read.sign} samples={read.samples} onAnswer={batch.answerComma} />
        )}
        <FileProblems batch={batch} />
        {isReview ? (
          <BatchReview batch={batch} payments={reviewed} review={review} balances={balances} />
        ) : source !== null && read?.kind !== 'question' && !hasFaults ? (
          error === null && <Reading count={read?.kind === 'payments' ? read.payments.length : null} />
        ) : (
          <BatchSourceForm pasted={batch.pasted} onTake={batch.take} />
        )}
      </div>
    </PageFrame>
  );
}

function SourceName({ source: { name } }: { source: { name: string | null } }) {
  return name === null ? 'Pasted rows' : <UntrustedText value={name} max={80} />;
}

function Reading({ count }: { count: number | null }) {
  const isSlow = useDelay(true);
  return (
    <output className="sub">
      {isSlow && (count === null ? 'Checking the file…' : `Checking ${counted(count, 'payment', 'payments')}…`)}
    </output>
  );
}

/** Fills the page with the failed payments of the batch that the URL names. */
function useFailedOf({ take, source, pasted }: NewBatch) {
  const { account } = useSession();
  const id = new URLSearchParams(useLocation().search).get('from');
  const query = useQuery({
    ...batchQuery(account, id ?? ''),
    enabled: id !== null,
    refetchInterval: false,
    refetchOnWindowFocus: false,
  });
  const { data } = query;
  const text = data && failedLinesFile(data.lines);
  const isEmpty = text !== undefined && text.trim().split('\n').length === 1;
  const isTaken = useRef(false);
  useEffect(() => {
    if (isTaken.current || source !== null || text === undefined || isEmpty) return;
    isTaken.current = true;
    take({ name: null, text });
  }, [text, isEmpty, source, take]);
  // False once the rows were replaced by other rows, or by a file.
  const isShown = data !== undefined && pasted === text;
  return { query: id === null ? null : query, isEmpty, usedReferences: isShown ? usedReferences(data.lines) : 0 };
}
