import { Button } from '#src/ui/Button.tsx';
import { Dialog } from '#src/ui/Dialog.tsx';

const KEYS = [
  { keys: ['Ctrl K', '⌘ K', '/'], what: 'Find anything' },
  { keys: ['j', 'k'], what: 'Next and previous row of a list, or of the detail beside it' },
  { keys: ['Enter'], what: 'Open the row' },
  { keys: ['Esc'], what: 'Close a detail, a menu or a dialog; back to the same row' },
  { keys: ['←', '→'], what: 'Days of a chart; with Shift several, Enter sets them as the filter' },
  { keys: ['Tab'], what: 'To the next control' },
  { keys: ['?'], what: 'This list' },
] as const;

export function ShortcutsDialog({ onClose }: { onClose: () => void }) {
  return (
    <Dialog open onClose={onClose} title="Keys" actions={<Button onClick={onClose}>Close</Button>}>
      <dl className="keys">
        {KEYS.map(({ keys, what }) => (
          <div key={what}>
            <dt>
              {keys.map((key, at) => (
                <span key={key}>
                  {at > 0 && ' '}
                  <kbd>{key}</kbd>
                </span>
              ))}
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
