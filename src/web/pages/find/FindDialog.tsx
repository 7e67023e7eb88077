import { Search, X } from 'lucide-react';
import {
  type ComponentProps,
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
import { chains, faultByForm } from '#src/shared/chains/chains.ts';
import { plainText } from '#src/shared/classifyQuery.ts';
import { revealHidden, counted } from '#src/shared/text.ts';
import { announce, LiveRegion } from '#src/web/ui/announce.tsx';
import { Button } from '#src/web/ui/Button.tsx';
import { useModal } from '#src/web/ui/Dialog.tsx';
import { useSingleKeys } from '#src/web/ui/Keys.tsx';
import { groupsOf, Results } from './Results.tsx';
import { type Group, type FindOption, type PageLink, termsInWords } from './options.ts';
import { blockClass, outcome, ScanStatus, SEARCH_STOPPED, searched } from './ScanStatus.tsx';
import { type AddressAnswer, SearchReply, withMail } from './SearchReply.tsx';
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
  const deferredText = useDeferredValue(text);
  // The field is rendered first, ready for the next key; the options follow.
  const isFieldShown = useDeferredValue(true, false);
  const find = useFind(deferredText);
  const dialog = useRef<HTMLDialogElement>(null);
  const field = useRef<HTMLInputElement>(null);
  useModal(dialog, true);
  const listId = useId();
  const showKeys = useSingleKeys();
  const { wanted, scan, running } = find;
  const { groups, options, active, setActive } = useOptions({ find, pages, creates, text: deferredText });
  const optionId = ({ key }: FindOption) => `${listId}-${options.findIndex((option) => option.key === key)}`;
  const isSearchable = (wanted.exact ?? wanted.amount ?? wanted.words) !== undefined;
  const { searchIndex } = find;
  const addressAnswer = useMemo(() => answerForAddress(wanted, searchIndex, groups), [wanted, searchIndex, groups]);
  const navigate = useNavigate();
  const enter = () => {
    if (active) {
      onClose();
      void navigate(active.to, { state: active.state });
    } else if (isSearchable && !running) find.begin();
  };
  const pendingEnter = usePendingEnter(enter, deferredText === text);
  const change = (next: string) => {
    pendingEnter.cancel();
    setText(next);
    find.forget();
  };
  /** Removes terms from the text or replaces them, and keeps the focus in the field. */
  const replace = (terms: readonly string[], by = ' ') => {
    const rest = terms.reduce((left, from) => left.replace(from, by), plainText(text));
    change(rest.replaceAll(/\s+/g, ' ').trim());
    field.current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step === undefined && event.key !== 'Enter') return;
    event.preventDefault();
    if (step === undefined) pendingEnter.press();
    else
      setActive(
        options[((active ? options.indexOf(active) : Math.min(-step, 0)) + step + options.length) % options.length],
      );
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
  return (
    <dialog
      className="pal"
      aria-label="Search"
      ref={dialog}
      onClose={onClose}
      onPointerDown={({ target, currentTarget }) => target === currentTarget && currentTarget.close()}
    >
      <LiveRegion />
      <SearchField
        listId={listId}
        isOpen={options.length > 0}
        aria-activedescendant={activeId}
        value={text}
        ref={field}
        onChange={({ target }) => change(target.value)}
        onKeyDown={onKeyDown}
        onClose={onClose}
      />
      <SearchTerms find={find} onReplace={replace} />
      <div className="min-h-0 overflow-x-hidden overflow-y-auto [@media(max-height:24rem)]:overflow-visible">
        <Results
          id={listId}
          groups={isFieldShown ? groups : []}
          active={active}
          optionId={optionId}
          showKeys={showKeys}
          onGo={onClose}
        />
        {addressAnswer && <AddressAnswerText answer={addressAnswer} created={find.searchIndex.addresses.length} />}
        {isSearchable && scan === null && <SearchAll onSearch={find.begin} />}
        <ScanStatus find={find} onText={change} onReplace={replace} />
        <SearchReply text={deferredText} find={find} addressAnswer={addressAnswer} />
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

type Find = ReturnType<typeof useFind>;

interface OptionsInput extends Pick<FindDialogProps, 'pages' | 'creates'> {
  find: Find;
  /** The text that the options are for. */
  text: string;
}

/** The options for a text. The active one stays active and in the list when more is found. */
function useOptions({ find, pages, creates, text }: OptionsInput) {
  const [choice, setChoice] = useState<{ option: FindOption; of: string } | null>(null);
  const { wanted, searchIndex, zone, scan } = find;
  const chosen = choice?.of === text ? choice.option : undefined;
  const groups = useMemo(
    () =>
      withMail(
        groupsOf({ wanted, searchIndex, pages, creates, zone }, scan?.matches ?? [], chosen?.payment),
        text,
        wanted,
      ),
    [wanted, searchIndex, pages, creates, zone, scan, chosen?.payment, text],
  );
  const options = groups.flatMap((group) => group.options);
  const best = options.find(({ payment }) => payment && payment.fit !== 'other') ?? options[0];
  // While a better match may still be found, no page or near amount becomes active.
  const isBest = !find.isAwaited || best?.payment?.fit === (wanted.exact ? 'named' : 'exact');
  const active = options.find(({ key }) => key === chosen?.key) ?? (isBest ? best : undefined);
  if (active && active.key !== chosen?.key) setChoice({ option: active, of: text });
  return {
    groups,
    options,
    active,
    setActive: (option: FindOption | undefined) => option && setChoice({ option, of: text }),
  };
}

/** Enter that was pressed before the options caught up with the text takes effect when they have. */
function usePendingEnter(enter: () => void, isCurrent: boolean) {
  const isPending = useRef(false);
  const enterNow = useEffectEvent(enter);
  useEffect(() => {
    if (!isPending.current || !isCurrent) return;
    isPending.current = false;
    enterNow();
  }, [isCurrent]);
  return {
    press: () => {
      if (isCurrent) enter();
      else isPending.current = true;
    },
    cancel: () => {
      isPending.current = false;
    },
  };
}

/** Null for other texts, while the addresses created here are loading, and if one of them is the pasted one. */
function answerForAddress(
  { exact = [] }: Find['wanted'],
  searchIndex: Find['searchIndex'],
  groups: readonly Group[],
): AddressAnswer | null {
  const [fault] = exact.flatMap((id) => faultByForm(id) ?? []);
  const isFound = groups.some(({ title, options }) => title === 'Addresses' || options.some(({ payment }) => payment));
  if (fault !== undefined && !isFound) return { kind: 'fault', words: fault };
  const isAddress = exact.some((id) => chains.some(({ checkAddress }) => checkAddress(id).ok));
  if (!isAddress || !searchIndex.allAddresses || groups.some(({ title }) => title === 'Addresses')) return null;
  return { kind: searchIndex.addresses.length > 0 ? 'not-ours' : 'unknown' };
}

type SearchFieldProps = ComponentProps<'input'> & { listId: string; isOpen: boolean; onClose: () => void };

function SearchField({ listId, isOpen, onClose, ...input }: SearchFieldProps) {
  return (
    <div className="flex focus-within:shadow-[inset_4px_0_0_var(--color-accent)] min-h-13 flex-none items-center gap-3 border-b border-rule-strong px-4">
      <Search className="text-accent" aria-hidden />
      <input
        type="text"
        className="h-9 min-w-16 flex-1 text-lead text-ellipsis placeholder:text-ink-3 focus-visible:outline-none"
        role="combobox"
        aria-label="Search payments, addresses, hashes"
        aria-expanded={isOpen}
        aria-controls={listId}
        aria-autocomplete="list"
        placeholder="Paste an ID, hash, address or amount"
        autoComplete="off"
        autoCapitalize="off"
        enterKeyHint="go"
        spellCheck={false}
        maxLength={2000}
        {...input}
      />
      <button type="button" className="min-h-6 min-w-6" onClick={onClose} aria-label="Close">
        <kbd translate="no" aria-hidden>
          Esc
        </kbd>
      </button>
    </div>
  );
}

/** The search terms read from the text, each as a button that removes it. */
function SearchTerms({ find, onReplace }: { find: Find; onReplace: (terms: readonly string[]) => void }) {
  const { wanted, zone } = find;
  const terms = termsInWords(wanted, zone);
  if (terms.length === 0) return null;
  return (
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
          onClick={() => onReplace([from])}
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
        <Button size="small" onClick={() => onReplace([wanted.amount?.from ?? ''])}>
          Search {revealHidden(wanted.further.from)} instead
        </Button>
      )}
    </div>
  );
}

