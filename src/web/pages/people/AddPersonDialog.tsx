import { useState } from 'react';
import type { Permission } from '#src/shared/permissions.ts';
import { revealHidden } from '#src/shared/text.ts';
import { grantPermissions, usePersonCommand } from '#src/web/api/people.ts';
import { PasskeyButton } from '#src/web/list/CommandButton.tsx';
import { RoleFields } from '#src/web/resources/RoleFields.tsx';
import { announce } from '#src/web/ui/announce.tsx';
import { Button } from '#src/web/ui/Button.tsx';
import { Dialog } from '#src/web/ui/Dialog.tsx';
import { SelectField } from '#src/web/ui/SelectField.tsx';

interface AddPersonDialogProps {
  /** People of other accounts, at least one. */
  addable: readonly { id: string; name: string }[];
  onClose: () => void;
}

/** Gives a person of another account roles on this one. They keep their passkeys and need no invite. */
export function AddPersonDialog({ addable, onClose }: AddPersonDialogProps) {
  const granting = usePersonCommand(grantPermissions);
  const [person, setPerson] = useState(addable[0]?.id ?? '');
  const [permissions, setPermissions] = useState<Permission[]>(['view']);
  const add = async () => {
    const isDone = await granting.mutateAsync({ person, permissions }).catch(() => null);
    if (!isDone) return;
    announce('Roles given');
    onClose();
  };
  return (
    <Dialog open onClose={onClose} title="Add from another account" wide="max-w-[min(36rem,calc(100vw-2rem))]">
      <div className="form">
        <SelectField
          label="Person"
          help="They keep their passkeys and need no invite."
          value={person}
          options={addable.map(({ id, name }) => ({ value: id, label: revealHidden(name) }))}
          isExact
          onChange={setPerson}
        />
        <RoleFields permissions={permissions} onChange={setPermissions} />
        <div className="acts-row items-start">
          <PasskeyButton mutation={granting} variant="primary" onPress={() => void add()}>
            Give roles
          </PasskeyButton>
          <Button variant="quiet" onClick={onClose}>
            Cancel
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
