import type { PolicyAnswer } from '#src/shared/contract/policyContract.ts';
import { usePersonCommand } from '#src/web/api/people.ts';
import { useRefusal } from '#src/web/api/permissions.ts';
import { confirmPolicy, stopPolicy } from '#src/web/api/policy.ts';
import { useSession } from '#src/web/api/session.ts';
import { CommandButton, PasskeyButton } from '#src/web/list/CommandButton.tsx';
import { announce } from '#src/web/ui/announce.tsx';
import { Notice } from '#src/web/ui/Notice.tsx';
import { Time } from '#src/web/ui/Time.tsx';
import { namesOf, PolicyText } from './parts.tsx';
import { UntrustedText } from '#src/web/ui/UntrustedText.tsx';

type Pending = NonNullable<PolicyAnswer['pending']>;

/** A policy change that isn't in force yet, with its differences. */
export function PendingPolicy({ pending }: { pending: Pending }) {
  const { person } = useSession();
  const confirmRefusal = useRefusal('change-policy');
  const stopRefusal = useRefusal('veto-policy');
  const confirming = usePersonCommand(confirmPolicy);
  const stopping = usePersonCommand(stopPolicy);
  const { number, policy, changes, proposed_by: by, proposed_at: at } = pending;
  const isOwn = by !== null && by.person === person?.id;
  const confirm = async () => {
    if (await confirming.mutateAsync(number).catch(() => null)) announce('Approval rules changed');
  };
  const stop = async () => {
    if (await stopping.mutateAsync(number).catch(() => null)) announce('Change stopped');
  };
  return (
    <section className="grid gap-4" aria-label="Waiting change">
      <Notice tone="open" title="A change is waiting.">
        <Waits pending={pending} />
      </Notice>
      <div>
        <h2>What it changes</h2>
        <p className="small sub">
          Proposed{' '}
          {by && (
            <>
              by <UntrustedText value={by.name} />,{' '}
            </>
          )}
          <Time unix={at} age />
        </p>
      </div>
      <ul className="grid gap-2">
        {changes.map((change) => (
          <li key={change} className="wrap-anywhere">
            {change}
          </li>
        ))}
      </ul>
      <details>
        <summary>All the new rules</summary>
        <div className="pt-3">
          <PolicyText policy={policy} />
        </div>
      </details>
      <div className="acts-row items-start">
        <PasskeyButton
          mutation={confirming}
          variant="primary"
          disabledReason={
            confirmRefusal ?? (isOwn ? 'You proposed it, so another admin has to confirm it.' : undefined)
          }
          onPress={() => void confirm()}
        >
          Confirm change
        </PasskeyButton>
        <CommandButton mutation={stopping} busy="Stopping" disabledReason={stopRefusal} onPress={() => void stop()}>
          Stop change
        </CommandButton>
      </div>
    </section>
  );
}

function Waits({ pending: { counts_from: from, confirmers } }: { pending: Pending }) {
  if (from !== null)
    return (
      <>
        It takes effect on <Time unix={from} />, unless an approver or an admin stops it before. The rules below apply
        until then.
      </>
    );
  if (confirmers.length === 0)
    return 'Another admin has to confirm it, but there is none who can sign in now. Propose it again: it then takes effect by itself after some days.';
  return `${namesOf(confirmers)} can confirm it. The rules below apply until then.`;
}
