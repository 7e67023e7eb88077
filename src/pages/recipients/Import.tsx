import { Download, Upload } from 'lucide-react';
import { type ChangeEvent, useRef, useState } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import { counted } from '#src/lib/text.ts';
import { Button } from '#src/ui/Button.tsx';
import { describeError, mayBeDone } from '#src/api/errors.ts';
import { type KnownRecipient, useRecipientsNow } from '#src/api/recipients.ts';
import { useSession } from '#src/api/session.ts';
import { keepItem, addItems } from '#src/api/team.ts';
import type { ChainAddress } from '#src/lib/chains/lookAlike.ts';
import type { Known } from '#src/list/useKnownAddresses.ts';
import { Notice } from '#src/ui/Notice.tsx';
import { saveFile } from '#src/ui/saveFile.ts';
import { useLoaded } from '#src/ui/useLoaded.ts';
import type { PlannedLine } from './importPlan.ts';
import { chainLabel } from '#src/lib/chains/names.ts';
import { focusOnMount } from '#src/ui/focus.ts';
import { UntrustedText } from '#src/ui/UntrustedText.tsx';
import { useMore } from './RecipientTable.tsx';

interface ImportProps {
  known: Known;
  entries: readonly KnownRecipient[];
  /** An address that is only added by hand, because it has to be compared. */
  onByHand: (draft: ChainAddress & { name: string }) => void;
  /** The preview that had the focus is gone. */
  onEnd: () => void;
}

type Step =
  | { at: 'nothing' }
  | { at: 'reading' }
  | { at: 'adding' }
  | { at: 'problem'; words: string; title?: string }
  | { at: 'preview'; file: string; plan: PlannedLine[]; summary: string }
  | { at: 'done'; count: number };

const loadPlan = () => import('./importPlan.ts');

