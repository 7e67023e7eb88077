import type { RecipientControl, RecipientDecision } from '#src/shared/contract/recipientsContract.ts';
import { shorten } from '#src/shared/text.ts';
import { useRefusal } from '#src/web/api/permissions.ts';
import {
  useBlockRecipient,
  useConfirmRecipients,
  useRecipientControls,
  useRecipientDecisions,
} from '#src/web/api/recipientControls.ts';
import { PasskeyButton } from '#src/web/list/CommandButton.tsx';
import { LoadError } from '#src/web/list/ErrorNotice.tsx';
import { RecipientMark } from '#src/web/resources/RecipientMark.tsx';
import { TypedDialog } from '#src/web/send/TypedDialog.tsx';
import { announce } from '#src/web/ui/announce.tsx';
import { Time } from '#src/web/ui/Time.tsx';
import { GroupedAddress, UntrustedText } from '#src/web/ui/UntrustedText.tsx';

type Person = RecipientControl['named_by'];

/** Whether another person confirmed that this address is the recipient's. Nothing with SIGN_IN=key. */
export function Confirmation({ id, name, address }: { id: string; name: string; address: string }) {
  const query = useRecipientControls();
  if (query.error !== null && query.data === undefined)
    return <LoadError of={query} heading="Couldn’t load whether it is confirmed" />;
  const control = query.data?.get(id);
  if (control === undefined) return null;
  return (
    <div className="grid gap-2 pt-2">
      <p className="flex flex-wrap items-center gap-2">
        <RecipientMark state={control.state} />
        <span className="small">
          <StateWords control={control} />
        </span>
      </p>
      {isToConfirm(control) && (
        <p>
          <GroupedAddress value={address} />
        </p>
      )}
      <Actions control={control} name={name} />
      <Decisions id={id} />
    </div>
  );
}

function isToConfirm({ state }: RecipientControl): boolean {
  return state === 'unconfirmed' || state === 'blocked';
}

function StateWords({ control }: { control: RecipientControl }) {
  const {
    state,
    reason,
    counts_from: from,
    decided_by: by,
    decided_at: at,
    named_by: namedBy,
    named_at: namedAt,
  } = control;
  switch (state) {
    case 'blocked':
      return (
        <>
          {by && (
            <>
              By <Name of={by} />, <Time unix={at ?? 0} age />:{' '}
            </>
          )}
          “<UntrustedText value={reason ?? ''} max={2_000} />” Nothing is sent to this address.
        </>
      );
    case 'waiting':
      return (
        <>
          By <Name of={by} />; counts from <Time unix={from ?? 0} />
        </>
      );
    case 'confirmed':
      return (
        <>
          By <Name of={by} />, <Time unix={at ?? 0} age />
        </>
      );
    case 'unconfirmed':
      return (
        <>
          {control.is_changed && 'Its name or its address isn’t the one that was confirmed. '}
          Named by {namedBy ? <Name of={namedBy} /> : 'somebody who didn’t sign in as themselves'},{' '}
          <Time unix={namedAt} age />
        </>
      );
  }
}

function Name({ of }: { of: Person }) {
  return <UntrustedText value={of?.name ?? ''} />;
}

/** `name`: as the page shows it, which is what the person confirms. */
function Actions({ control, name }: { control: RecipientControl; name: string }) {
  const { id, state, refusal } = control;
  const mayConfirm = useRefusal('confirm-recipients');
  const mayBlock = useRefusal('block-recipients');
  const confirming = useConfirmRecipients();
  const blocking = useBlockRecipient(id);
  const confirm = async () => {
    if (await confirming.mutateAsync([{ id, name }]).catch(() => null)) announce(`Confirmed ${name}`);
  };
  return (
    <div className="acts-row items-start">
      {isToConfirm(control) && (
        <PasskeyButton
          mutation={confirming}
          size="small"
          cancelled="Cancelled. Nothing was confirmed."
          disabledReason={mayConfirm ?? refusal ?? undefined}
          onPress={() => void confirm()}
        >
          {state === 'blocked' ? 'Unblock and confirm' : 'Confirm recipient'}
        </PasskeyButton>
      )}
      {state !== 'blocked' && (
        <TypedDialog
          opener="Block…"
          size="small"
          title="Block this recipient"
          disabledReason={mayBlock}
          reasonHidden={isToConfirm(control)}
          label="Reason"
          help="Everybody here reads this."
          long
          validate={(words) => (words === '' ? 'Say why, so that nobody unblocks it by mistake.' : null)}
          command={blocking}
          submit="Block recipient"
          busy="Blocking…"
          cancelLabel="Cancel"
        >
          <p>
            Nothing is sent to this address any more, also no payment that is approved already. An approver can confirm
            it again.
          </p>
        </TypedDialog>
      )}
    </div>
  );
}

/** Earlier decisions about this address and about other addresses with this name. */
function Decisions({ id }: { id: string }) {
  const { data } = useRecipientDecisions(id);
  const earlier = (data ?? []).filter((decision) => decision.ended_at !== null || decision.id !== id);
  if (earlier.length === 0) return null;
  return (
    <details className="small">
      <summary>Earlier names and addresses</summary>
      <ul className="grid gap-2 pt-2">
        {earlier.map((decision) => (
          <li key={`${decision.id} ${decision.decided_at} ${decision.is_blocked}`}>
            <Decision decision={decision} own={id} />
          </li>
        ))}
      </ul>
    </details>
  );
}

function Decision({ decision, own }: { decision: RecipientDecision; own: string }) {
  const { id, name, address, is_blocked: isBlocked, reason, decided_by: by, decided_at: at, ended_at: end } = decision;
  return (
    <>
      <UntrustedText value={name} />
      {id !== own && (
        <>
          {' at '}
          <span translate="no">{shorten(address)}</span>
        </>
      )}
      : {isBlocked ? 'blocked' : 'confirmed'} by <Name of={by} /> <Time unix={at} />
      {end !== null && (
        <>
          , until <Time unix={end} />
        </>
      )}
      {reason !== null && (
        <>
          {' '}
          “<UntrustedText value={reason} max={200} />”
        </>
      )}
    </>
  );
}
