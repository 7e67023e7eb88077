import { FileText, X } from 'lucide-react';
import { type ChangeEvent, useRef, useState } from 'react';
import type { RateFault } from '#src/shared/statement/rates.ts';
import { counted } from '#src/shared/text.ts';
import type { Zone } from '#src/shared/time.ts';
import { Button } from '#src/web/ui/Button.tsx';
import { Notice } from '#src/web/ui/Notice.tsx';
import { UntrustedText } from '#src/web/ui/UntrustedText.tsx';
import type { RateFile } from './statement.ts';
import type { Closable } from './useMonthClose.ts';

type Choice =
  | { at: 'none' }
  | { at: 'reading' }
  | { at: 'faulty'; name: string; faults: readonly RateFault[] }
  | { at: 'good'; file: RateFile; gaps: readonly string[] };

const BYTES_MAX = 4_000_000;
const SHOWN = 8;
const loadFiles = () =>
  Promise.all([
    import('./statement.ts'),
    import('#src/shared/statement/rates.ts'),
    import('#src/shared/files/decodeText.ts'),
  ]);

/** The optional rate file of a close. Another closing starts without one. */
export function useRateFile(ready: Closable | null, zone: Zone) {
  const [{ of, choice }, set] = useState<{ of: string | null; choice: Choice }>({ of: null, choice: { at: 'none' } });
  // A file that was slow to read must not replace one chosen later.
  const latest = useRef(0);
  const closing = ready?.closing ?? null;
  const now: Choice = of === closing ? choice : { at: 'none' };
  const show = (next: Choice): void => set({ of: closing, choice: next });

  async function read(chosen: File): Promise<Choice> {
    const faulty = (text: string): Choice => ({ at: 'faulty', name: chosen.name, faults: [{ line: 1, text }] });
    if (chosen.size > BYTES_MAX) return faulty('This file is too large.');
    const [{ withoutRate }, { readRates }, { decodeText }] = await loadFiles();
    const bytes = new Uint8Array(await chosen.arrayBuffer());
    const answer = readRates(decodeText(bytes).text);
    if ('faults' in answer) return { at: 'faulty', name: chosen.name, faults: answer.faults };
    const file: RateFile = { name: chosen.name, rates: answer.rates, bytes: new Blob([bytes]) };
    return { at: 'good', file, gaps: ready === null ? [] : await withoutRate({ ...ready, zone, rates: file }) };
  }

  const choose = (chosen: File): void => {
    const number = (latest.current += 1);
    const showLatest = (next: Choice): void => {
      if (number === latest.current) show(next);
    };
    showLatest({ at: 'reading' });
    const unreadable: Choice = { at: 'faulty', name: chosen.name, faults: [{ line: 1, text: 'It can’t be read.' }] };
    read(chosen).then(showLatest, () => showLatest(unreadable));
  };
  return {
    choice: now,
    file: now.at === 'good' ? now.file : null,
    /** Closing without the values that somebody meant to add could not be undone. */
    whyNot: now.at === 'reading' ? 'Reading rates' : now.at === 'faulty' ? 'Fix or remove the rates' : undefined,
    choose,
    remove: () => {
      latest.current += 1;
      show({ at: 'none' });
    },
  };
}

export function RateFileChoice({ rates, disabled }: { rates: ReturnType<typeof useRateFile>; disabled: boolean }) {
  const { choice, choose, remove } = rates;
  const input = useRef<HTMLInputElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const take = ({ target }: ChangeEvent<HTMLInputElement>) => {
    const chosen = target.files?.[0];
    // Otherwise choosing the same file again fires no event.
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
          disabledReason={disabled ? 'Saving' : undefined}
          ref={button}
          onClick={() => input.current?.click()}
        >
          {hasFile ? 'Choose other rates' : 'Add rates (optional)'}
        </Button>
        {/* The browser's file control cannot be styled like a button. */}
        <input ref={input} type="file" accept=".csv,text/csv" aria-label="Rate file" hidden onChange={take} />
        {hasFile && !disabled && (
          <Button
            size="small"
            icon={<X className="icon-s" aria-hidden />}
            onClick={() => {
              // This button goes.
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
        {choice.at === 'reading' && <p className="sub">Reading the rates…</p>}
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
            Line {line}: <UntrustedText value={text} max={200} />
          </li>
        ))}
      </ul>
      {faults.length > SHOWN && `And ${counted(faults.length - SHOWN, 'more fault', 'more faults')}.`}
    </Notice>
  );
}

function Good({ file: { name, rates }, gaps }: Extract<Choice, { at: 'good' }>) {
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
