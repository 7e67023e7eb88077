import { Plus } from 'lucide-react';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { peopleQuery } from '#src/web/api/people.ts';
import { useRefusal } from '#src/web/api/permissions.ts';
import { useSession } from '#src/web/api/session.ts';
import { PolicyReminder } from '#src/web/resources/PolicyReminder.tsx';
import { OwnListPage } from '#src/web/resources/OwnListPage.tsx';
import { people, usePeopleRows } from '#src/web/resources/people.tsx';
import { useListView } from '#src/web/resources/useListView.ts';
import { WaitingRoleNotices } from '#src/web/resources/WaitingRoles.tsx';
import { Button } from '#src/web/ui/Button.tsx';

// The form's library loads when the dialog opens.
const InviteDialog = lazy(() => import('./InviteDialog.tsx').then((module) => ({ default: module.InviteDialog })));

const AddPersonDialog = lazy(() =>
  import('./AddPersonDialog.tsx').then((module) => ({ default: module.AddPersonDialog })),
);

export function Component() {
  const refusal = useRefusal('manage-people');
  const view = useListView(people);
  const content = usePeopleRows(view);
  const { account } = useSession();
  const { data: { addable } = { addable: [] } } = useQuery(peopleQuery(account));
  const [dialog, setDialog] = useState<'invite' | 'add' | null>(null);
  const close = () => setDialog(null);
  return (
    <>
      <OwnListPage
        list={people}
        view={view}
        content={content}
        above={
          <>
            <PolicyReminder />
            <WaitingRoleNotices />
          </>
        }
        actions={
          <>
            {addable.length > 0 && (
              <Button disabledReason={refusal} reasonHidden aria-haspopup="dialog" onClick={() => setDialog('add')}>
                Add from another account
              </Button>
            )}
            <Button
              icon={<Plus aria-hidden />}
              variant="primary"
              disabledReason={refusal}
              reasonHidden
              aria-haspopup="dialog"
              onClick={() => setDialog('invite')}
            >
              Invite
            </Button>
          </>
        }
      />
      <Suspense>
        {dialog === 'invite' && <InviteDialog onClose={close} />}
        {dialog === 'add' && <AddPersonDialog addable={addable} onClose={close} />}
      </Suspense>
    </>
  );
}
