import { useLocation, useParams, Link } from 'react-router';
import { type Absence, asOf, type CaseFile, fileName } from '#src/web/report/caseFile.ts';
import { useCaseFile } from '#src/web/report/useCaseFile.ts';
import type { PaymentKind } from '#src/shared/operations/paymentHistory.ts';
import { rowPath } from '#src/shared/paths.ts';
import { type ListRow } from '#src/web/list/fields.tsx';
import { ReplyButton } from './ReplyButton.tsx';
import { notFoundText, lookingFor } from './ResourcePage.tsx';
import { ErrorNotice } from '#src/web/list/ErrorNotice.tsx';
import type { ResourceProps } from './resource.ts';
import { useRow } from './useRow.ts';
import { Download, Printer } from 'lucide-react';
import { type ReactNode, useMemo, useState } from 'react';
import type { Operation } from '#src/shared/operations/record.ts';
import { statusSentence } from '#src/shared/paymentStatus.ts';
import { shorten, textOrNull } from '#src/shared/text.ts';
import { formatFull } from '#src/shared/time.ts';
import { StatusCell } from '#src/web/list/rows/StatusCell.tsx';
import { Amount, AmountsHiddenContext, useAmountsHidden } from '#src/web/ui/Amount.tsx';
import { Button } from '#src/web/ui/Button.tsx';
import { CopyText } from '#src/web/ui/CopyButton.tsx';
import { Notice } from '#src/web/ui/Notice.tsx';
import { UntrustedText } from '#src/web/ui/UntrustedText.tsx';
import { PageHeader } from '#src/web/ui/PageHeader.tsx';
import { saveFile } from '#src/web/ui/saveFile.ts';
import { Segmented } from '#src/web/ui/Segmented.tsx';
import { caseMarkdown } from '#src/web/report/caseMarkdown.ts';
import { CaseCalls, CaseFacts, CaseLedger, RawJsonSection, WholeText } from '#src/web/report/CaseSections.tsx';
import { OperationHistory } from '#src/web/report/OperationHistory.tsx';
import { PaymentNoteSection } from '#src/web/report/PaymentNote.tsx';
import { REDACTION, redactCase } from '#src/web/report/redactCase.ts';
import { Timeline } from '#src/web/report/Timeline.tsx';

/** Looks the same on screen and on paper: no page break inside a fact, an attempt or a call, nor after a heading. */
const SHEET =
  '[&_.amt]:wrap-anywhere [&_.amt]:whitespace-normal [&_.facts]:grid-cols-[9rem_minmax(0,1fr)] max-[40rem]:[&_.facts]:grid-cols-1 max-[40rem]:[&_.facts_dd]:border-t-0 max-[40rem]:[&_.facts_dd]:pt-0 [&_.facts>:first-child>*]:border-t-0 [&_section>h2]:mb-2 [&_section>h2]:border-b-3 [&_section>h2]:border-double [&_section>h2]:border-rule-strong [&_section>h2]:pb-1 print:[&_section>h2]:break-after-avoid print:[&_:is(dt,dd,li,p)]:break-inside-avoid print:[&_a]:text-inherit print:[&_a]:no-underline';

export function ResourceCasePage<T extends ListRow>({ resource }: ResourceProps<T>) {
  return resource.payment ? <CasePage resource={resource} kind={resource.payment} /> : null;
}

function CasePage<T extends ListRow>({ resource, kind }: ResourceProps<T> & { kind: PaymentKind }) {
  const { id = '' } = useParams();
  const { search } = useLocation();
  const { found, missing, error, unknown, reading, readAgain } = useRow(resource, id, false);
  const { fields, noun, at } = resource;
  const absence: Absence | null = missing
    ? { words: notFoundText(noun.one, missing), said: null, requestId: missing.requestId, at: missing.readAt }
    : unknown && { words: unknownText(noun.one), said: unknown.message, requestId: unknown.requestId, at: unknown.at };
  const isLookedUp = Boolean(found ?? missing ?? error);
  const { file, made } = useCaseFile(
    { kind, fields, id, found: found && { row: found.row, read: found }, absence },
    isLookedUp,
  );
  return (
    <CaseFileView
      file={file}
      made={made}
      back={rowPath(at, id, search)}
      reading={isLookedUp ? undefined : lookingFor(resource)}
      notice={
        error &&
        !unknown && (
          <ErrorNotice error={error} heading={`Couldn’t load the ${noun.one}`} onRetry={readAgain} retrying={reading} />
        )
      }
    />
  );
}

function unknownText(noun: string): string {
  return `The provider has no ${noun} with this ID on this account. It may belong to another account or not be shown yet.`;
}

