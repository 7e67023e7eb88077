import { Link } from 'react-router';
import { paths } from '#src/shared/paths.ts';
import { missingApprovers } from '#src/shared/policy/unmeetable.ts';
import { counted } from '#src/shared/text.ts';
import { needsPolicy, usePolicyOfAdmin } from '#src/web/api/policy.ts';
import { Notice } from '#src/web/ui/Notice.tsx';

/** Links an admin to the approval rules if there are none, or to People if too few people can approve under them. */
export function PolicyReminder() {
  const policy = usePolicyOfAdmin();
  if (policy === undefined) return null;
  const { in_force: inForce, approvers, approvers_who_prepare: preparing } = policy;
  if (needsPolicy(policy))
    return (
      <div className="px-gutter py-3">
        <Notice tone="open" title="Every payment needs 1 approval until an admin chooses who approves.">
          <Link to={paths.policy}>Choose who approves payments</Link>, also if you work alone.
        </Notice>
      </div>
    );
  const names = (people: readonly { name: string }[]) => people.map(({ name }) => name);
  const missing =
    inForce === null
      ? 0
      : missingApprovers(inForce.policy, { approvers: names(approvers), preparing: names(preparing) });
  if (missing === 0) return null;
  return (
    <div className="px-gutter py-3">
      <Notice tone="alarm" title="Too few people can approve payments.">
        Some payments can’t be sent: they need more approvals than there are approvers.{' '}
        <Link to={paths.people}>Give {counted(missing, 'more person', 'more people')} the role approver</Link>, or
        change the <Link to={paths.policy}>approval rules</Link>.
      </Notice>
    </div>
  );
}
