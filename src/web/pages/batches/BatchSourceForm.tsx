import { Download, FileUp } from 'lucide-react';
import { type ChangeEvent, type DragEvent, type FormEvent, useRef, useState } from 'react';
import { BATCH_TEMPLATE, readBatchBytes } from '#src/shared/batches/batchFile.ts';
import { BATCH_FILE_MAX, BATCH_LINES_MAX } from '#src/shared/contract/batchContract.ts';
import { numberWords } from '#src/shared/text.ts';
import { Button } from '#src/web/ui/Button.tsx';
import { Field, inputClass } from '#src/web/ui/Field.tsx';
import { Notice } from '#src/web/ui/Notice.tsx';
import { saveFile } from '#src/web/ui/saveFile.ts';
import type { BatchSource } from './batchRequest.ts';

const FILE_TYPES = '.csv,.tsv,.txt,text/csv,text/tab-separated-values,text/plain';
/** A character has two bytes in UTF-16, and up to four in UTF-8. */
const BYTES_MAX = BATCH_FILE_MAX * 4;

interface BatchSourceFormProps {
  /** Rows that were pasted before, for correction. */
  pasted: string;
  onTake: (source: BatchSource) => void;
}

/** Takes a file by drop or choice, or pasted rows. */
export function BatchSourceForm({ pasted, onTake }: BatchSourceFormProps) {
  const [problem, setProblem] = useState<string | null>(null);
  const open = async (file: File): Promise<void> => {
    const content =
      file.size > BYTES_MAX
        ? { problem: `The file is longer than ${numberWords(BATCH_FILE_MAX)} characters.` }
        : readBatchBytes(new Uint8Array(await file.arrayBuffer()));
    if ('problem' in content) setProblem(content.problem);
    else onTake({ name: file.name, text: content.text });
  };
  const take = (file: File): void => {
    setProblem(null);
    open(file).catch(() => setProblem('This file couldn’t be read.'));
  };
  return (
    <div className="grid max-w-184 gap-6">
      <DropZone onFile={take} />
      {problem !== null && (
        <Notice tone="alarm" live title="This file can’t be used.">
          {problem}
        </Notice>
      )}
      <PasteForm pasted={pasted} onTake={onTake} />
      <Format />
    </div>
  );
}

function DropZone({ onFile }: { onFile: (file: File) => void }) {
  const input = useRef<HTMLInputElement>(null);
  const [isOver, setOver] = useState(false);
  const over = (event: DragEvent): void => {
    event.preventDefault();
    setOver(true);
  };
  const drop = (event: DragEvent): void => {
    event.preventDefault();
    setOver(false);
    const file = event.dataTransfer.files[0];
    if (file) onFile(file);
  };
  const choose = ({ target }: ChangeEvent<HTMLInputElement>): void => {
    const file = target.files?.[0];
    // Without this, choosing the same file again would fire no event.
    target.value = '';
    if (file) onFile(file);
  };
  return (
    <div
      className={`grid justify-items-center gap-3 border border-dashed p-8 text-center ${isOver ? 'border-accent bg-selected' : 'border-rule-strong bg-inset'}`}
      onDragOver={over}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <FileUp className="text-ink-2" aria-hidden />
      <p>
        <b>Drop a CSV file here</b>
        <span className="sub block small">A line for each payment, up to {BATCH_LINES_MAX}.</span>
      </p>
      <div className="acts-row justify-center">
        <Button variant="primary" onClick={() => input.current?.click()}>
          Choose a file
        </Button>
        <Button
          variant="quiet"
          icon={<Download aria-hidden />}
          onClick={() => saveFile('batch-template.csv', [BATCH_TEMPLATE])}
        >
          Download the template
        </Button>
      </div>
      <input ref={input} type="file" accept={FILE_TYPES} hidden aria-label="File of payments" onChange={choose} />
    </div>
  );
}

function PasteForm({ pasted, onTake }: BatchSourceFormProps) {
  const field = useRef<HTMLTextAreaElement>(null);
  const [error, setError] = useState<string | null>(null);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const text = field.current?.value ?? '';
    setError(text.trim() === '' ? 'Paste the rows first.' : null);
    if (text.trim() === '') field.current?.focus();
    else onTake({ name: null, text });
  };
  return (
    <form className="grid gap-3" noValidate onSubmit={submit}>
      <Field
        label="Paste rows"
        hint="(instead of a file)"
        help="From a spreadsheet, with the line of column names."
        error={error}
      >
        {(control) => (
          <textarea
            {...control}
            ref={field}
            className={`${inputClass} font-mono`}
            rows={pasted === '' ? 5 : 12}
            wrap="off"
            defaultValue={pasted}
            maxLength={BATCH_FILE_MAX}
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
          />
        )}
      </Field>
      <p className="acts-row">
        <Button type="submit">Review pasted rows</Button>
      </p>
    </form>
  );
}

const COLUMN_WORDS = [
  ['recipient', 'The name of a saved recipient, who is paid at the saved address.'],
  [
    'address',
    'Required if the recipient isn’t saved. Leave it empty to use the saved address. If you enter another one, you must confirm it.',
  ],
  ['asset', 'The code, such as USDT.'],
  ['chain', 'Such as tron.'],
  ['amount', 'Plain decimals: 1250.50. You are asked once about commas, or points, that can be read two ways.'],
  ['reference', 'Optional, such as an invoice number. Only your team sees it. Must be unique.'],
] as const;

function Format() {
  return (
    <details className="small">
      <summary>What the file has to look like</summary>
      <dl className="facts pt-2">
        {COLUMN_WORDS.map(([name, words]) => (
          <div key={name}>
            <dt className="mono" translate="no">
              {name}
            </dt>
            <dd>{words}</dd>
          </div>
        ))}
      </dl>
      <p className="sub pt-2">
        The first line names the columns, in any order. Commas, semicolons or tabs separate them. One line that can’t be
        read refuses the whole file: nothing is guessed.
      </p>
    </details>
  );
}
