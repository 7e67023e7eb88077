import { Search } from 'lucide-react';
import { type KeyboardEvent, useRef, useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { amountQuery } from '#src/lib/amountQuery.ts';
import { cleaned } from '#src/lib/classifyQuery.ts';
import { visible } from '#src/lib/text.ts';
import { Button } from '#src/ui/Button.tsx';
import { Dialog } from '#src/ui/Dialog.tsx';
import { focusOnMount } from '#src/ui/focus.ts';
import { UntrustedText } from '#src/ui/UntrustedText.tsx';
import './find.css';
import { ScanReport } from './ScanReport.tsx';
import { targetsOf } from './targets.ts';
import { useKnown } from './useKnown.ts';
import { useScan } from './useScan.ts';

const SHORTEST_SCAN = 4;

/** One field for anything: an id, an asset, a key, an address, a hash. Enter goes where the answer is. */
export function FindDialog({ onClose }: { onClose: () => void }) {
  const [text, setText] = useState('');
  const known = useKnown();
  const navigate = useNavigate();
  const place = useRef<HTMLDivElement>(null);
  const targets = targetsOf(text, known());
  const [first] = targets;
  const needle = cleaned(text);
  const scannable = needle.length >= SHORTEST_SCAN || amountQuery(needle) !== null;
  const scan = useScan(needle);
  const enter = () => {
    if (first) {
      onClose();
      void navigate(first.to);
    } else if (scannable) scan.begin();
  };
  /** The arrows go through the field and the places under it. */
  const arrows = (event: KeyboardEvent) => {
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
    event.preventDefault();
    const stops = [...(place.current?.querySelectorAll<HTMLElement>('input, .find-targets a') ?? [])];
    const at = stops.findIndex((stop) => stop === document.activeElement);
    stops[at + (event.key === 'ArrowDown' ? 1 : -1)]?.focus();
  };
  return (
    <Dialog open onClose={onClose} title="Find">
      <div ref={place} onKeyDown={arrows} role="presentation">
        <form
          className="find-field"
          onSubmit={(event) => {
            event.preventDefault();
            enter();
          }}
        >
          <Search aria-hidden />
          <input
            type="search"
            aria-label="Find an id, asset, key, address or hash"
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
            maxLength={2000}
            value={text}
            ref={focusOnMount}
            onChange={({ target }) => {
              setText(target.value);
              scan.forget();
            }}
          />
        </form>
        <ul className="find-targets" aria-label="Where it leads">
          {targets.map(({ label, detail, to }) => (
            <li key={to}>
              <Link to={to} onClick={onClose}>
                <bdi className="mono">{visible(label)}</bdi> <span className="sub">{detail}</span>
              </Link>
            </li>
          ))}
        </ul>
      </div>
      {needle === '' && targets.length === 0 && (
        <p className="small sub">Paste an ID, hash, address or amount. Recent items appear here.</p>
      )}
      {needle !== '' && !scannable && targets.length === 0 && (
        <p className="small sub">Type at least {SHORTEST_SCAN} characters to search, or an amount such as 0.5 ETH.</p>
      )}
      {scannable && needle !== text.trim() && (
        <p className="small sub">
          Of that, looked for is{' '}
          <span className="mono">
            <UntrustedText value={needle} max={80} />
          </span>
          .
        </p>
      )}
      {scannable && scan.scan === null && (
        <div className="acts-row">
          <Button size="small" onClick={scan.begin}>
            Search all deposits and withdrawals
          </Button>
          <span className="small sub">Searches every payment, newest first.</span>
        </div>
      )}
      <ScanReport work={scan} onGo={onClose} />
    </Dialog>
  );
}
