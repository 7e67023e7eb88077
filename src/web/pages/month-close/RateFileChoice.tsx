import { FileText, X } from 'lucide-react';
import { type ChangeEvent, useRef, useState } from 'react';
import { RATE_BYTES_MAX, type ShownMonth } from '#src/shared/contract/monthJobContract.ts';
import type { RateFault, Rates } from '#src/shared/statement/rates.ts';
import { counted } from '#src/shared/text.ts';
import { Button } from '#src/web/ui/Button.tsx';
import { Notice } from '#src/web/ui/Notice.tsx';
import { UntrustedText } from '#src/web/ui/UntrustedText.tsx';
import type { Closable } from './closingAttempt.ts';

type Choice =
  | { at: 'none' }
  | { at: 'reading' }
  | { at: 'faulty'; name: string; faults: readonly RateFault[] }
  | { at: 'good'; name: string; rates: Rates; bytes: Uint8Array; gaps: readonly string[] };

const SHOWN = 8;
const loadFiles = () =>
  Promise.all([import('#src/shared/statement/rates.ts'), import('#src/shared/files/decodeText.ts')]);

/** The optional rate file for closing a period. The dialog always opens without one. */
export function useRateFile(ready: Closable | null) {
  const [chosenFor, setChoice] = useState<{ month: ShownMonth | null; choice: Choice }>({
    month: null,
    choice: NO_FILE,
  });
  // A file that was slow to read must not replace one chosen later.
  const latest = useRef(0);
  // Every check before a close creates a new month object, which drops the choice.
  const month = ready?.month ?? null;
  const choice = chosenFor.month === month ? chosenFor.choice : NO_FILE;
  const show = (next: Choice): void => setChoice({ month, choice: next });

  async function read(chosen: File): Promise<Choice> {
    if (chosen.size > RATE_BYTES_MAX) return unusable(chosen, 'The file is larger than 4 MB.');
    const [{ readRates, withoutRate }, { decodeText }] = await loadFiles();
    const bytes = new Uint8Array(await chosen.arrayBuffer());
    const result = readRates(decodeText(bytes).text);
    if ('faults' in result) return { at: 'faulty', name: chosen.name, faults: result.faults };
    const { rates } = result;
    return { at: 'good', name: chosen.name, rates, bytes, gaps: withoutRate(rates, ready?.moved ?? []) };
  }

  const choose = (chosen: File): void => {
    const number = (latest.current += 1);
    const showLatest = (next: Choice): void => {
      if (number === latest.current) show(next);
    };
    showLatest({ at: 'reading' });
    read(chosen).then(showLatest, () => showLatest(unusable(chosen, 'The file can’t be read.')));
  };
  return {
    choice,
    /** Content of the file that will be used; null if none. */
    bytes: choice.at === 'good' ? choice.bytes : null,
    /** Why the period can’t be closed yet. Closing is final, so a chosen rate file must be valid first. */
    whyNot: choice.at === 'reading' ? 'Loading rates' : choice.at === 'faulty' ? 'Fix or remove the rates' : undefined,
    choose,
    remove: () => {
      latest.current += 1;
      show(NO_FILE);
    },
  };
}

const NO_FILE: Choice = { at: 'none' };

function unusable({ name }: File, text: string): Choice {
  return { at: 'faulty', name, faults: [{ line: null, text }] };
}

interface RateFileChoiceProps {
  rates: ReturnType<typeof useRateFile>;
  /** Why the rates can’t be changed now. */
  disabledReason: string | undefined;
}

export function RateFileChoice({ rates, disabledReason }: RateFileChoiceProps) {
  const { choice, choose, remove } = rates;
  const input = useRef<HTMLInputElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const take = ({ target }: ChangeEvent<HTMLInputElement>) => {
    const chosen = target.files?.[0];
    // Without this, choosing the same file again would fire no event.
    target.value = '';
    if (chosen) choose(chosen);
  };
  const hasFile = choice.at === 'faulty' || choice.at === 'good';
  return (
    <section className="grid gap-2" aria-label="Rates">
      <div className="acts-row">
        <Button
          size="small"
          icon={<FileText className="icon-s" aria-hidden />}
          disabledReason={disabledReason}
          ref={button}
          onClick={() => input.current?.click()}
        >
          {hasFile ? 'Choose other rates' : 'Add rates (optional)'}
        </Button>
        {/* The browser's file control cannot be styled like a button. */}
        <input ref={input} type="file" accept=".csv,text/csv" aria-label="Rate file" hidden onChange={take} />
        {hasFile && disabledReason === undefined && (
          <Button
            size="small"
            icon={<X className="icon-s" aria-hidden />}
            onClick={() => {
              // The pressed button is about to disappear.
              button.current?.focus();
              remove();
            }}
          >
            Remove rates
          </Button>
        )}
      </div>
      {choice.at === 'none' && (
        <p className="small sub">
          CSV with day, asset, currency, rate and source: adds a value to each row of the journal in the ZIP.
        </p>
      )}
      <div role="status" className="grid gap-2">
        {choice.at === 'reading' && <p className="sub">Loading rates…</p>}
        {choice.at === 'faulty' && <Faults {...choice} />}
        {choice.at === 'good' && <Good {...choice} />}
      </div>
    </section>
  );
}

function Faults({ name, faults }: Extract<Choice, { at: 'faulty' }>) {
  return (
    <Notice tone="alarm" title="These rates can’t be used.">
      <UntrustedText value={name} max={80} />
      <ul>
        {faults.slice(0, SHOWN).map(({ line, text }) => (
          <li key={`${line} ${text}`}>
            {line !== null && `Line ${line}: `}
            <UntrustedText value={text} max={200} />
          </li>
        ))}
      </ul>
      {faults.length > SHOWN && `And ${counted(faults.length - SHOWN, 'more fault', 'more faults')}.`}
    </Notice>
  );
}

function Good({ name, rates, gaps }: Extract<Choice, { at: 'good' }>) {
  return (
    <>
      <p>
        {counted(rates.count, 'rate', 'rates')} in {rates.currency} from <UntrustedText value={name} max={80} />.
      </p>
      {gaps.length > 0 && (
        <Notice
          tone="open"
          title={`${counted(gaps.length, 'rate is', 'rates are')} missing. Rows without one have no value.`}
        >
          <UntrustedText value={gaps.slice(0, SHOWN).join(', ')} max={400} />
          {gaps.length > SHOWN && ` and ${counted(gaps.length - SHOWN, 'more', 'more')}`}
        </Notice>
      )}
    </>
  );
}
