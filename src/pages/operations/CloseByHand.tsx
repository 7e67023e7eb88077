import type { ReactNode } from 'react';
import type { Act } from '#src/api/useOperations.ts';
import { TypedDialog } from './TypedDialog.tsx';

interface CloseByHandProps {
  close: Act<string>;
  /** Why it cannot be closed now. */
  disabledReason?: string | undefined;
  /** What closing lets happen again. */
  children: ReactNode;
}

/** A person ends the operation with a typed reason; that proves nothing, and the dialog says so. */
export function CloseByHand({ close, disabledReason, children }: CloseByHandProps) {
  return (
    <TypedDialog
      opener="Close by hand"
      title="Close this operation by hand"
      disabledReason={disabledReason}
      label="Reason"
      help="Who said what, when, and under which case number. Kept for good as part of the evidence."
      long
      faultIn={(words) => (words === '' ? 'Say why it is closed: it cannot be added later.' : null)}
      act={close}
      submit="Close operation"
      busy="Writing it down"
      failed="Not closed."
    >
      <ul className="dashes">
        <li>Close it only when the service itself has told you what became of it.</li>
        <li>From then on it is shown as “Closed by hand, outcome not proven here”, with your reason and the time.</li>
        <li>{children}</li>
        <li>The service is not told, nothing is sent or undone, and it cannot be opened again.</li>
      </ul>
    </TypedDialog>
  );
}
