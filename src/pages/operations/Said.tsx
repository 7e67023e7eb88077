import type { ReactNode } from 'react';

/** What is announced when it changes: a chip and one sentence. `alert` interrupts, and is for a contradicted payment alone. */
export function Said({ live = 'status', children }: { live?: 'status' | 'alert'; children: ReactNode }) {
  return (
    <div role={live} className="said">
      {children}
    </div>
  );
}
