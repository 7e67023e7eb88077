import { Eye, EyeOff, Monitor, Moon, Sun } from 'lucide-react';
import { useState } from 'react';
import { signOut } from '#src/api/session.ts';
import { zoneName } from '#src/lib/time.ts';
import { setPreferences, type Theme, usePreferences } from '#src/storage/preferences.ts';
import { Button } from '#src/ui/Button.tsx';
import { Segmented } from '#src/ui/Segmented.tsx';

const themes: readonly { value: Theme; label: string; icon: React.ReactNode }[] = [
  { value: 'system', label: 'Theme of the system', icon: <Monitor className="icon-s" aria-hidden /> },
  { value: 'light', label: 'Light theme', icon: <Sun className="icon-s" aria-hidden /> },
  { value: 'dark', label: 'Dark theme', icon: <Moon className="icon-s" aria-hidden /> },
];

/** The foot of the spine: how times and pages look here, and the way out. */
export function Settings({ onKeys }: { onKeys: () => void }) {
  const { zone, theme, hideAmounts } = usePreferences();
  const [failed, setFailed] = useState(false);
  const [going, setGoing] = useState(false);
  const leave = async () => {
    setGoing(true);
    setFailed(false);
    try {
      await signOut();
    } catch {
      setFailed(true);
    } finally {
      setGoing(false);
    }
  };
  const zones = [
    { value: 'utc', label: 'UTC' },
    { value: 'local', label: 'Local', tip: zoneName('local') },
  ] as const;
  return (
    <div className="foot">
      <div className="line">
        <Segmented
          label="Times in"
          value={zone}
          options={zones}
          onChange={(value) => setPreferences({ zone: value })}
        />
        <Segmented
          label="Theme"
          value={theme}
          options={themes}
          onChange={(value) => setPreferences({ theme: value })}
        />
      </div>
      <div className="line">
        <Button
          size="small"
          onClick={() => void leave()}
          disabledReason={going ? 'Signing out' : undefined}
          reasonHidden
        >
          Sign out
        </Button>
        <Button
          size="small"
          variant="quiet"
          aria-pressed={hideAmounts}
          icon={hideAmounts ? <EyeOff className="icon-s" aria-hidden /> : <Eye className="icon-s" aria-hidden />}
          data-tip="For a shared screen"
          onClick={() => setPreferences({ hideAmounts: !hideAmounts })}
        >
          Hide amounts
        </Button>
        <Button size="small" variant="quiet" onClick={onKeys} aria-keyshortcuts="?">
          Keys
        </Button>
      </div>
      {failed && (
        <p className="msg msg-alarm" role="alert">
          The gateway did not answer; this session may still be open.
        </p>
      )}
    </div>
  );
}
