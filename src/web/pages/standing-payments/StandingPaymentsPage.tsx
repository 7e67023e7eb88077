import { Plus } from 'lucide-react';
import { lazy, Suspense, useRef, useState } from 'react';
import { can, useRefusal } from '#src/web/api/permissions.ts';
import { useSession } from '#src/web/api/session.ts';
import type { StandingPaymentItem } from '#src/web/api/standingPayments.ts';
import { OwnListPage } from '#src/web/resources/OwnListPage.tsx';
import { standingPayments, useStandingPaymentRows } from '#src/web/resources/standingPayments.tsx';
import { editButtonId } from '#src/web/resources/savedRows.tsx';
import { useListView } from '#src/web/resources/useListView.ts';
import { draftName, readDraft } from '#src/web/storage/drafts.ts';
import { announce } from '#src/web/ui/announce.tsx';
import { Button } from '#src/web/ui/Button.tsx';

// The form's library loads when the form opens.
const StandingPaymentForm = lazy(() =>
  import('./StandingPaymentForm.tsx').then((module) => ({ default: module.StandingPaymentForm })),
);

/** Payments that repeat, with their next dates. */
export function Component() {
  const session = useSession();
  const refusal = useRefusal('save-standing-payments');
  const view = useListView(standingPayments);
  const heading = useRef<HTMLHeadingElement>(null);
  const addButton = useRef<HTMLButtonElement>(null);
  const draftKey = draftName(session, 'standing-payment');
  /** The item in the form: null for a new one, undefined if the form isn't open. */
  const [edited, setEdited] = useState<StandingPaymentItem | null | undefined>(() =>
    can(session, 'save-standing-payments') && readDraft(draftKey) ? null : undefined,
  );
  const content = useStandingPaymentRows({ heading, onEdit: setEdited });
  const close = (saved: string | null) => {
    setEdited(undefined);
    if (saved !== null) announce(`Saved. ${saved}`);
    // Move the focus from the form to the button that opened it, or to the list if an item was added.
    const opener = edited ? document.getElementById(editButtonId(edited.id)) : addButton.current;
    (saved !== null && !edited ? heading.current : opener)?.focus();
  };
  return (
    <OwnListPage
      list={standingPayments}
      view={view}
      heading={heading}
      content={{
        ...content,
        emptyAction: refusal === undefined && edited === undefined && (
          <Button onClick={() => setEdited(null)}>Save a standing payment</Button>
        ),
      }}
      actions={
        <Button
          ref={addButton}
          icon={<Plus aria-hidden />}
          variant="primary"
          disabledReason={refusal}
          onClick={() => setEdited(null)}
        >
          New standing payment
        </Button>
      }
      above={
        edited !== undefined && (
          <div className="px-gutter">
            <Suspense>
              <StandingPaymentForm key={edited?.id ?? 'new'} item={edited} draftKey={draftKey} onClose={close} />
            </Suspense>
          </div>
        )
      }
    />
  );
}
