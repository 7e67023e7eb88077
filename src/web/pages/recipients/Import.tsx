import { useRefusal } from '#src/web/api/permissions.ts';
import { Download, Upload } from 'lucide-react';
import { type ChangeEvent, useRef, useState } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import { counted } from '#src/shared/text.ts';
import { Button } from '#src/web/ui/Button.tsx';
import { describeError, outcomeUnknown } from '#src/web/api/errors.ts';
import { type KnownRecipient, useRecipientsNow } from '#src/web/api/recipients.ts';
import { useSession } from '#src/web/api/session.ts';
import { keepItem, addItems } from '#src/web/api/team.ts';
import type { ChainAddress } from '#src/shared/chains/lookAlike.ts';
import type { AddressHistory } from '#src/web/list/useKnownAddresses.ts';
import { Notice } from '#src/web/ui/Notice.tsx';
import { saveFile } from '#src/web/ui/saveFile.ts';
import { deferred, useLoaded } from '#src/web/ui/useLoaded.ts';
import type { ColumnMatch, ImportLine, ImportNote, ImportTable } from './importFile.ts';
import { ImportPreview } from './ImportPreview.tsx';
import type { PlannedLine } from './importPlan.ts';

interface ImportProps {
  /** Null until loaded. */
  entries: readonly KnownRecipient[] | null;
  /** Opens the form for a look-alike address, which the person has to compare first. */
  onByHand: (draft: ChainAddress & { name: string }) => void;
}

function whyNoExport(entries: ImportProps['entries']): string | undefined {
  if (entries === null) return 'Recipients aren’t loaded.';
  return entries.length === 0 ? 'There is nothing to export.' : undefined;
}

const FILE_TYPES = '.csv,.tsv,.txt,.json,.jsonl,.ndjson,text/csv,text/tab-separated-values,text/plain,application/json';

type Step =
  | { at: 'nothing' }
  | { at: 'reading' }
  | { at: 'adding' }
  | { at: 'problem'; words: string; title?: string }
  | { at: 'match'; file: string; table: ImportTable; notes: ImportNote[] }
  | { at: 'preview'; file: string; plan: PlannedLine[]; summary: string; notes: ImportNote[] }
  | { at: 'done'; count: number };

const loadFiles = () => import('./importFile.ts');
const ColumnForm = deferred(() => import('./ColumnForm.tsx').then((module) => module.ColumnForm));

type ImportState = ReturnType<typeof useImport>;

/** The import and export buttons, for the bar above the list. */
export function ImportAndExport({ files, openFile, entries }: ImportState & Pick<ImportProps, 'entries'>) {
  const refusal = useRefusal('save-recipients');
  const input = useRef<HTMLInputElement>(null);
  const take = ({ target }: ChangeEvent<HTMLInputElement>) => {
    const file = target.files?.[0];
    // Without this, choosing the same file again would fire no event.
    target.value = '';
    if (file) openFile(file);
  };
  return (
    <>
      {/* The browser's file control cannot be styled like a button. */}
      <Button
        variant="quiet"
        data-tip="Import CSV or JSON"
        icon={<Upload aria-hidden />}
        disabledReason={refusal}
        reasonHidden
        onClick={() => input.current?.click()}
      >
        Import CSV or JSON
      </Button>
      <input ref={input} type="file" accept={FILE_TYPES} hidden onChange={take} />
      <Button
        variant="quiet"
        data-tip="Export CSV"
        icon={<Download aria-hidden />}
        disabledReason={whyNoExport(entries) ?? (files ? undefined : 'Loading')}
        reasonHidden
        onClick={() =>
          files && entries && saveFile(`recipients-${new Date().toISOString().slice(0, 10)}.csv`, files.toCsv(entries))
        }
      >
        Export CSV
      </Button>
    </>
  );
}

