import { useState } from 'react';
import { useSession } from '#src/api/session.ts';
import { counted } from '#src/lib/text.ts';
import { isoUtc } from '#src/lib/time.ts';
import { saveFile } from '#src/ui/saveFile.ts';
import { announce } from '#src/ui/announce.tsx';
import { Button } from '#src/ui/Button.tsx';
import { copyText } from '#src/ui/CopyButton.tsx';
import { Dialog } from '#src/ui/Dialog.tsx';
import { UntrustedText } from '#src/ui/UntrustedText.tsx';
import { bundleJson, bundleText } from './support.ts';
import type { LoggedCall } from './calls.ts';

interface SupportDialogProps {
  calls: readonly LoggedCall[];
  /** The filters in words. */
  scope: string;
  onClose: () => void;
}

const PREVIEW = 1500;

/** Calls as text or as a file for whoever looks into them; what it was when asked for, whatever is called meanwhile. */
export function SupportDialog({ calls, scope, onClose }: SupportDialogProps) {
  const { service } = useSession();
  const [of] = useState(() => ({ calls, service, scope, madeAt: Date.now() }));
  const [done, setDone] = useState('');
  const text = bundleText(of);
  const copy = async () => {
    const copied = (await copyText(text)) ? 'Copied' : 'Copying isn’t allowed in this browser';
    setDone(copied);
    announce(copied);
  };
  const save = () => {
    const made = isoUtc(Math.floor(of.madeAt / 1000)).replaceAll(':', '');
    saveFile(`requests-${made}.json`, [bundleJson(of)], 'application/json');
    setDone('Saved');
  };
  const count = counted(of.calls.length, 'call', 'calls');
  return (
    <Dialog
      open
      onClose={onClose}
      title="Copy for support"
      actions={
        <>
          <Button variant="primary" onClick={() => void copy()}>
            Copy as text
          </Button>
          <Button onClick={save}>Save as JSON</Button>
          <Button variant="quiet" onClick={onClose}>
            Close
          </Button>
          <span className="small sub">{done}</span>
        </>
      }
    >
      <div className="grid gap-2">
        <p>
          {count}
          {of.scope === '' ? '' : <bdi>: {of.scope}</bdi>}, with times in UTC, statuses, request IDs and idempotency
          keys.
        </p>
        <p className="small sub">
          Amounts, addresses, hashes and unknown fields are left out. It has no API key: this browser never does.
        </p>
        <details>
          <summary>Preview</summary>
          <div className="code mt-2">
            <UntrustedText value={text} max={PREVIEW} />
          </div>
        </details>
      </div>
    </Dialog>
  );
}
