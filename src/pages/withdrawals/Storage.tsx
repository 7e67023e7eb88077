import { useOperations } from '#src/operations/useOperations.ts';
import { StorageNotice } from '#src/ui/StorageNotice.tsx';

/** Whether this browser can keep the record that a withdrawal needs before it leaves. */
export function Storage() {
  const { status, reason, mayForget } = useOperations();
  return (
    <StorageNotice
      status={status}
      reason={reason}
      mayForget={mayForget}
      refused="Withdrawals cannot be sent from this browser now."
      what="a withdrawal"
    />
  );
}
