import { Plus } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { useRefusal } from '#src/web/api/permissions.ts';
import { OwnListPage } from '#src/web/resources/OwnListPage.tsx';
import { people, usePeopleRows } from '#src/web/resources/people.tsx';
import { useListView } from '#src/web/resources/useListView.ts';
import { Button } from '#src/web/ui/Button.tsx';

// The form's library loads when somebody is invited.
const InviteDialog = lazy(() => import('./InviteDialog.tsx').then((module) => ({ default: module.InviteDialog })));

export function Component() {
  const refusal = useRefusal('manage-people');
  const view = useListView(people);
  const content = usePeopleRows(view);
  const [inviting, setInviting] = useState(false);
  return (
    <>
      <OwnListPage
        list={people}
        view={view}
        content={content}
        actions={
          <Button
            icon={<Plus aria-hidden />}
            variant="primary"
            disabledReason={refusal}
            reasonHidden
            aria-haspopup="dialog"
            onClick={() => setInviting(true)}
          >
            Invite
          </Button>
        }
      />
      {inviting && (
        <Suspense>
          <InviteDialog onClose={() => setInviting(false)} />
        </Suspense>
      )}
    </>
  );
}
