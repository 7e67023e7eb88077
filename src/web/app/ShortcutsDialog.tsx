import { setPreferences, usePreferences } from '#src/web/storage/preferences.ts';
import { Button } from '#src/web/ui/Button.tsx';
import { Check } from '#src/web/ui/Check.tsx';
import { Dialog } from '#src/web/ui/Dialog.tsx';
import type { NavItem } from './navItems.ts';

interface Shortcut {
  keys: readonly string[];
  what: string;
}

const HERE: readonly Shortcut[] = [
  { keys: ['/', /Mac|iP/.test(navigator.platform) ? '⌘ K' : 'Ctrl K'], what: 'Search' },
  { keys: ['F'], what: 'Filters' },
  { keys: ['E'], what: 'Export' },
  { keys: ['J', 'K'], what: 'Next and previous row' },
  { keys: ['Enter'], what: 'Open the row' },
  { keys: ['R'], what: 'Reply about the open payment' },
  { keys: ['L'], what: 'Copy its link' },
  { keys: ['O'], what: 'Its case file' },
  { keys: ['Esc'], what: 'Close' },
  { keys: ['←', '→'], what: 'Move in chart (Shift selects)' },
  { keys: ['?'], what: 'Shortcuts' },
];

/** Lists all keys, and can turn the single-letter ones off, which speech input and slips press by mistake. */
export function ShortcutsDialog({ items, onClose }: { items: readonly NavItem[]; onClose: () => void }) {
  const { singleKeys } = usePreferences();
  const chords = (prefix: string): Shortcut[] =>
    items
      .filter(({ keys }) => keys.startsWith(prefix))
      .map(({ keys, label }) => ({ keys: keys.split(' '), what: label }));
  return (
    <Dialog
      open
      onClose={onClose}
      title="Keyboard shortcuts"
      wide="max-w-[min(44rem,calc(100vw-2rem))]"
      actions={<Button onClick={onClose}>Close</Button>}
    >
      <Check isChecked={singleKeys} onChange={(isChecked) => setPreferences({ singleKeys: isChecked })}>
        Single-key shortcuts
        <span className="small sub block">When off, only Ctrl K, Enter, Esc and arrows work.</span>
      </Check>
      <div className="mt-4 columns-[18rem_2] gap-x-8">
        <KeyList title="On a page" shortcuts={HERE} />
        <KeyList title="Go to, one key after the other" shortcuts={chords('G')} />
        <KeyList title="Create" shortcuts={chords('C')} />
      </div>
    </Dialog>
  );
}

function KeyList({ title, shortcuts }: { title: string; shortcuts: readonly Shortcut[] }) {
  if (shortcuts.length === 0) return null;
  return (
    <section className="break-inside-avoid pb-4">
      <h3>{title}</h3>
      <dl>
        {shortcuts.map(({ keys, what }) => (
          <div key={what} className="grid grid-cols-[8rem_1fr] gap-3 border-b border-rule py-1.25">
            <dt>
              {keys.map((key, at) => (
                <span key={key}>
                  {at > 0 && ' '}
                  <kbd translate="no">{key}</kbd>
                </span>
              ))}
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
