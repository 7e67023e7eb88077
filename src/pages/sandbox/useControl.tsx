import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef } from 'react';
import { describeError } from '#src/api/errors.ts';
import { balanceQueries } from '#src/api/balances.ts';
import { sandboxQueries } from '#src/api/sandboxControls.ts';
import { ErrorNotice } from '#src/ui/ErrorNotice.tsx';

export interface Control {
  /** Does one thing and says in words what it did. A second one while it runs does nothing. */
  run: (act: () => Promise<ReactNode>) => void;
  busy: boolean;
  said: ReactNode;
  error: Error | null;
}

/** One control of the sandbox. What this page shows of the sandbox is read again after it, and balances when next looked at. */
export function useControl(account: string): Control {
  const queryClient = useQueryClient();
  const { mutate, isPending, data, error } = useMutation({
    mutationFn: (act: () => Promise<ReactNode>) => act(),
    onSettled: async () => {
      // Lists stay as they were read: rows do not move under the reader.
      void queryClient.invalidateQueries({ queryKey: balanceQueries.list(account).queryKey.slice(0, 2) });
      for (const area of ['deposits', 'withdrawals']) {
        void queryClient.invalidateQueries({ queryKey: [account, area, 'detail'] });
      }
      await queryClient.invalidateQueries({ queryKey: sandboxQueries.all(account) });
    },
  });
  return { run: (act) => !isPending && mutate(act), busy: isPending, said: data ?? null, error };
}

/** What the control did, announced; or why it did nothing. */
export function Outcome({ of: { said, error, busy } }: { of: Control }) {
  const output = useRef<HTMLOutputElement>(null);
  const shown = !busy && !error && said !== null;
  useEffect(() => {
    // The row of the button may be gone, and the focus with it.
    if (shown && document.activeElement === document.body) output.current?.focus();
  }, [shown]);
  return (
    <>
      <output
        ref={output}
        tabIndex={-1}
        className={shown ? 'block border-l-4 border-accent bg-inset px-3 py-2 wrap-anywhere' : 'vh'}
      >
        {shown && said}
      </output>
      {error && !busy && <ErrorNotice error={describeError(error)} heading="The simulator couldn’t do it" />}
    </>
  );
}
