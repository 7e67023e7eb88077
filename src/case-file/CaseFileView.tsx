import { Download, Printer } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { shorten, visible } from '#src/lib/text.ts';
import { formatFull } from '#src/lib/time.ts';
import { LocalStory } from './LocalStory.tsx';
import { saveFile } from '#src/ui/saveFile.ts';
import { AmountsHiddenProvider, useAmountsHidden } from '#src/ui/Amount.tsx';
import { Button } from '#src/ui/Button.tsx';
import { CopyText } from '#src/ui/CopyButton.tsx';
import { Notice } from '#src/ui/Notice.tsx';
import { PageHeader } from '#src/ui/PageHeader.tsx';
import { asOf, type CaseFile, fileName } from './caseFile.ts';
import { CaseCalls } from './CaseCalls.tsx';
import { CaseFacts } from './CaseFacts.tsx';
import { caseMarkdown, REDACTION } from './caseMarkdown.ts';
import { CaseLedger } from './CaseLedger.tsx';
import { CaseRaw } from './CaseRaw.tsx';
import { WholeText } from './WholeText.tsx';
import './case-file.css';

interface CaseFileViewProps {
  file: CaseFile;
  /** The address of the detail that it belongs to. */
  back: string;
  /** Stands above everything: that it could not be read. */
  notice?: ReactNode;
  /** Said while it is read, in the place of everything but its id: what came one by one would push the rest down. */
  reading?: string | undefined;
}

/** Everything known of one deposit or withdrawal on one page: to be read, printed, or handed over as redacted Markdown. */
export function CaseFileView({ file, back, notice, reading }: CaseFileViewProps) {
  const { of, id } = file;
  const hidden = useAmountsHidden();
  const now = () => new Date().toISOString().replace(/\.\d+Z$/, 'Z');
  const save = () => {
    const madeAt = now();
    saveFile(fileName(file, madeAt), [caseMarkdown(file, madeAt)], 'text/markdown;charset=utf-8');
  };
  return (
    <>
      <PageHeader
        title={`Case file of a ${of}`}
        documentTitle={`Case file ${shorten(id)}`}
        actions={
          <>
            <Button variant="primary" icon={<Printer aria-hidden />} onClick={() => window.print()}>
              Print
            </Button>
            <CopyText label="Copy as Markdown" text={() => caseMarkdown(file, now())} />
            <Button icon={<Download aria-hidden />} onClick={save}>
              Save as Markdown
            </Button>
          </>
        }
      />
      <div className="page-body">
        <div className="pad grid max-w-224 grid-cols-1 gap-4 print:max-w-none print:p-0">
          <p className="screen-only">
            <Link to={back}>Back to the {of}</Link>
          </p>
          {notice}
          {hidden ? (
            <>
              <div className="screen-only">
                <Notice tone="plain">
                  Amounts are hidden on this screen. On paper and in the Markdown they stand.
                </Notice>
              </div>
              <div className="screen-only">
                <Sheet file={file} reading={reading} />
              </div>
              <div className="print-only">
                <AmountsHiddenProvider hidden={false}>
                  <Sheet file={file} reading={reading} />
                </AmountsHiddenProvider>
              </div>
            </>
          ) : (
            <Sheet file={file} reading={reading} />
          )}
          {reading === undefined && (
            <p className="small sub screen-only">
              The page and its print hold everything. The Markdown is redacted. {REDACTION}
            </p>
          )}
        </div>
      </div>
    </>
  );
}

function Sheet({ file, reading }: Pick<CaseFileViewProps, 'file' | 'reading'>) {
  const { id, who } = file;
  const at = asOf(file);
  return (
    <div className="case-sheet grid grid-cols-1 gap-5 wrap-anywhere">
      <p className="mono text-lead font-semibold">
        <WholeText text={id} />
      </p>
      <p className="small sub -mt-4">
        Countinghouse,{' '}
        {at !== null ? `as of ${formatFull(at, 'utc')}` : reading === undefined ? 'not read' : 'being read'}. Looked at
        with account {who.name !== undefined && <bdi>{visible(who.name)} </bdi>}
        <span className="mono">{shorten(who.account)}</span> at <bdi>{visible(who.service)}</bdi>.
      </p>
      {reading === undefined ? (
        <>
          <CaseFacts file={file} />
          <LocalStory story={file.story} whole />
          <CaseLedger ledger={file.ledger} />
          <CaseCalls calls={file.calls} />
          {file.found && <CaseRaw row={file.found.row} />}
        </>
      ) : (
        <output className="sub">{reading}</output>
      )}
    </div>
  );
}
