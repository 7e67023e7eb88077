import { counted } from '#src/shared/text.ts';
import { Plus } from 'lucide-react';
import { lazy, Suspense, useRef, useState } from 'react';
import { Link, useLocation, useNavigate } from 'react-router';
import { type KnownRecipient, useRecipients } from '#src/web/api/recipients.ts';
import { useSession } from '#src/web/api/session.ts';
import type { ChainAddress } from '#src/shared/chains/lookAlike.ts';
import { stringifyExact } from '#src/shared/json/exactJson.ts';
import { locationState, readLocationState } from '#src/web/storage/locationState.ts';
import { paths } from '#src/shared/paths.ts';
import { useRowsRead } from '#src/web/list/rows/loadedRows.ts';
import { useKnownAddresses } from '#src/web/list/useKnownAddresses.ts';
import { readDraft } from '#src/web/storage/drafts.ts';
import { announce } from '#src/web/ui/announce.tsx';
import { Button, buttonClass } from '#src/web/ui/Button.tsx';
import { ErrorNotice } from '#src/web/list/ErrorNotice.tsx';
import { Page } from '#src/web/ui/PageHeader.tsx';
import { Import } from './Import.tsx';
import { editButtonId, RecipientTable } from './RecipientTable.tsx';

// The form's library: only where somebody is saved or changed.
const RecipientForm = lazy(() => import('./RecipientForm.tsx').then((module) => ({ default: module.RecipientForm })));

/** What the form opens with: nothing typed yet, what a file or a withdrawal named, or a recipient to be changed. */
type Draft = { place: ChainAddress & { name: string }; entry: KnownRecipient | null };

const NOTHING: Draft = { place: { name: '', chain: '', address: '' }, entry: null };

export function Component() {
  const session = useSession();
  const { state } = useLocation();
  const [arrival] = useState(() => readLocationState(state));
  const { entries, error, isPending, isLoaded, refetch } = useRecipients();
  const rows = useRowsRead();
  const known = useKnownAddresses(rows);
  const kept = `${session.service} ${session.account} recipient`;
  const [draft, setDraft] = useState((): Draft | null => {
    if (session.read_only) return null;
    if (arrival.add) return { ...NOTHING, place: { name: '', ...arrival.add } };
    return readDraft(kept) && NOTHING;
  });
  const addButton = useRef<HTMLButtonElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const navigate = useNavigate();
  const end = (of: Draft, saved: string | null) => {
    setDraft(null);
    // Loaded again, the page does not ask anew for what was ended.
    void navigate('', { replace: true, state: locationState({ back: arrival.back }) });
    if (saved !== null) announce(`Saved. ${saved}`);
    // The form that had the focus is gone: back to where it was opened, or to what was saved.
    const from = of.entry ? document.getElementById(editButtonId(of.entry.id)) : addButton.current;
    (saved !== null && !of.entry ? heading.current : from)?.focus();
  };
  return (
    <Page
      title="Recipients"
      asOf={isLoaded ? `${counted(entries.length, 'recipient', 'recipients')}, shared with your team` : '\u00a0'}
      actions={
        <Button
          ref={addButton}
          icon={<Plus aria-hidden />}
          variant="primary"
          disabledReason={session.read_only ? 'Read only: nothing can be added here.' : undefined}
          reasonHidden
          onClick={() => setDraft(NOTHING)}
        >
          New recipient
        </Button>
      }
    >
      <div className="grid gap-5 px-gutter pb-5">
        {error && <ErrorNotice error={error} heading="Couldn’t load recipients" onRetry={() => void refetch()} />}
        {arrival.back && (
          <p className="acts-row">
            <Link className={buttonClass()} to={paths.newWithdrawal}>
              Back to the withdrawal
            </Link>
            <span className="sub small">What you typed there is kept. Nothing was sent.</span>
          </p>
        )}
        {draft && (
          <Suspense>
            <RecipientForm
              key={stringifyExact(draft)}
              known={known}
              rows={rows}
              draft={draft.place}
              // Each address that was handed over has a draft of its own.
              kept={`${kept} ${draft.place.address}`.trim()}
              entry={draft.entry}
              onClose={(saved) => end(draft, saved)}
            />
          </Suspense>
        )}
        <Import
          known={known}
          entries={isLoaded ? entries : null}
          onByHand={(place) => setDraft({ place, entry: null })}
          onEnd={() => heading.current?.focus()}
        />
      </div>
      {isPending && !error && <output className="pad sub block">Loading recipients…</output>}
      {isLoaded && (
        <RecipientTable
          known={known}
          entries={entries}
          heading={heading}
          onEdit={(entry) => setDraft({ place: entry, entry })}
        />
      )}
    </Page>
  );
}
