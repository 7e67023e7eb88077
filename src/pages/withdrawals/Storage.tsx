import { useOperations } from '#src/operations/useOperations.ts';
import { Notice } from '#src/ui/Notice.tsx';

/** Whether this browser can keep the record that a withdrawal needs before it leaves. */
export function Storage() {
  const { status, reason, mayForget } = useOperations();
  if (status === 'unavailable') {
    return (
      <div className="storage">
        <Notice tone="alarm" live="status" title="Withdrawals cannot be sent from this browser now.">
          It cannot keep the record that a withdrawal needs before it leaves. {reason}
        </Notice>
      </div>
    );
  }
  if (!mayForget) return null;
  return (
    <p className="storage small sub">
      This browser did not promise to keep its records and may forget them when space runs low.
    </p>
  );
}