export function Import({ known, entries, onByHand, onEnd }: ImportProps) {
  const { account, read_only: readOnly } = useSession();
  const client = useQueryClient();
  const recipientsNow = useRecipientsNow();
  const [step, setStep] = useState<Step>({ at: 'nothing' });
  const { value: files } = useLoaded(loadPlan);
  const read = async (file: File) => {
    const { BYTES_MAX, readImport, planImport, summaryOf } = await loadPlan();
    if (file.size > BYTES_MAX) return { at: 'problem' as const, words: 'This file is too large.' };
    const content = readImport(await file.text());
    if ('problem' in content) return { at: 'problem' as const, words: content.problem };
    const addresses = await known.settled();
    const plan = await planImport(content.lines, { entries: recipientsNow(), known: addresses });
    return { at: 'preview' as const, file: file.name, plan, summary: summaryOf(plan) };
  };
  const input = useRef<HTMLInputElement>(null);
  const take = ({ target }: ChangeEvent<HTMLInputElement>) => {
    const file = target.files?.[0];
    // The same file may be chosen again.
    target.value = '';
    if (!file) return;
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
      const words = `${describeError(error).message} Load the file again to add what is missing.`;
      const title = mayBeDone(error)
        ? 'We don’t know how much of the file was imported.'
        : 'The file was not imported in full.';
      setStep({ at: 'problem', words, title });
    }
  };
  return (
    <section className="grid gap-3" aria-label="Import and export">
      <div className="acts-row">
        {!readOnly && (
          <>
            {/* The browser's own control cannot be made to look like the rest. */}
            <Button icon={<Upload aria-hidden />} onClick={() => input.current?.click()}>
              Import a file
            </Button>
            <input ref={input} type="file" accept=".csv,.json,text/csv,application/json" hidden onChange={take} />
          </>
        )}
        <Button
          icon={<Download aria-hidden />}
          disabledReason={entries.length === 0 ? 'There is nothing to export.' : files ? undefined : 'Loading'}
          reasonHidden
          onClick={() =>
            files && saveFile(`recipients-${new Date().toISOString().slice(0, 10)}.csv`, files.toCsv(entries))
          }
        >
          Export CSV
        </Button>
        {!readOnly && <span className="small sub">You can review a file before importing it (CSV or JSON).</span>}
      </div>
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
      {step.at === 'preview' && (
        <ImportPreview
          {...step}
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

/** What stands below a line begins where its words begin, behind the box. */
const lineClass = 'grid gap-1 border-b border-rule p-2 wrap-anywhere [&>:not(.check)]:pl-6.5';

interface ImportPreviewProps {
  file: string;
  plan: readonly PlannedLine[];
  summary: string;
  onAdd: (lines: PlannedLine[]) => void;
  onByHand: (draft: ChainAddress & { name: string }) => void;
  onCancel: () => void;
}

function ImportPreview({ file, plan, summary, onAdd, onByHand, onCancel }: ImportPreviewProps) {
  const takeable = plan.filter(({ verdict }) => verdict === 'add' || verdict === 'same-name');
  const left = plan.filter(({ verdict }) => verdict !== 'add' && verdict !== 'same-name');
  const [chosen, setChosen] = useState(
    () => new Set(plan.filter(({ verdict }) => verdict === 'add').map(({ line }) => line)),
  );
  const canAdd = useMore(takeable);
  const leftOut = useMore(left);
  const choose = (line: number, isChosen: boolean) => {
    const next = new Set(chosen);
    if (isChosen) next.add(line);
    else next.delete(line);
    setChosen(next);
  };
  const count = chosen.size;
  return (
    <div className="grid gap-3 border border-rule p-4">
      <h2 ref={focusOnMount} tabIndex={-1}>
        Import <UntrustedText value={file} max={80} />
      </h2>
      <p>{summary}</p>
      {takeable.length > 0 && (
        <>
          <h3>Can be added</h3>
          <ul className="border-t border-rule-strong" aria-label="Can be added">
            {canAdd.shown.map((line) => (
              <li key={line.line} className={lineClass}>
                <label className="check">
                  <input
                    type="checkbox"
                    checked={chosen.has(line.line)}
                    onChange={(event) => choose(line.line, event.target.checked)}
                  />
                  <What line={line} />
                </label>
                {line.reason !== '' && <p className="msg msg-open">{line.reason}</p>}
              </li>
            ))}
          </ul>
          {canAdd.more}
        </>
      )}
      {left.length > 0 && (
        <>
          <h3>Left out</h3>
          <ul className="border-t border-rule-strong" aria-label="Left out">
            {leftOut.shown.map((line) => (
              <li key={line.line} className={lineClass}>
                <What line={line} />
                <p className={`msg ${line.verdict === 'there' ? 'sub' : 'msg-alarm'}`}>{line.reason}</p>
                {line.verdict === 'look-alike' && (
                  <p>
                    <Button size="small" onClick={() => onByHand(line)}>
                      Compare and add manually
                    </Button>
                  </p>
                )}
              </li>
            ))}
          </ul>
          {leftOut.more}
        </>
      )}
      <div className="acts-row">
        <Button
          variant="primary"
          disabledReason={count === 0 ? 'Nothing is selected.' : undefined}
          onClick={() => onAdd(takeable.filter(({ line }) => chosen.has(line)))}
        >
          Add {counted(count, 'recipient', 'recipients')}
        </Button>
        <Button variant="quiet" onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </div>
  );
}

function What({ line: { line, name, chain, address, ...rest } }: { line: PlannedLine }) {
  const further = [rest.asset, rest.reference, rest.note].filter((text) => text !== '').join(' · ');
  return (
    <span className="flex min-w-0 flex-wrap gap-x-3">
      <span className="small sub">Line {line}</span>
      <b>
        <UntrustedText value={name === '' ? 'no name' : name} max={80} />
      </b>
      <span className="sub">
        <UntrustedText value={chainLabel(chain)} max={60} />
      </span>
      <UntrustedText mono value={address} max={120} />
      {further !== '' && <UntrustedText value={further} max={160} />}
    </span>
  );
}