/** The current step of an import. Nothing is saved before the person has reviewed the file. */
export function ImportSteps({ step, match, add, cancel, onByHand }: ImportState & Pick<ImportProps, 'onByHand'>) {
  return (
    <section className={step.at === 'nothing' ? '' : 'grid gap-3 pb-5'} aria-label="Import">
      <div role="status">
        {step.at === 'reading' && <p className="sub">Loading the file…</p>}
        {step.at === 'adding' && <p className="sub">Adding…</p>}
        {step.at === 'done' && (
          <Notice tone="plain" title={`${counted(step.count, 'recipient', 'recipients')} added.`} />
        )}
        {step.at === 'problem' && (
          <Notice tone="alarm" title={step.title ?? 'The file was not imported.'}>
            {step.words}
          </Notice>
        )}
      </div>
      {step.at === 'match' && <ColumnForm {...step} onMatch={(columns) => match(step, columns)} onCancel={cancel} />}
      {step.at === 'preview' && <ImportPreview {...step} onAdd={add} onByHand={onByHand} onCancel={cancel} />}
    </section>
  );
}

/**
 * Reads a file, lets the person match its columns and review its lines, and adds the lines. `onEnd` moves the focus when the
 * preview closes.
 */
export function useImport(history: AddressHistory, onEnd: () => void) {
  const { account } = useSession();
  const client = useQueryClient();
  const recipientsNow = useRecipientsNow();
  const [step, setStep] = useState<Step>({ at: 'nothing' });
  const { value: files } = useLoaded(loadFiles);
  const preview = async (file: string, lines: ImportLine[], notes: ImportNote[]): Promise<Step> => {
    const { planImport, importSummary } = await import('./importPlan.ts');
    const addresses = await history.settled();
    const plan = await planImport(lines, { entries: recipientsNow(), known: addresses });
    return { at: 'preview', file, plan, summary: importSummary(plan), notes };
  };
  const read = async (file: File): Promise<Step> => {
    const { BYTES_MAX, readImport } = await loadFiles();
    if (file.size > BYTES_MAX) return { at: 'problem', words: 'This file is too large.' };
    const content = readImport(new Uint8Array(await file.arrayBuffer()));
    if ('problem' in content) return { at: 'problem', words: content.problem };
    if ('table' in content) return { at: 'match', file: file.name, ...content };
    return preview(file.name, content.lines, content.notes);
  };
  const show = (work: Promise<Step>) => {
    setStep({ at: 'reading' });
    work.then(setStep, () => setStep({ at: 'problem', words: 'This file couldn’t be read.' }));
  };
  const match = ({ file, table, notes }: Extract<Step, { at: 'match' }>, columns: ColumnMatch) => {
    const lined = loadFiles().then(({ linesOfTable }) => linesOfTable(table.rows, columns));
    show(lined.then((lines) => preview(file, lines, notes)));
  };
  const cancel = () => {
    setStep({ at: 'nothing' });
    onEnd();
  };
  const add = async (lines: readonly PlannedLine[]) => {
    const chosen = lines.map(({ name, chain, address, asset, reference, note }) => {
      return { name: name.trim(), chain: chain.trim(), address, asset, reference, note };
    });
    setStep({ at: 'adding' });
    try {
      const added = await addItems(account, 'recipients', chosen);
      await keepItem(client, account, 'recipients', ...added);
      setStep({ at: 'done', count: added.length });
      onEnd();
    } catch (error) {
      await keepItem(client, account, 'recipients');
      const words = `${describeError(error).message} Load the file again to add what is missing.`;
      const title = outcomeUnknown(error)
        ? 'We don’t know how much of the file was imported.'
        : 'The file was not imported in full.';
      setStep({ at: 'problem', words, title });
    }
  };
  return {
    step,
    /** Null until loaded. */
    files,
    openFile: (file: File) => show(read(file)),
    match,
    add: (lines: readonly PlannedLine[]) => void add(lines),
    cancel,
  };
}
