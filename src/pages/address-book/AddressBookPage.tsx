import { Plus } from 'lucide-react';
import { useState } from 'react';
import { Link, useLocation } from 'react-router';
import { describeError } from '#src/api/errors.ts';
import { useRecipients } from '#src/api/recipients.ts';
import { useSession } from '#src/api/session.ts';
import type { Place } from '#src/lib/chains/lookAlike.ts';
import { stringifyExact } from '#src/lib/exactJson.ts';
import { readLocationState } from '#src/lib/locationState.ts';
import { paths } from '#src/lib/paths.ts';
import { useRowsRead } from '#src/list/loadedRows.ts';
import { useKnownAddresses } from '#src/list/useKnownAddresses.ts';
import { Button, buttonClass } from '#src/ui/Button.tsx';
import { ErrorNotice } from '#src/ui/ErrorNotice.tsx';
import { Notice } from '#src/ui/Notice.tsx';
import { PageHeader } from '#src/ui/PageHeader.tsx';
import { AddForm } from './AddForm.tsx';
import { Entries } from './Entries.tsx';
import { Import } from './Import.tsx';

/** What is to be added by hand: nothing typed yet, or what a form, a file or a withdrawal named. */
type Draft = Place & { name: string };

const NOTHING: Draft = { name: '', chain: '', address: '' };

export function Component() {
  const session = useSession();
  const { state } = useLocation();
  const [arrival] = useState(() => readLocationState(state));
  const { entries, error, isPending, refetch } = useRecipients(session.account);
  const rows = useRowsRead(session.account);
  const known = useKnownAddresses(session, rows);
  const [draft, setDraft] = useState<Draft | null>(arrival.add ? { ...NOTHING, ...arrival.add } : null);
  const [added, setAdded] = useState<string | null>(null);
  const start = (from: Draft) => {
    setAdded(null);
    setDraft(from);
  };
  return (
    <>
      <PageHeader
        title="Recipients"
        asOf={<span>{entries.length === 1 ? '1 entry' : `${entries.length.toLocaleString('en')} entries`}</span>}
        actions={
          <Button
            icon={<Plus aria-hidden />}
            variant="primary"
            disabledReason={session.read_only ? 'Read-only: nothing can be added here.' : undefined}
            reasonHidden
            onClick={() => start(NOTHING)}
          >
            New recipient
          </Button>
        }
      />
      <div className="page-body">
        <div className="pad grid max-w-288 gap-5 [&>.note]:max-w-measure">
          <Notice tone="plain" title="Shared with your team. Not a security control.">
            Everybody who signs in to this account sees these names and can change them. Compare an address with its
            source before you pay it.
          </Notice>
          {error && (
            <ErrorNotice
              error={describeError(error)}
              heading="The address book couldn’t be loaded"
              onRetry={() => void refetch()}
            />
          )}
          {arrival.back && (
            <p className="acts-row">
              <Link className={buttonClass()} to={paths.newWithdrawal}>
                Back to the withdrawal
              </Link>
              <span className="sub small">What you typed there is kept. Nothing was sent.</span>
            </p>
          )}
          {added !== null && (
            <Notice tone="plain" live="status" title="Added.">
              {added}
            </Notice>
          )}
          {draft && (
            <AddForm
              key={stringifyExact(draft)}
              session={session}
              known={known}
              rows={rows}
              draft={draft}
              onClose={(name) => {
                setDraft(null);
                setAdded(name);
              }}
            />
          )}
          <Import session={session} known={known} entries={entries} onByHand={start} />
          {isPending && !error && <output className="sub">Loading the address book…</output>}
          {!isPending && <Entries session={session} entries={entries} />}
        </div>
      </div>
    </>
  );
}
