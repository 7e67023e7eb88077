import { Link } from 'react-router';
import { paths } from '#src/shared/paths.ts';
import { useNeedsPolicy } from '#src/web/api/policy.ts';
import { Notice } from '#src/web/ui/Notice.tsx';

/** Points an admin to the approval rules while there are none. */
export function ChoosePolicy() {
  if (!useNeedsPolicy()) return null;
  return (
    <div className="px-gutter py-3">
      <Notice tone="open" title="Every payment needs 1 approval until an admin chooses who approves.">
        <Link to={paths.policy}>Choose who approves payments</Link>, also if you work alone.
      </Notice>
    </div>
  );
}
