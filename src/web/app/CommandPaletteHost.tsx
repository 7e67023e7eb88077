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
import { createsFor, indexFor, type NavItem } from './places.ts';

const ShortcutsDialog = lazy(() =>
  import('./ShortcutsDialog.tsx').then((module) => ({ default: module.ShortcutsDialog })),
);

/** After the first rows of a list, in milliseconds. */
const SOON = 1000;
const loadFind = () => import('#src/web/pages/find/FindDialog.tsx');
/** Before it is asked for; what cannot be loaded then is tried again and told when it is. */
const preloadFind = async () => {
  await new Promise((resolve) => setTimeout(resolve, SOON));
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

/** What opens over every page by its keys. It stands outside the spine, which a narrow window does not show. */
export function Overlays({ overlay, onOverlay }: { overlay: Overlay; onOverlay: Dispatch<SetStateAction<Overlay>> }) {
  const session = useSession();
  const index = useMemo(() => indexFor(session).flatMap(({ places }) => places), [session]);
  const creates = useMemo(() => createsFor(session), [session]);
  const places = useMemo(() => [...new Set([...index, ...creates])], [index, creates]);
  // A dialog says that it closed a moment later: by then a key may have opened the other one.
  const close = (which: Overlay) => () => onOverlay((open) => (open === which ? null : open));
  const prefix = useShortcuts({ places, onFind: () => onOverlay('find'), onHelp: () => onOverlay('keys') });
  useRecentPlaces();
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
      {isFinding && find && <find.FindDialog pages={index} creates={creates} typed={typed} onClose={closeFind} />}
      {isFinding && !find && <EarlyField typed={typed} onType={setTyped} onClose={closeFind} />}
      {overlay === 'keys' && (
        <Suspense>
          <ShortcutsDialog places={places} onClose={close('keys')} />
        </Suspense>
      )}
      {prefix !== null && (
        <output className="key-hint">
          {places
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

function openWhileThere(dialog: HTMLDialogElement): () => void {
  dialog.showModal();
  return () => dialog.close();
}

/** In the place of the dialog until its code is there: what is typed or pasted right after its key is kept for it. */
function EarlyField({ typed, onType, onClose }: EarlyFieldProps) {
  return (
    <dialog className="pal" aria-label="Search" ref={openWhileThere} onCancel={onClose}>
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

/** Notes every detail that a person opened, for Find to offer again. */
function useRecentPlaces(): void {
  const { pathname } = useLocation();
  useEffect(() => {
    void firstPaint
      .then(() => import('#src/web/pages/find/recent.ts'))
      .then(({ rememberPath }) => rememberPath(pathname));
  }, [pathname]);
}

/** The first of two keys: where G and C go is said meanwhile. */
type Prefix = 'G' | 'C' | null;

interface Shortcuts {
  places: readonly NavItem[];
  onFind: () => void;
  onHelp: () => void;
}

/**
 * The keys of the whole product: Ctrl or Cmd with K, and "/", find; G and C with a second letter go to a page or a form;
 * "?" lists them. Any other letter is the key of the control that names it (`data-keys`). Gives the first of two keys.
 */
function useShortcuts({ places, onFind, onHelp }: Shortcuts): Prefix {
  const [prefix, setPrefix] = useState<Prefix>(null);
  const navigate = useNavigate();
  const act = (key: string): boolean => {
    if (prefix !== null) {
      const place = places.find(({ keys }) => keys === `${prefix} ${key}`);
      if (place) void navigate(place.to);
      return place !== undefined;
    }
    if (key === '/') onFind();
    else if (key === '?') onHelp();
    else return pressControl(key);
    return true;
  };
  const press = useEffectEvent((event: KeyboardEvent) => {
    const command = (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey;
    if (command && event.key.toLowerCase() === 'k') {
      // Also from within a field: the browser would take it else.
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
  // Before the page is seen: whoever sees it may press.
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
