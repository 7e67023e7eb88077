import { Search } from 'lucide-react';
import { lazy, Suspense, useEffect } from 'react';
import { useLocation } from 'react-router';
import { KeysHelp } from './KeysHelp.tsx';
import { useKeys } from './useKeys.ts';

const FindDialog = lazy(() =>
  import('#src/pages/find/FindDialog.tsx').then((module) => ({ default: module.FindDialog })),
);

export type Overlay = 'find' | 'keys' | null;

/** The way to anything: a button in the spine, its keys, and the list of all keys. */
export function FindPlace({ overlay, onOverlay }: { overlay: Overlay; onOverlay: (overlay: Overlay) => void }) {
  const close = () => onOverlay(null);
  const find = () => onOverlay('find');
  useKeys({ onFind: find, onHelp: () => onOverlay('keys') });
  useRecentPlaces();
  return (
    <>
      <button type="button" className="find-open" onClick={find} aria-keyshortcuts="Control+K Meta+K /">
        <Search aria-hidden />
        Find an id or hash
        <kbd aria-hidden>/</kbd>
      </button>
      {overlay === 'find' && (
        <Suspense>
          <FindDialog onClose={close} />
        </Suspense>
      )}
      {overlay === 'keys' && <KeysHelp onClose={close} />}
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
