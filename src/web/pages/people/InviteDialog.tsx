import { useLayoutEffect, useState } from 'react';
import { useForm } from 'react-hook-form';
import { PERSON_NAME_MAX, personNameSchema } from '#src/shared/contract/peopleContract.ts';
import type { Permission } from '#src/shared/permissions.ts';
import { invitePerson, usePersonCommand } from '#src/web/api/people.ts';
import { PasskeyButton } from '#src/web/list/CommandButton.tsx';
import { InviteLink } from '#src/web/resources/InviteLink.tsx';
import { RoleFields } from '#src/web/resources/RoleFields.tsx';
import { FormText, focusField, schemaResolver, useSubmit } from '#src/web/send/FormFields.tsx';
import { Button } from '#src/web/ui/Button.tsx';
import { Dialog } from '#src/web/ui/Dialog.tsx';

export function InviteDialog({ onClose }: { onClose: () => void }) {
  const inviting = usePersonCommand(invitePerson);
  const [name, setName] = useState('');
  return (
    <Dialog
      open
      onClose={onClose}
      title={inviting.data ? `Invite for ${name}` : 'Invite somebody'}
      wide="max-w-[min(36rem,calc(100vw-2rem))]"
      actions={inviting.data && <Button onClick={onClose}>Done</Button>}
    >
      {inviting.data ? (
        <InviteLink invited={inviting.data} name={name} />
      ) : (
        <InviteForm inviting={inviting} onName={setName} onCancel={onClose} />
      )}
    </Dialog>
  );
}

interface InviteFormProps {
  inviting: ReturnType<typeof usePersonCommand<Parameters<typeof invitePerson>[1], unknown>>;
  onName: (name: string) => void;
  onCancel: () => void;
}

function InviteForm({ inviting, onName, onCancel }: InviteFormProps) {
  const [permissions, setPermissions] = useState<Permission[]>(['view']);
  const form = useForm({
    defaultValues: { name: '' },
    shouldFocusError: false,
    resolver: schemaResolver<{ name: string }>(() => ({ name: personNameSchema })),
  });
  useLayoutEffect(() => focusField('name'), []);
  const submit = useSubmit(form, async ({ name }) => {
    onName(name);
    // The button shows the error.
    await inviting.mutateAsync({ name, permissions }).catch(() => null);
  });
  return (
    <form className="form" noValidate onSubmit={submit}>
      <FormText
        label="Name"
        help="As colleagues know them. It is shown beside everything they do."
        control={form.control}
        name="name"
        required
        maxLength={PERSON_NAME_MAX}
      />
      <RoleFields permissions={permissions} onChange={setPermissions} />
      <div className="acts-row items-start">
        <PasskeyButton mutation={inviting} type="submit" variant="primary" cancelled="Cancelled. Nobody was invited.">
          Create invite link
        </PasskeyButton>
        <Button variant="quiet" onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </form>
  );
}
