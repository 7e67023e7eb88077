import { useCan } from '#src/web/api/permissions.ts';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { Link } from 'react-router';
import { EditConflictError, useTeamChange } from '#src/web/api/team.ts';
import { byWhom } from '#src/shared/author.ts';
import type { DepositAddress } from '#src/shared/contract/teamContract.ts';
import { atMost } from '#src/shared/fieldRules.ts';
import { revealHidden } from '#src/shared/text.ts';
import { paths } from '#src/shared/paths.ts';
import { schemaResolver } from '#src/web/send/FormFields.tsx';
import { AddressCard } from './AddressCard.tsx';
import { announce } from '#src/web/ui/announce.tsx';
import { Button } from '#src/web/ui/Button.tsx';
import { Dialog } from '#src/web/ui/Dialog.tsx';
import { Field, inputClass } from '#src/web/ui/Field.tsx';
import { Time } from '#src/web/ui/Time.tsx';
import { TeamProblem } from '#src/web/list/TeamProblem.tsx';

interface AddressDialogProps {
  row: DepositAddress;
  onClose: () => void;
}

export function AddressDialog({ row, onClose }: AddressDialogProps) {
  const canLabel = useCan('annotate');
  const { asset, chain, address, along, label, labelled_by: who, labelled_by_person: person, labelled_at: at } = row;
  return (
    <Dialog
      open
      onClose={onClose}
      wide="max-w-[min(36rem,calc(100vw-2rem))]"
      title={label === '' ? 'Deposit address' : revealHidden(label)}
      actions={
        // The browser's own way to close a dialog, which returns the focus.
        <form method="dialog">
          <Button type="submit">Close</Button>
        </form>
      }
    >
      <div className="grid gap-4">
        {address === null ? (
          <p className="sub">The response named no address, or several. See the operation.</p>
        ) : (
          <AddressCard request={{ asset, chain }} address={address} along={along} />
        )}
        {canLabel && <LabelForm row={row} />}
        {label !== '' && at !== null && (
          <p className="small sub">
            Labelled{byWhom({ who, person })} <Time unix={at} />
          </p>
        )}
        <p>
          <Link to={paths.address(row.id)}>Deposits to this address</Link>
        </p>
      </div>
    </Dialog>
  );
}

function LabelForm({ row }: { row: DepositAddress }) {
  // The revision this form started from: a colleague may change the label meanwhile.
  const [revision, setRevision] = useState(row.revision);
  const { mutateAsync, error, isPending } = useTeamChange('deposit-addresses');
  const form = useForm({
    defaultValues: { label: row.label },
    resolver: schemaResolver<{ label: string }>(() => ({
      label: atMost(200),
    })),
  });
  const save = async ({ label }: { label: string }) => {
    if (label === '' && revision === 0) return;
    try {
      const item = await mutateAsync({ id: row.id, value: label === '' ? null : { label }, revision });
      setRevision(item.deleted ? 0 : item.revision);
      announce('Label saved');
    } catch (failure) {
      // The error shows the colleague’s version; saving again replaces it.
      if (failure instanceof EditConflictError) setRevision(failure.item?.revision ?? 0);
    }
  };
  return (
    <form className="form" noValidate onSubmit={(event) => void form.handleSubmit(save)(event)}>
      <Field
        label="Label or customer"
        help="For your team. The provider doesn’t see it."
        error={form.formState.errors.label?.message}
      >
        {(control) => (
          <span className="flex gap-2">
            <input {...form.register('label')} {...control} className={inputClass} autoComplete="off" />
            <Button type="submit" disabledReason={isPending ? 'Saving' : undefined} reasonHidden>
              Save label
            </Button>
          </span>
        )}
      </Field>
      {error && <TeamProblem error={error} heading="The label was not saved" theirs={['label']} />}
    </form>
  );
}
