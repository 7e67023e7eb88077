import { useState } from 'react';
import { Link } from 'react-router';
import { chainLabel } from '#src/shared/chains/names.ts';
import { CONFIRM_MAX, type RecipientControl } from '#src/shared/contract/recipientsContract.ts';
import { paths } from '#src/shared/paths.ts';
import { counted, revealHidden } from '#src/shared/text.ts';
import { useCan } from '#src/web/api/permissions.ts';
import { useConfirmRecipients, useRecipientControls } from '#src/web/api/recipientControls.ts';
import { type KnownRecipient, useRecipients } from '#src/web/api/recipients.ts';
import { PasskeyButton } from '#src/web/list/CommandButton.tsx';
import { LoadError } from '#src/web/list/ErrorNotice.tsx';
import { announce } from '#src/web/ui/announce.tsx';
import { Check } from '#src/web/ui/Check.tsx';
import { type DataColumn, DataTable } from '#src/web/ui/DataTable.tsx';
import { UntrustedText } from '#src/web/ui/UntrustedText.tsx';

interface Unconfirmed {
  control: RecipientControl;
  entry: KnownRecipient;
}

/** Recipients that the person can confirm, several at once with one passkey signature. */
export function ConfirmSeveral() {
  const canConfirm = useCan('confirm-recipients');
  const query = useRecipientControls();
  const { data: controls } = query;
  const { entries } = useRecipients();
  const confirming = useConfirmRecipients();
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const all = entries.flatMap((entry): Unconfirmed[] => {
    const control = controls?.get(entry.id);
    return control?.state === 'unconfirmed' && control.refusal === null ? [{ control, entry }] : [];
  });
  if (query.error !== null && controls === undefined)
    return <LoadError of={query} heading="Couldn’t load which recipients are confirmed" />;
  if (!canConfirm || all.length === 0) return null;
  const picked = all.filter(({ control }) => chosen.has(control.id)).slice(0, CONFIRM_MAX);
  const pick = (ids: readonly string[], isPicked: boolean) => {
    const others = [...chosen].filter((id) => !ids.includes(id));
    setChosen(new Set(isPicked ? [...others, ...ids] : others));
  };
  const confirm = async () => {
    const recipients = picked.map(({ entry: { id, name } }) => ({ id, name }));
    if (!(await confirming.mutateAsync(recipients).catch(() => null))) return;
    announce(`Confirmed ${counted(recipients.length, 'recipient', 'recipients')}`);
    setChosen(new Set());
  };
  return (
    <details className="pb-4">
      <summary>{counted(all.length, 'recipient isn’t', 'recipients aren’t')} confirmed</summary>
      <div className="grid gap-3 pt-3">
        <p className="small sub max-w-measure">
          Confirm only whose address you got from themselves, by another way than the person who saved it. The approval
          rules decide what a confirmation is needed for.
        </p>
        <DataTable
          label="Recipients to confirm"
          className="grid-table labelled fitted"
          rows={all}
          columns={columnsOf(all, chosen, pick)}
          keyOf={({ entry }) => entry.id}
        />
        <PasskeyButton
          mutation={confirming}
          variant="primary"
          cancelled="Cancelled. Nothing was confirmed."
          disabledReason={picked.length === 0 ? 'Choose at least one.' : undefined}
          onPress={() => void confirm()}
        >
          {picked.length === 0 ? 'Confirm recipients' : `Confirm ${counted(picked.length, 'recipient', 'recipients')}`}
        </PasskeyButton>
      </div>
    </details>
  );
}

function columnsOf(
  all: readonly Unconfirmed[],
  chosen: ReadonlySet<string>,
  pick: (ids: readonly string[], isPicked: boolean) => void,
): DataColumn<Unconfirmed>[] {
  const ids = all.map(({ entry }) => entry.id);
  const areAll = ids.every((id) => chosen.has(id));
  return [
    {
      name: 'Recipient',
      isHead: true,
      head: (
        <Check isChecked={areAll} onChange={() => pick(ids, !areAll)}>
          Recipient
        </Check>
      ),
      cell: ({ entry: { id, name } }) => (
        <Check isChecked={chosen.has(id)} onChange={(isChecked) => pick([id], isChecked)}>
          <UntrustedText value={name} max={120} />
        </Check>
      ),
    },
    {
      name: 'Address',
      cell: ({ entry: { id, chain, address } }) => (
        <>
          <Link to={paths.recipient(id)} className="mono wrap-anywhere" translate="no">
            {revealHidden(address)}
          </Link>{' '}
          <span className="small sub" translate="no">
            {chainLabel(chain)}
          </span>
        </>
      ),
    },
    {
      name: 'Named by',
      cell: ({ control: { named_by: by } }) =>
        by === null ? <span className="dim">Not known</span> : <bdi translate="no">{revealHidden(by.name)}</bdi>,
    },
  ];
}
