import { useState } from 'react';
import type { ChainAddress } from '#src/shared/chains/lookAlike.ts';
import { chainLabel } from '#src/shared/chains/names.ts';
import { counted } from '#src/shared/text.ts';
import { Button } from '#src/web/ui/Button.tsx';
import { Check } from '#src/web/ui/Check.tsx';
import { Message } from '#src/web/ui/Field.tsx';
import { focusOnMount } from '#src/web/ui/focus.ts';
import { useShowMore } from '#src/web/ui/useShowMore.tsx';
import { UntrustedText } from '#src/web/ui/UntrustedText.tsx';
import type { ImportNote } from './importFile.ts';
import type { PlannedLine } from './importPlan.ts';

/** Text below a line is indented by the width of its checkbox. */
const lineClass = 'grid gap-1 border-b border-rule p-2 wrap-anywhere [&>:not(.check)]:pl-6.5';

interface ImportPreviewProps {
  file: string;
  notes: readonly ImportNote[];
  plan: readonly PlannedLine[];
  summary: string;
  onAdd: (lines: PlannedLine[]) => void;
  onByHand: (draft: ChainAddress & { name: string }) => void;
  onCancel: () => void;
}

export function ImportPreview({ file, notes, plan, summary, onAdd, onByHand, onCancel }: ImportPreviewProps) {
  const takeable = plan.filter(({ verdict }) => verdict === 'add' || verdict === 'same-name');
  const left = plan.filter(({ verdict }) => verdict !== 'add' && verdict !== 'same-name');
  const [chosen, setChosen] = useState(
    () => new Set(plan.filter(({ verdict }) => verdict === 'add').map(({ line }) => line)),
  );
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
      <ImportNotes notes={notes} />
      <p>{summary}</p>
      {takeable.length > 0 && <TakeableLines lines={takeable} chosen={chosen} onChoose={choose} />}
      {left.length > 0 && <LeftOutLines lines={left} onByHand={onByHand} />}
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

interface TakeableLinesProps {
  lines: readonly PlannedLine[];
  chosen: ReadonlySet<number>;
  onChoose: (line: number, isChosen: boolean) => void;
}

function TakeableLines({ lines, chosen, onChoose }: TakeableLinesProps) {
  const { shown, more } = useShowMore(lines);
  return (
    <>
      <h3>Can be added</h3>
      <ul className="border-t border-rule-strong" aria-label="Can be added">
        {shown.map((line) => (
          <li key={line.line} className={lineClass}>
            <Check isChecked={chosen.has(line.line)} onChange={(isChecked) => onChoose(line.line, isChecked)}>
              <What line={line} />
            </Check>
            {line.reason !== '' && <p className="msg msg-open">{line.reason}</p>}
          </li>
        ))}
      </ul>
      {more}
    </>
  );
}

function LeftOutLines({ lines, onByHand }: { lines: readonly PlannedLine[] } & Pick<ImportPreviewProps, 'onByHand'>) {
  const { shown, more } = useShowMore(lines);
  return (
    <>
      <h3>Left out</h3>
      <ul className="border-t border-rule-strong" aria-label="Left out">
        {shown.map((line) => (
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
      {more}
    </>
  );
}

export function ImportNotes({ notes }: { notes: readonly ImportNote[] }) {
  if (notes.length === 0) return null;
  return (
    <div className="grid gap-1">
      {notes.map(({ tone, text }) => (
        <Message key={text} tone={tone}>
          {text}
        </Message>
      ))}
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
