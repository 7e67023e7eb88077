import {
  useEffectEvent,
  useLayoutEffect,
  type ComponentType,
  type Dispatch,
  lazy,
  type SetStateAction,
  Suspense,
  useEffect,
  useState,
} from 'react';
import { shouldIgnoreShortcut } from '#src/ui/shouldIgnoreShortcut.ts';
import { Search } from 'lucide-react';
import { useLocation } from 'react-router';
import { ShortcutsDialog } from './ShortcutsDialog.tsx';

const loadFind = () => import('#src/pages/find/FindDialog.tsx');
const FindWhenRead = lazy(() => loadFind().then((module) => ({ default: module.FindDialog })));

/** After the first rows of a list, in milliseconds. */
const SOON = 1000;

export type Overlay = 'find' | 'keys' | null;

/** The way to anything, in the spine. */
export function FindButton({ onFind }: { onFind: () => void }) {
  return (
    <button type="button" className="find-open" onClick={onFind} aria-keyshortcuts="Control+K Meta+K /">
      <Search aria-hidden />
      <span aria-hidden>Search</span>
      <span className="vh">Search payments, addresses, hashes</span>
      <kbd aria-hidden>/</kbd>
    </button>
  );
}

/** What opens over every page by its keys. It stands outside the spine, which a narrow window does not show. */
export function Overlays({ overlay, onOverlay }: { overlay: Overlay; onOverlay: Dispatch<SetStateAction<Overlay>> }) {
  // A dialog says that it closed a moment later: by then a key may have opened the other one.
  const close = (which: Overlay) => () => onOverlay((open) => (open === which ? null : open));
  useShortcuts({ onFind: () => onOverlay('find'), onHelp: () => onOverlay('keys') });
  useRecentPlaces();
  const find = useFindDialog(overlay === 'find');
  return (
    <>
      {overlay === 'find' && (
        <Suspense>
          <find.Dialog onClose={close('find')} />
        </Suspense>
      )}
      {overlay === 'keys' && <ShortcutsDialog onClose={close('keys')} />}
    </>
  );
}

/**
 * The dialog, read once the page stands: what is typed or pasted right after its key lands in its field. React holds
 * back what suspended by 300 ms, so then it is the component itself. One that is open is not exchanged.
 */
function useFindDialog(open: boolean) {
  const [find, setFind] = useState<{ Dialog: ComponentType<{ onClose: () => void }> }>({ Dialog: FindWhenRead });
  useEffect(() => {
    if (open) return undefined;
    let closed = true;
    const read = async () => {
      const { FindDialog } = await loadFind();
      if (closed) setFind({ Dialog: FindDialog });
    };
    // A chunk that cannot be read says so when it is asked for.
    const timer = setTimeout(() => void read().catch(() => undefined), SOON);
    return () => {
      closed = false;
      clearTimeout(timer);
    };
  }, [open]);
  return find;
}

/** Notes every detail that a person opened, for Find to offer again. */
function useRecentPlaces(): void {
  const { pathname } = useLocation();
  useEffect(() => {
    void import('#src/pages/find/recent.ts').then(({ rememberPath }) => rememberPath(pathname));
  }, [pathname]);
}

/** The keys of the whole product: Ctrl or Cmd with K, and "/", find; "?" lists the keys. */
export function useShortcuts({ onFind, onHelp }: { onFind: () => void; onHelp: () => void }): void {
  const press = useEffectEvent((event: KeyboardEvent) => {
    const command = (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey;
    if (command && event.key.toLowerCase() === 'k') {
      // Also from within a field: the browser would take it else.
      if (document.querySelector('dialog[open]')) return;
      event.preventDefault();
      onFind();
      return;
    }
    if (event.ctrlKey || event.metaKey || event.altKey || shouldIgnoreShortcut(event)) return;
    if (event.key === '/') {
      event.preventDefault();
      onFind();
    } else if (event.key === '?') {
      event.preventDefault();
      onHelp();
    }
  });
  // Before the page is seen: whoever sees it may press.
  useLayoutEffect(() => {
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, []);
}
