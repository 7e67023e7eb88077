import { useState } from 'react';
import type { Session } from '#src/api/session.ts';
import type { Place } from '#src/lib/chains/lookAlike.ts';
import type { Known } from '#src/list/useKnownAddresses.ts';
import { addEntries } from '#src/remembered/addressBook.ts';
import { type AddressBookEntry, getAddressBook } from '#src/remembered/addressBookStore.ts';
import { FileButton } from '#src/ui/FileButton.tsx';
import { Notice } from '#src/ui/Notice.tsx';
import { ExportButtons } from './ExportButtons.tsx';
import { BYTES_MAX, readImport } from './importFile.ts';
import { type PlannedLine, planImport } from './importPlan.ts';
import { ImportPreview } from './ImportPreview.tsx';

interface ImportProps {
  session: Session;
  known: Known;
  entries: readonly AddressBookEntry[];
  /** An address that is only added by hand, because it has to be compared. */
  onByHand: (draft: Place & { name: string }) => void;
}

type Step =
  | { at: 'nothing' }
  | { at: 'reading' }
  | { at: 'problem'; words: string }
  | { at: 'preview'; file: string; plan: PlannedLine[] }
  | { at: 'done'; count: number };

/** Takes the book out as a file. Takes a file apart, shows what it would add and what not, and adds what was chosen. */
export function Import({ session: { service }, known, entries, onByHand }: ImportProps) {
  const [step, setStep] = useState<Step>({ at: 'nothing' });
  const read = async (file: File) => {
    if (file.size > BYTES_MAX) return { at: 'problem' as const, words: 'This file is larger than any address book.' };
    const content = readImport(await file.text());
    if ('problem' in content) return { at: 'problem' as const, words: content.problem };
    const addresses = await known.settled();
    const plan = await planImport(content.lines, { entries: getAddressBook(service).entries, known: addresses });
    return { at: 'preview' as const, file: file.name, plan };
  };
  const take = (file: File) => {
    setStep({ at: 'reading' });
    read(file).then(setStep, () => setStep({ at: 'problem', words: 'The browser could not read this file.' }));
  };
  const add = (lines: readonly PlannedLine[]) => {
    const now = Math.floor(Date.now() / 1000);
    const chosen = lines.map(({ name, chain, address, created }) => {
      return { name: name.trim(), chain: chain.trim(), address, created: created ?? now };
    });
    setStep({ at: 'done', count: addEntries(service, chosen) });
  };
  return (
    <section className="book-part" aria-label="Import and export">
      <div className="acts-row">
        <FileButton label="Import a file" accept=".csv,.json,text/csv,application/json" onFile={take} />
        <ExportButtons entries={entries} service={service} />
      </div>
      <p className="small sub">
        A file is shown before anything of it is added. It may be CSV or JSON, as exported here.
      </p>
      <div role="status">
        {step.at === 'reading' && <p className="sub">Reading the file</p>}
        {step.at === 'done' && (
          <Notice
            tone="plain"
            title={step.count === 1 ? '1 entry was added.' : `${step.count.toLocaleString('en')} entries were added.`}
          />
        )}
        {step.at === 'problem' && (
          <Notice tone="alarm" title="Nothing was imported.">
            {step.words}
          </Notice>
        )}
      </div>
      {step.at === 'preview' && (
        <ImportPreview
          file={step.file}
          plan={step.plan}
          onAdd={add}
          onByHand={onByHand}
          onCancel={() => setStep({ at: 'nothing' })}
        />
      )}
    </section>
  );
}
