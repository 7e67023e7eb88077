import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { Link } from 'react-router';
import type { PolicyAnswer, PolicyVersion } from '#src/shared/contract/policyContract.ts';
import { paths } from '#src/shared/paths.ts';
import type { Policy } from '#src/shared/policy/policy.ts';
import { useRefusal } from '#src/web/api/permissions.ts';
import { policyQuery } from '#src/web/api/policy.ts';
import { useSession } from '#src/web/api/session.ts';
import { LoadError } from '#src/web/list/ErrorNotice.tsx';
import { Button } from '#src/web/ui/Button.tsx';
import { Notice } from '#src/web/ui/Notice.tsx';
import { PageFrame } from '#src/web/ui/PageHeader.tsx';
import { Time } from '#src/web/ui/Time.tsx';
import { FirstPolicy } from './FirstPolicy.tsx';
import { namesOf, Part, PolicyText } from './parts.tsx';
import { PendingPolicy } from './PendingPolicy.tsx';
import { PolicyVersions } from './PolicyVersions.tsx';
import { draftOf, type PolicyDraft } from './draft.ts';
import { UntrustedText } from '#src/web/ui/UntrustedText.tsx';

const PolicyEditor = lazy(() => import('./PolicyEditor.tsx').then((module) => ({ default: module.PolicyEditor })));

export function Component() {
  const { account } = useSession();
  const query = useQuery(policyQuery(account));
  if (query.data) return <PolicyPage state={query.data} />;
  return (
    <PageFrame title="Approval rules" padded>
      {query.error ? (
        <LoadError of={query} heading="Couldn’t load the approval rules" />
      ) : (
        <output>Loading the approval rules…</output>
      )}
    </PageFrame>
  );
}

function PolicyPage({ state }: { state: PolicyAnswer }) {
  const refusal = useRefusal('change-policy');
  const [draft, setDraft] = useState<PolicyDraft | null>(null);
  const { in_force: inForce, pending, is_broken: isBroken, approvers } = state;
  const close = () => setDraft(null);
  const edit = (policy: Policy) => setDraft(draftOf(policy));
  const isFirst = inForce === null && pending === null;
  return (
    <PageFrame
      title="Approval rules"
      padded
      actions={
        inForce !== null &&
        draft === null && (
          <Button variant="primary" disabledReason={refusal} onClick={() => edit(inForce.policy)}>
            Change rules
          </Button>
        )
      }
    >
      <div className="grid max-w-184 gap-8" tabIndex={-1} data-takes-focus>
        {isBroken && <Broken />}
        {draft === null ? (
          <>
            {pending !== null && <PendingPolicy pending={pending} />}
            <InForce inForce={inForce} isBroken={isBroken} refusal={refusal} />
            {isFirst && <FirstPolicy refusal={refusal} onDraft={setDraft} />}
            <Approvers approvers={approvers} />
            {state.versions.length > 0 && <PolicyVersions versions={state.versions} refusal={refusal} onEdit={edit} />}
          </>
        ) : (
          <Suspense fallback={<output>Loading…</output>}>
            <PolicyEditor first={draft} state={state} onClose={close} />
          </Suspense>
        )}
      </div>
    </PageFrame>
  );
}

function Broken() {
  return (
    <Notice tone="alarm" title="No payment is sent.">
      The approval rules in the database aren’t as this server wrote them. Ask whoever runs the server what happened. If
      an admin chooses them again, another admin has to confirm them.
    </Notice>
  );
}

interface InForceProps {
  inForce: PolicyAnswer['in_force'];
  isBroken: boolean;
  refusal: string | undefined;
}

function InForce({ inForce, isBroken, refusal }: InForceProps) {
  if (isBroken) return null;
  return (
    <Part
      title="In force"
      text={
        inForce === null ? (
          `Until an admin chooses who approves.${refusal === undefined ? '' : ` ${refusal}`}`
        ) : (
          <>
            Since <Time unix={inForce.counts_from} />
            <ChosenBy version={inForce} />
          </>
        )
      }
    >
      <PolicyText policy={inForce?.policy ?? null} />
    </Part>
  );
}

function ChosenBy({ version: { proposed_by: by, confirmed_by: other } }: { version: PolicyVersion }) {
  if (by === null) return null;
  return (
    <>
      , chosen by <UntrustedText value={by.name} />
      {other && (
        <>
          , confirmed by <UntrustedText value={other.name} />
        </>
      )}
    </>
  );
}

function Approvers({ approvers }: Pick<PolicyAnswer, 'approvers'>) {
  return (
    <Part title="Who can approve" text="Nobody approves their own payments.">
      <p>
        {approvers.length === 0 ? 'Nobody yet' : namesOf(approvers)}. Admins give the role approver on{' '}
        <Link to={paths.people}>People</Link>.
      </p>
    </Part>
  );
}
