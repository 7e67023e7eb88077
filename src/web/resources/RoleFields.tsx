import { type Permission, PERMISSIONS, ROLES } from '#src/shared/permissions.ts';
import { capital } from '#src/shared/text.ts';
import { Check } from '#src/web/ui/Check.tsx';

const TEXTS: Readonly<Record<Exclude<Permission, 'view'>, string>> = {
  prepare: 'Creates and sends payments, deposit addresses and charges.',
  approve: 'Approves or rejects payments of others, confirms recipients, and closes payments that need action.',
  admin: 'Invites people, changes their roles and the approval rules. Sends nothing.',
};

interface RoleFieldsProps {
  permissions: readonly Permission[];
  onChange: (permissions: Permission[]) => void;
}

/** The roles of a person; everyone can view. */
export function RoleFields({ permissions, onChange }: RoleFieldsProps) {
  const toggle = (role: Permission, isOn: boolean) =>
    onChange(PERMISSIONS.filter((each) => each === 'view' || (each === role ? isOn : permissions.includes(each))));
  return (
    <fieldset className="grid gap-2">
      <legend className="pb-1 font-semibold">Roles</legend>
      <p className="help">Everyone sees all payments and balances. What else may they do?</p>
      {PERMISSIONS.filter((role) => role !== 'view').map((role) => (
        <Check key={role} isChecked={permissions.includes(role)} onChange={(isChecked) => toggle(role, isChecked)}>
          {capital(ROLES[role])}
          <span className="small sub block">{TEXTS[role]}</span>
        </Check>
      ))}
    </fieldset>
  );
}
