import { Search, X } from 'lucide-react';
import {
  type KeyboardEvent,
  useDeferredValue,
  useEffect,
  useEffectEvent,
  useId,
  useMemo,
  useRef,
  useState,
} from 'react';
import { useNavigate } from 'react-router';
import { chains } from '#src/shared/chains/chains.ts';
import { plainText } from '#src/shared/classifyQuery.ts';
import { revealHidden, counted } from '#src/shared/text.ts';
import { announce, LiveRegion } from '#src/web/ui/announce.tsx';
import { Button } from '#src/web/ui/Button.tsx';
import { useModal } from '#src/web/ui/Dialog.tsx';
import { useSingleKeys } from '#src/web/ui/Keys.tsx';
import { groupsOf, Results } from './Results.tsx';
import { type Group, type FindOption, type PageLink, termsInWords } from './options.ts';
import { blockClass, outcome, ScanStatus, searched } from './ScanStatus.tsx';
import { SearchReply, withMail } from './SearchReply.tsx';
import { useFind } from './useFind.ts';

export interface FindDialogProps {
  pages: readonly PageLink[];
  creates: readonly PageLink[];
  /** Text typed before the dialog was loaded. */
  typed: string;
  onClose: () => void;
}

export function FindDialog({ pages, creates, typed, onClose }: FindDialogProps) {
  const [text, setText] = useState(typed);
  /** The active option of a text: it stays active, whatever else is found. */
  const [activeChoice, setActiveChoice] = useState<{ option: FindOption; of: string } | null>(null);
  const deferredText = useDeferredValue(text);
  // The field is rendered first, ready for the next key; the options follow.
  const isFieldShown = useDeferredValue(true, false);
  const find = useFind(deferredText);
  /** Enter was pressed before the options caught up with the text. */
  const enterPending = useRef(false);
  const navigate = useNavigate();
  const dialog = useRef<HTMLDialogElement>(null);
  const field = useRef<HTMLInputElement>(null);
  useModal(dialog, true);
  const listId = useId();
  const showKeys = useSingleKeys();
  const { wanted, searchIndex, zone, scan, running } = find;
  const chosen = activeChoice?.of === deferredText ? activeChoice.option : undefined;
  const groups = useMemo(
    () =>
      withMail(
        groupsOf({ wanted, searchIndex, pages, creates, zone }, scan?.matches ?? [], chosen?.payment),
        deferredText,
        wanted.chain?.value,
      ),
    [wanted, searchIndex, pages, creates, zone, scan, chosen?.payment, deferredText],
  );
  const options = groups.flatMap((group) => group.options);
  const best = options.find(({ payment }) => payment && payment.fit !== 'other') ?? options[0];
  // While a better match may still be found, no page or near amount becomes active.
  const isBest = !find.isAwaited || best?.payment?.fit === (wanted.exact ? 'named' : 'exact');
  const active = options.find(({ key }) => key === chosen?.key) ?? (isBest ? best : undefined);
  if (active && active.key !== chosen?.key) setActiveChoice({ option: active, of: deferredText });
  const optionId = ({ key }: FindOption) => `${listId}-${options.findIndex((option) => option.key === key)}`;
  const isOther =
    searchIndex.allAddresses &&
    wanted.exact?.some((id) => chains.some(({ checkAddress }) => checkAddress(id).ok)) === true &&
    !groups.some(({ title }) => title === 'Addresses');
  const isSearchable = wanted.exact ?? wanted.amount ?? wanted.words;
  const change = (next: string) => {
    enterPending.current = false;
    setText(next);
    find.forget();
  };
  /** Removes terms from the text or replaces them, and keeps the focus in the field. */
  const replace = (terms: readonly string[], by = ' ') => {
    const rest = terms.reduce((left, from) => left.replace(from, by), plainText(text));
    change(rest.replaceAll(/\s+/g, ' ').trim());
    field.current?.focus();
  };
  const enter = () => {
    if (active) {
      onClose();
      void navigate(active.to, { state: active.state });
    } else if (isSearchable && !running) find.begin();
  };
  const enterNow = useEffectEvent(enter);
  useEffect(() => {
    if (!enterPending.current || deferredText !== text) return;
    enterPending.current = false;
    enterNow();
  }, [deferredText, text]);
  const move = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      const step = event.key === 'ArrowDown' ? 1 : -1;
      const at = active ? options.indexOf(active) : Math.min(-step, 0);
      const next = options[(at + step + options.length) % options.length];
      if (next) setActiveChoice({ option: next, of: deferredText });
    } else if (event.key === 'Enter') {
      event.preventDefault();
      if (deferredText === text) enter();
      else enterPending.current = true;
    }
  };
  const activeId = active && optionId(active);
  useEffect(() => {
    if (activeId !== undefined) document.getElementById(activeId)?.scrollIntoView({ block: 'nearest' });
  }, [activeId]);
  const announcement = foundWords(groups, find);
  useEffect(() => {
    if (announcement !== '') announce(announcement);
  }, [announcement]);
  // When a focused button disappears, the focus goes to the field.
  useEffect(() => {
    if (document.activeElement === document.body) field.current?.focus();
  });
  const terms = termsInWords(wanted, zone);
  return (
    <dialog
      className="pal"
      aria-label="Search"
      ref={dialog}
      onClose={onClose}
      onPointerDown={({ target, currentTarget }) => target === currentTarget && currentTarget.close()}
    >
      <LiveRegion />
      <div className="flex focus-within:shadow-[inset_4px_0_0_var(--color-accent)] min-h-13 flex-none items-center gap-3 border-b border-rule-strong px-4">
        <Search className="text-accent" aria-hidden />
        <input
          type="text"
          className="h-9 min-w-16 flex-1 text-lead text-ellipsis placeholder:text-ink-3 focus-visible:outline-none"
          role="combobox"
          aria-label="Search payments, addresses, hashes"
          aria-expanded={options.length > 0}
          aria-controls={listId}
          aria-autocomplete="list"
          aria-activedescendant={activeId}
          placeholder="Paste an ID, hash, address or amount"
          autoComplete="off"
          autoCapitalize="off"
          enterKeyHint="go"
          spellCheck={false}
          maxLength={2000}
          value={text}
          ref={field}
          onChange={({ target }) => change(target.value)}
          onKeyDown={move}
        />
        <button type="button" className="min-h-6 min-w-6" onClick={onClose} aria-label="Close">
          <kbd translate="no" aria-hidden>
            Esc
          </kbd>
        </button>
      </div>
      {terms.length > 0 && (
        <div
          className="flex max-h-32 flex-none flex-wrap items-center gap-2 overflow-y-auto border-b border-rule bg-inset px-4 py-2 text-small text-ink-3"
          role="group"
          aria-label="Searching for"
        >
          <span aria-hidden>Searching for</span>
          {terms.map(({ label, value, from }) => (
            <button
              key={`${label} ${from}`}
              type="button"
              className="pal-term inline-flex min-h-6.5 max-w-full items-center gap-1.5 rounded-sm border border-accent bg-sheet pr-2 pl-2.75 text-left wrap-anywhere shadow-[inset_3px_0_0_var(--color-accent)] hover:bg-hover"
              onClick={() => replace([from])}
            >
              <span className="sub whitespace-nowrap">{label}</span>{' '}
              <bdi className="min-w-0 font-semibold text-ink" translate="no">
                {revealHidden(value)}
              </bdi>
              <X className="icon-s" aria-hidden />
              <span className="vh">, remove</span>
            </button>
          ))}
          {wanted.further && wanted.amount && (
            <Button size="small" onClick={() => replace([wanted.amount?.from ?? ''])}>
              Search {revealHidden(wanted.further.from)} instead
            </Button>
          )}
        </div>
      )}
      <div className="min-h-0 overflow-x-hidden overflow-y-auto [@media(max-height:24rem)]:overflow-visible">
        <Results
          id={listId}
          groups={isFieldShown ? groups : []}
          active={active}
          optionId={optionId}
          showKeys={showKeys}
          onGo={onClose}
        />
        {isOther && (
          <p className="sub px-4 py-3 wrap-anywhere">
            <b>Not your deposit address</b>, as far as is known here:{' '}
            {counted(searchIndex.addresses.length, 'address was', 'addresses were')} created here.
          </p>
        )}
        {isSearchable && scan === null && (
          <div className={`acts-row ${blockClass}`}>
            <Button size="small" onClick={find.begin}>
              Search all payments
            </Button>
            <span className="small sub">Searches every payment, newest first.</span>
          </div>
        )}
        <ScanStatus find={find} onText={change} onReplace={replace} />
        <SearchReply text={deferredText} find={find} isOther={isOther} />
      </div>
      <div className="flex min-h-9 flex-none flex-wrap items-center gap-x-4 gap-y-1 border-t border-rule-strong bg-inset px-4 py-2 text-small text-ink-3 narrow:has-[>:last-child:empty]:hidden">
        <span aria-hidden className="narrow:hidden">
          <kbd translate="no">↑</kbd> <kbd translate="no">↓</kbd> move
        </span>
        <span aria-hidden className="narrow:hidden">
          <kbd translate="no">Enter</kbd> open
        </span>
        <span className="ml-auto">{scan && !running && `Searched ${searched(find)}`}</span>
      </div>
    </dialog>
  );
}

function foundWords(groups: readonly Group[], find: ReturnType<typeof useFind>): string {
  const { running, wanted } = find;
  if (Object.keys(wanted).length === 0 || running) return '';
  const count = groups.flatMap(({ options }) => options).length;
  const results = count === 0 ? '' : `${counted(count, 'result', 'results')}. `;
  return `${results}${outcome(find)?.heading ?? ''}`.trim();
}
