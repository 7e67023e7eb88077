import { can, useRefusal } from '#src/web/api/permissions.ts';
import { Plus } from 'lucide-react';
import { lazy, type RefObject, Suspense, useRef, useState } from 'react';
import { Link, useLocation, useNavigate } from 'react-router';
import type { ChainAddress } from '#src/shared/chains/lookAlike.ts';
import { stringifyExact } from '#src/shared/json/exactJson.ts';
import { paths } from '#src/shared/paths.ts';
import { type KnownRecipient, useRecipients } from '#src/web/api/recipients.ts';
import { useSession } from '#src/web/api/session.ts';
import { useRowsRead } from '#src/web/list/rows/loadedRows.ts';
import { useKnownAddresses } from '#src/web/list/useKnownAddresses.ts';
import { OwnListPage } from '#src/web/resources/OwnListPage.tsx';
import { recipients, useRecipientRows } from '#src/web/resources/recipients.tsx';
import { editButtonId } from '#src/web/resources/savedRows.tsx';
import { useListView } from '#src/web/resources/useListView.ts';
import { draftName, readDraft } from '#src/web/storage/drafts.ts';
import { locationState, readLocationState } from '#src/web/storage/locationState.ts';
import { announce } from '#src/web/ui/announce.tsx';
import { Button, buttonClass } from '#src/web/ui/Button.tsx';
import { ConfirmSeveral } from './ConfirmSeveral.tsx';
import { ImportAndExport, ImportSteps, useImport } from './Import.tsx';

// The form's library loads when a recipient is added or edited.
const RecipientForm = lazy(() => import('./RecipientForm.tsx').then((module) => ({ default: module.RecipientForm })));

/** The form's initial values: empty, from a file or a withdrawal, or a saved recipient to edit. */
type Draft = { place: ChainAddress & { name: string }; entry: KnownRecipient | null };

const EMPTY_DRAFT: Draft = { place: { name: '', chain: '', address: '' }, entry: null };

export function Component() {
  const refusal = useRefusal('save-recipients');
  const view = useListView(recipients);
  const heading = useRef<HTMLHeadingElement>(null);
  const addButton = useRef<HTMLButtonElement>(null);
  const { draft, setDraft, draftKey, cameFromWithdrawal, close } = useDraft(addButton, heading);
  const { entries, isLoaded } = useRecipients();
  const rows = useRowsRead();
  const history = useKnownAddresses(rows);
  const fileImport = useImport(history, () => heading.current?.focus());
  const content = useRecipientRows({ history, heading, onEdit: (entry) => setDraft({ place: entry, entry }) });
  return (
    <OwnListPage
      list={recipients}
      view={view}
      heading={heading}
      content={{
        ...content,
        emptyAction: refusal === undefined && draft === null && (
          <Button onClick={() => setDraft(EMPTY_DRAFT)}>Save a recipient</Button>
        ),
      }}
      actions={
        <Button
          ref={addButton}
          icon={<Plus aria-hidden />}
          variant="primary"
          disabledReason={refusal}
          onClick={() => setDraft(EMPTY_DRAFT)}
        >
          New recipient
        </Button>
      }
      tools={<ImportAndExport {...fileImport} entries={isLoaded ? entries : null} />}
      above={
        <div className="px-gutter">
          {cameFromWithdrawal && (
            <p className="acts-row pb-5">
              <Link className={buttonClass()} to={paths.newWithdrawal} state={locationState({ resume: true })}>
                Back to the withdrawal
              </Link>
              <span className="sub small">What you typed there is kept. Nothing was sent.</span>
            </p>
          )}
          {draft && (
            <Suspense>
              <RecipientForm
                key={stringifyExact(draft)}
                history={history}
                rows={rows}
                draft={draft.place}
                // A separate draft for each address that came from another page.
                draftKey={`${draftKey} ${draft.place.address}`.trim()}
                entry={draft.entry}
                onClose={(saved) => close(draft, saved)}
              />
            </Suspense>
          )}
          <ConfirmSeveral />
          <ImportSteps {...fileImport} onByHand={(place) => setDraft({ place, entry: null })} />
        </div>
      }
    />
  );
}

function useDraft(addButton: RefObject<HTMLButtonElement | null>, heading: RefObject<HTMLHeadingElement | null>) {
  const session = useSession();
  const navigate = useNavigate();
  const { state } = useLocation();
  const [arrival] = useState(() => readLocationState(state));
  const draftKey = draftName(session, 'recipient');
  const [draft, setDraft] = useState((): Draft | null => {
    if (!can(session, 'save-recipients')) return null;
    if (arrival.add) return { ...EMPTY_DRAFT, place: { name: '', ...arrival.add } };
    return readDraft(draftKey) && EMPTY_DRAFT;
  });
  const close = (closed: Draft, saved: string | null) => {
    setDraft(null);
    // A reload must not open the form again.
    void navigate('', { replace: true, state: locationState({ back: arrival.back }) });
    if (saved !== null) announce(`Saved. ${saved}`);
    // Move the focus from the form to the button that opened it, or to the list if a recipient was added.
    const opener = closed.entry ? document.getElementById(editButtonId(closed.entry.id)) : addButton.current;
    (saved !== null && !closed.entry ? heading.current : opener)?.focus();
  };
  return { draft, setDraft, draftKey, cameFromWithdrawal: arrival.back, close };
}
