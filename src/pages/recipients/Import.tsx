import { Download, Upload } from 'lucide-react';
import { type ChangeEvent, useRef, useState } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import { counted } from '#src/lib/count.ts';
import { Button } from '#src/ui/Button.tsx';
import { describeError } from '#src/api/errors.ts';
import { type KnownRecipient, useRecipientsNow } from '#src/api/recipients.ts';
import type { Session } from '#src/api/session.ts';
import { keepItem } from '#src/api/team.ts';
import { addItems } from '#src/api/teamItems.ts';
import type { Place } from '#src/lib/chains/lookAlike.ts';
import type { Known } from '#src/list/useKnownAddresses.ts';
import { Notice } from '#src/ui/Notice.tsx';
import { saveFile } from '#src/ui/saveFile.ts';
import { BYTES_MAX, readImport, toCsv, type PlannedLine, planImport } from './importPlan.ts';
import { ImportPreview } from './ImportPreview.tsx';

interface ImportProps {
  session: Session;
  known: Known;
  entries: readonly KnownRecipient[];
  /** An address that is only added by hand, because it has to be compared. */
  onByHand: (draft: Place & { name: string }) => void;
  /** The preview that had the focus is gone. */
  onEnd: () => void;
}

type Step =
  | { at: 'nothing' }
  | { at: 'reading' }
  | { at: 'adding' }
  /** `partly`: some of its lines may have been. */
  | { at: 'problem'; words: string; partly?: true }
  | { at: 'preview'; file: string; plan: PlannedLine[] }
  | { at: 'done'; count: number };

/** Takes the book out as a file. Takes a file apart, shows what it would add and what not, and adds what was chosen. */
export function Import({ session: { account, read_only: readOnly }, known, entries, onByHand, onEnd }: ImportProps) {
  const client = useQueryClient();
  const recipientsNow = useRecipientsNow(account);
  const [step, setStep] = useState<Step>({ at: 'nothing' });
  const read = async (file: File) => {
    if (file.size > BYTES_MAX) return { at: 'problem' as const, words: 'This file is too large.' };
    const content = readImport(await file.text());
    if ('problem' in content) return { at: 'problem' as const, words: content.problem };
    const addresses = await known.settled();
    const plan = await planImport(content.lines, { entries: recipientsNow(), known: addresses });
    return { at: 'preview' as const, file: file.name, plan };
  };
  const take = (file: File) => {
    setStep({ at: 'reading' });
    read(file).then(setStep, () => setStep({ at: 'problem', words: 'This file couldn’t be read.' }));
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
      const words = `${describeError(error).message} Load the file again to add the rest.`;
      setStep({ at: 'problem', words, partly: true });
    }
  };
  return (
    <section className="grid gap-3" aria-label="Import and export">
      <div className="acts-row">
        {!readOnly && <FileButton label="Import a file" accept=".csv,.json,text/csv,application/json" onFile={take} />}
        <Button
          icon={<Download aria-hidden />}
          disabledReason={entries.length === 0 ? 'There is nothing to export.' : undefined}
          reasonHidden
          onClick={() => saveFile(`recipients-${new Date().toISOString().slice(0, 10)}.csv`, toCsv(entries))}
        >
          Export CSV
        </Button>
        <span className="small sub">You can review a file before importing it (CSV or JSON).</span>
      </div>
      <div role="status">
        {step.at === 'reading' && <p className="sub">Loading the file…</p>}
        {step.at === 'adding' && <p className="sub">Adding…</p>}
        {step.at === 'done' && (
          <Notice tone="plain" title={`${counted(step.count, 'recipient', 'recipients')} added.`} />
        )}
        {step.at === 'problem' && (
          <Notice
            tone="alarm"
            title={step.partly ? 'The file was not imported in full.' : 'The file was not imported.'}
          >
            {step.words}
          </Notice>
        )}
      </div>
      {step.at === 'preview' && (
        <ImportPreview
          file={step.file}
          plan={step.plan}
          onAdd={(lines) => void add(lines)}
          onByHand={onByHand}
          onCancel={() => {
            setStep({ at: 'nothing' });
            onEnd();
          }}
        />
      )}
    </section>
  );
}

interface FileButtonProps {
  /** What is asked for, in the words of the button. */
  label: string;
  /** As in the attribute of an input: endings and types. */
  accept: string;
  onFile: (file: File) => void;
}

/** Asks for one file; the browser's own control cannot be made to look like the rest. */
export function FileButton({ label, accept, onFile }: FileButtonProps) {
  const input = useRef<HTMLInputElement>(null);
  const take = ({ target }: ChangeEvent<HTMLInputElement>) => {
    const file = target.files?.[0];
    // The same file may be chosen again.
    target.value = '';
    if (file) onFile(file);
  };
  return (
    <>
      <Button icon={<Upload aria-hidden />} onClick={() => input.current?.click()}>
        {label}
      </Button>
      <input ref={input} type="file" accept={accept} hidden onChange={take} />
    </>
  );
}
