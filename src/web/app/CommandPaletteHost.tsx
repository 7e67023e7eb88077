import { Search } from 'lucide-react';
import {
  type Dispatch,
  lazy,
  type SetStateAction,
  Suspense,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useMemo,
  useState,
} from 'react';
import { useLocation, useNavigate } from 'react-router';
import { useSession } from '#src/web/api/session.ts';
import type { FindDialogProps } from '#src/web/pages/find/FindDialog.tsx';
import { firstPaint } from '#src/web/ui/firstPaint.ts';
import { isOverlaid, shouldIgnoreShortcut, useSingleKeys } from '#src/web/ui/Keys.tsx';
import { useLoaded } from '#src/web/ui/useLoaded.ts';
import { formItems, navGroups, type NavItem } from './navItems.ts';

const ShortcutsDialog = lazy(() =>
  import('./ShortcutsDialog.tsx').then((module) => ({ default: module.ShortcutsDialog })),
);

/** Time for the first rows of a list to be loaded first. */
const PRELOAD_DELAY_MS = 1000;
const loadFind = () => import('#src/web/pages/find/FindDialog.tsx');
/** A failure is ignored: opening the search loads it again and reports the error. */
const preloadFind = async () => {
  await new Promise((resolve) => setTimeout(resolve, PRELOAD_DELAY_MS));
  return loadFind().catch(() => null);
};

export type Overlay = 'find' | 'keys' | null;

export function FindButton({ onFind }: { onFind: () => void }) {
  const showKey = useSingleKeys();
  return (
    <button type="button" className="find-open" onClick={onFind} aria-keyshortcuts="Control+K Meta+K /">
      <Search aria-hidden />
      <span>
        Search<span className="vh"> payments, addresses, hashes</span>
      </span>
      {showKey && (
        <kbd translate="no" aria-hidden>
          /
        </kbd>
      )}
    </button>
  );
}

/** Dialogs that open over any page by keyboard. Outside the navigation, which narrow windows hide. */
export function Overlays({ overlay, onOverlay }: { overlay: Overlay; onOverlay: Dispatch<SetStateAction<Overlay>> }) {
  const session = useSession();
  const pages = useMemo(() => navGroups(session).flatMap(({ items }) => items), [session]);
  const creates = useMemo(() => formItems(session), [session]);
  const items = useMemo(() => [...new Set([...pages, ...creates])], [pages, creates]);
  // A dialog's close event comes late: by then a key may have opened the other dialog.
  const close = (which: Overlay) => () => onOverlay((open) => (open === which ? null : open));
  const prefix = useShortcuts({ items, onFind: () => onOverlay('find'), onHelp: () => onOverlay('keys') });
  useRecentPages();
  const [typed, setTyped] = useState('');
  const closeFind = () => {
    setTyped('');
    close('find')();
  };
  const isFinding = overlay === 'find';
  const { value: find, failed } = useLoaded(isFinding ? loadFind : preloadFind);
  if (failed) throw new Error('The search could not be loaded.');
  return (
    <>
      {isFinding && find && <find.FindDialog pages={pages} creates={creates} typed={typed} onClose={closeFind} />}
      {isFinding && !find && <EarlyField typed={typed} onType={setTyped} onClose={closeFind} />}
      {overlay === 'keys' && (
        <Suspense>
          <ShortcutsDialog items={items} onClose={close('keys')} />
        </Suspense>
      )}
      {prefix !== null && (
        <output className="key-hint">
          {items
            .filter(({ keys }) => keys.startsWith(prefix))
            .map(({ keys, label }) => (
              <span key={keys}>
                <kbd translate="no">{keys.slice(2)}</kbd> {label}
              </span>
            ))}
        </output>
      )}
    </>
  );
}

interface EarlyFieldProps extends Pick<FindDialogProps, 'typed' | 'onClose'> {
  onType: (text: string) => void;
}

function showModal(dialog: HTMLDialogElement): () => void {
  dialog.showModal();
  return () => dialog.close();
}

/** Replaces the dialog until its code is loaded, so that text typed right after the shortcut isn't lost. */
function EarlyField({ typed, onType, onClose }: EarlyFieldProps) {
  return (
    <dialog className="pal" aria-label="Search" ref={showModal} onCancel={onClose}>
      <div className="flex min-h-13 items-center gap-3 px-4">
        <Search className="text-accent" aria-hidden />
        <input
          type="text"
          className="h-9 min-w-16 flex-1 text-lead focus-visible:outline-none"
          aria-label="Search payments, addresses, hashes"
          autoComplete="off"
          maxLength={2000}
          value={typed}
          onChange={({ target }) => onType(target.value)}
        />
      </div>
    </dialog>
  );
}

/** Remembers each detail that was opened, for the search to offer. */
function useRecentPages(): void {
  const { pathname } = useLocation();
  useEffect(() => {
    void firstPaint
      .then(() => import('#src/web/pages/find/recent.ts'))
      .then(({ rememberPath }) => rememberPath(pathname));
  }, [pathname]);
}

/** The first of two keys. */
type Prefix = 'G' | 'C' | null;

interface Shortcuts {
  items: readonly NavItem[];
  onFind: () => void;
  onHelp: () => void;
}

/**
 * The global keyboard shortcuts: Ctrl or Cmd with K, or "/", opens the search; G or C and a second letter go to a page or a
 * form; "?" lists them. Any other letter clicks the control that has it in `data-keys`. Returns the pending first key.
 */
function useShortcuts({ items, onFind, onHelp }: Shortcuts): Prefix {
  const [prefix, setPrefix] = useState<Prefix>(null);
  const navigate = useNavigate();
  const act = (key: string): boolean => {
    if (prefix !== null) {
      const item = items.find(({ keys }) => keys === `${prefix} ${key}`);
      if (item) void navigate(item.to);
      return item !== undefined;
    }
    if (key === '/') onFind();
    else if (key === '?') onHelp();
    else return pressControl(key);
    return true;
  };
  const press = useEffectEvent((event: KeyboardEvent) => {
    const command = (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey;
    if (command && event.key.toLowerCase() === 'k') {
      // Works in text fields, too, and replaces the browser's own shortcut.
      if (isOverlaid()) return;
      event.preventDefault();
      onFind();
      return;
    }
    if (event.ctrlKey || event.metaKey || event.altKey || event.key === 'Shift') return;
    setPrefix(null);
    if (shouldIgnoreShortcut(event)) return;
    const key = event.key.toUpperCase();
    if (act(key)) event.preventDefault();
    else if (prefix === null && (key === 'G' || key === 'C') && !event.repeat) setPrefix(key);
  });
  const forget = useEffectEvent(() => setPrefix(null));
  // A layout effect, so that no key press is missed after the first paint.
  useLayoutEffect(() => {
    document.addEventListener('keydown', press);
    document.addEventListener('pointerdown', forget);
    return () => {
      document.removeEventListener('keydown', press);
      document.removeEventListener('pointerdown', forget);
    };
  }, []);
  return prefix;
}

function pressControl(key: string): boolean {
  if (!/^[A-Z]$/.test(key)) return false;
  const control = [...document.querySelectorAll<HTMLElement>(`[data-keys="${key}"]`)].find((each) =>
    each.checkVisibility(),
  );
  control?.focus();
  control?.click();
  return control !== undefined;
}
