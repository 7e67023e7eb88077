import { Search } from 'lucide-react';
import { type Dispatch, lazy, type SetStateAction, Suspense, useEffect } from 'react';
import { useLocation } from 'react-router';
import { KeysHelp } from './KeysHelp.tsx';
import { useKeys } from './useKeys.ts';

const FindDialog = lazy(() =>
  import('#src/pages/find/FindDialog.tsx').then((module) => ({ default: module.FindDialog })),
);

export type Overlay = 'find' | 'keys' | null;

/** The way to anything, in the spine. */
export function FindButton({ onFind }: { onFind: () => void }) {
  return (
    <button type="button" className="find-open" onClick={onFind} aria-keyshortcuts="Control+K Meta+K /">
      <Search aria-hidden />
      Find an id or hash
      <kbd aria-hidden>/</kbd>
    </button>
  );
}

/** What opens over every page by its keys. It stands outside the spine, which a narrow window does not show. */
export function Overlays({ overlay, onOverlay }: { overlay: Overlay; onOverlay: Dispatch<SetStateAction<Overlay>> }) {
  // A dialog says that it closed a moment later: by then a key may have opened the other one.
  const close = (which: Overlay) => () => onOverlay((open) => (open === which ? null : open));
  useKeys({ onFind: () => onOverlay('find'), onHelp: () => onOverlay('keys') });
  useRecentPlaces();
  return (
    <>
      {overlay === 'find' && (
        <Suspense>
          <FindDialog onClose={close('find')} />
        </Suspense>
      )}
      {overlay === 'keys' && <KeysHelp onClose={close('keys')} />}
    </>
  );
}

/** Notes every detail that a person opened, for Find to offer again. */
function useRecentPlaces(): void {
  const { pathname } = useLocation();
  useEffect(() => {
    void import('#src/pages/find/recent.ts').then(({ rememberPath }) => rememberPath(pathname));
  }, [pathname]);
}
