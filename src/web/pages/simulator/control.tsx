import { useMutation, useQueryClient, type UseQueryResult } from '@tanstack/react-query';
import { RefreshCw } from 'lucide-react';
import { type ReactNode, useEffect, useId, useRef, type FormEvent } from 'react';
import { outcomeUnknown } from '#src/web/api/errors.ts';
import { balanceQueries } from '#src/web/api/balances.ts';
import { sandboxQueries, type TimePassed } from '#src/web/api/sandboxControls.ts';
import { useSession } from '#src/web/api/session.ts';
import { groupBy } from '#src/shared/groupBy.ts';
import { Button, type ButtonProps, IconButton } from '#src/web/ui/Button.tsx';
import { ErrorNotice, LoadError } from '#src/web/list/ErrorNotice.tsx';

/** The session's account, which is part of query keys, and the sandbox's own id for it. Throws outside the sandbox. */
export function useSandbox(): { account: string; sandbox: string } {
  const { account, sandbox } = useSession();
  if (sandbox === null) throw new TypeError('Not a session of the sandbox');
  return { account, sandbox };
}

export type Control = ReturnType<typeof useControl>;

/** Runs one command on the sandbox, then reloads this page's data and the balances. */
export function useControl() {
  const { account, sandbox } = useSandbox();
  const queryClient = useQueryClient();
  const { mutate, isPending, data, error } = useMutation({
    mutationFn: (act: () => Promise<ReactNode>) => act(),
    onSettled: async () => {
      // Lists are not reloaded: rows would move under the reader.
      void queryClient.invalidateQueries({ queryKey: balanceQueries.list(account).queryKey.slice(0, 2) });
      for (const area of ['deposits', 'withdrawals']) {
        void queryClient.invalidateQueries({ queryKey: [account, area, 'detail'] });
      }
      await queryClient.invalidateQueries({ queryKey: sandboxQueries.all(account) });
    },
  });
  /** Runs a command and shows the text that it returns; ignored while another one runs. */
  const run = (act: () => Promise<ReactNode>) => void (isPending || mutate(act));
  return { sandbox, run, busy: isPending, resultText: data ?? null, error };
}

interface ControlButtonProps extends ButtonProps {
  of: Control;
  doing: string;
  /** If absent, the button submits its form. */
  act?: () => Promise<ReactNode>;
}

export function ControlButton({ of: { run, busy }, doing, act, disabledReason, ...button }: ControlButtonProps) {
  return (
    <Button
      {...button}
      type={act ? 'button' : 'submit'}
      disabledReason={busy ? doing : disabledReason}
      reasonHidden
      onClick={act && (() => run(act))}
    />
  );
}

export function ControlResult({ of: { resultText, error, busy } }: { of: Control }) {
  const output = useRef<HTMLOutputElement>(null);
  const isVisible = !busy && !error && resultText !== null;
  useEffect(() => {
    // The button may have been removed while it had the focus.
    if (isVisible && document.activeElement === document.body) output.current?.focus();
  }, [isVisible]);
  return (
    <>
      <output
        ref={output}
        tabIndex={-1}
        className={isVisible ? 'block border-l-4 border-accent bg-inset px-3 py-2 wrap-anywhere' : 'vh'}
      >
        {isVisible && resultText}
      </output>
      {error && !busy && (
        <ErrorNotice
          error={error}
          heading={outcomeUnknown(error) ? 'We don’t know whether this was done' : 'The simulator couldn’t do it'}
        />
      )}
    </>
  );
}

interface ControlFormProps {
  of: Control;
  onSubmit: (event: FormEvent) => Promise<void>;
  submit: string;
  doing: string;
  children: ReactNode;
}

export function ControlForm({ of, onSubmit, submit, doing, children }: ControlFormProps) {
  return (
    <form className="form gap-3" noValidate onSubmit={(event) => void onSubmit(event)}>
      {children}
      <div className="acts-row">
        <ControlButton of={of} doing={doing}>
          {submit}
        </ControlButton>
      </div>
      <ControlResult of={of} />
    </form>
  );
}

interface LoadedProps<T> {
  query: UseQueryResult<T>;
  what: string;
  children: (data: T) => ReactNode;
}

export function Loaded<T>({ query, what, children }: LoadedProps<T>) {
  if (query.data !== undefined) return children(query.data);
  return query.error && <LoadError of={query} heading={`Couldn’t load ${what}`} />;
}

interface PartProps {
  title: string;
  of?: { query: UseQueryResult; what: string };
  children: ReactNode;
}

export function SimulatorPart({ title, of, children }: PartProps) {
  const id = useId();
  return (
    <section className="grid min-w-0 grid-cols-1 gap-3 border-t border-rule-strong pt-3" aria-labelledby={id}>
      <div className="flex items-center justify-between">
        <h2 id={id}>{title}</h2>
        {of && (
          <IconButton
            label={`Refresh ${of.what}`}
            onClick={() => void of.query.refetch()}
            aria-busy={of.query.isFetching}
          >
            <RefreshCw className="icon-s" aria-hidden />
          </IconButton>
        )}
      </div>
      {children}
    </section>
  );
}

/** Counts what fell due while the clock advanced: "Processed: 1 withdrawal broadcasted, 2 deposits completed." */
export function processedWords(due: TimePassed['fell_due']): string {
  if (due.length === 0) return 'Nothing was due.';
  const parts = Array.from(
    groupBy(due, ({ kind, status }) => `${kind} ${status}`),
    ([what, { length }]) => (length === 1 ? `1 ${what}` : `${length} ${what.replace(' ', 's ')}`),
  );
  return `Processed: ${parts.join(', ')}.`;
}