function AddressAnswerText({ answer, created }: { answer: AddressAnswer; created: number }) {
  return (
    <p className="sub px-4 py-3 wrap-anywhere">
      {answer.kind === 'fault' && <b>{answer.words}</b>}
      {answer.kind === 'not-ours' && (
        <b>Not one of the {counted(created, 'deposit address', 'deposit addresses')} created here.</b>
      )}
      {answer.kind === 'unknown' && (
        <>
          <b>No deposit address was created here</b>, so it can’t be told from here whether this one is yours. The
          provider knows.
        </>
      )}
    </p>
  );
}

function SearchAll({ onSearch }: { onSearch: () => void }) {
  return (
    <div className={`acts-row ${blockClass}`}>
      <Button size="small" onClick={onSearch}>
        Search all payments
      </Button>
      <span className="small sub">Searches every payment, newest first.</span>
    </div>
  );
}

function foundWords(groups: readonly Group[], find: Find): string {
  const { running, wanted } = find;
  if (Object.keys(wanted).length === 0 || running) return '';
  const count = groups.flatMap(({ options }) => options).length;
  const results = count === 0 ? '' : `${counted(count, 'result', 'results')}. `;
  const stopped = find.error === null ? '' : `${SEARCH_STOPPED}. `;
  return `${results}${stopped}${outcome(find)?.heading ?? ''}`.trim();
}