interface CaseFileViewProps {
  file: CaseFile;
  /** The operation recorded here that created the payment; null if none. */
  made: Operation | null;
  back: string;
  /** At the top, if the payment could not be loaded. */
  notice?: ReactNode;
  /** Shown while loading, instead of the sections, which would push each other down one by one. */
  reading?: string | undefined;
}

const COPIES = { redacted: 'Redacted', full: 'Full' };

function CaseFileView({ file, made, back, notice, reading }: CaseFileViewProps) {
  const { kind, id, payment } = file;
  const hidden = useAmountsHidden();
  const [copy, setCopy] = useState<keyof typeof COPIES>('redacted');
  const copyToShow = useMemo(() => (copy === 'redacted' ? redactCase(file) : file), [copy, file]);
  const now = () => new Date().toISOString().replace(/\.\d+Z$/, 'Z');
  const save = () => {
    const madeAt = now();
    saveFile(fileName(file, madeAt), [caseMarkdown(copyToShow, madeAt)], 'text/markdown;charset=utf-8');
  };
  return (
    <>
      <PageHeader
        title={`Case file of a ${kind}`}
        documentTitle={`Case file ${shorten(id)}`}
        actions={
          <>
            <Segmented label="Copy" value={copy} options={COPIES} onChange={setCopy} />
            {payment?.row ? (
              <ReplyButton kind={kind} row={payment.row} read={payment.read} made={made} />
            ) : (
              <Button disabledReason={reading ?? 'Nothing to reply with'} reasonHidden>
                Reply
              </Button>
            )}
            <Button icon={<Printer aria-hidden />} onClick={() => window.print()}>
              Print
            </Button>
            <CopyText label="Copy as Markdown" text={() => caseMarkdown(copyToShow, now())} />
            <Button icon={<Download aria-hidden />} onClick={save}>
              Save as Markdown
            </Button>
          </>
        }
      />
      <div className="page-body">
        <div className="pad grid max-w-224 grid-cols-1 gap-4 print:max-w-none print:p-0">
          <p className="screen-only">
            <Link to={back}>Back to the {kind}</Link>
          </p>
          {notice}
          {hidden ? (
            <>
              <div className="screen-only">
                <Notice tone="plain">Amounts are hidden on this screen. They are in print, copies and files.</Notice>
              </div>
              <div className="screen-only">
                <Sheet file={copyToShow} made={made} reading={reading} />
              </div>
              <div className="print-only">
                <AmountsHiddenContext value={false}>
                  <Sheet file={copyToShow} made={made} reading={reading} />
                </AmountsHiddenContext>
              </div>
            </>
          ) : (
            <Sheet file={copyToShow} made={made} reading={reading} />
          )}
        </div>
      </div>
    </>
  );
}

function Sheet({ file, made, reading }: { file: CaseFile; made: Operation | null; reading: string | undefined }) {
  const { kind, id, who, payment, recipient, steps, isRedacted } = file;
  const at = asOf(file);
  const facts = payment?.facts ?? [];
  const status = textOrNull(facts.find(({ kind }) => kind === 'status')?.value);
  const amount = facts.find(({ kind }) => kind === 'amount')?.value;
  return (
    <div className={`grid grid-cols-1 gap-5 wrap-anywhere ${SHEET}`}>
      <div className="grid grid-cols-1 gap-1">
        {payment && (
          <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
            <Amount value={amount} asset={payment.asset ?? undefined} figure />
            <StatusCell status={status} withRaw />
          </div>
        )}
        {recipient !== null && (
          <p>
            to <UntrustedText value={recipient} max={80} />
          </p>
        )}
        {payment && <p>{statusSentence(kind, status)}</p>}
        <p className="mono text-lead font-semibold">
          <WholeText text={id} />
        </p>
        <p className="small sub">
          Countinghouse,{' '}
          {at !== null ? `as of ${formatFull(at, 'utc')}` : reading === undefined ? 'not loaded' : 'loading'}. Account:{' '}
          {who.name !== undefined && (
            <>
              <WholeText text={who.name} />{' '}
            </>
          )}
          <span className="mono" translate="no">
            {shorten(who.account)}
          </span>{' '}
          (<WholeText text={who.service} />
          ).
        </p>
        {isRedacted && <p className="small sub">{REDACTION}</p>}
      </div>
      {reading === undefined ? (
        <>
          <PaymentNoteSection
            subject={{ kind, id }}
            from={made && { kind: 'operation', id: made.key }}
            inCase
            level="h2"
            shown={file.note}
          />
          {steps.length > 0 && <Timeline steps={steps} here={id} wide />}
          <CaseFacts file={file} />
          <OperationHistory history={file.history} whole />
          <CaseLedger ledger={file.ledger} />
          <CaseCalls calls={file.calls} />
          {payment?.row && <RawJsonSection row={payment.row} />}
        </>
      ) : (
        <output className="sub">{reading}</output>
      )}
    </div>
  );
}
