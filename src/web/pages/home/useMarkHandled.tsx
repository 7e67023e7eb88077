import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { HandledMarkValue, TeamItem } from '#src/shared/contract/teamContract.ts';
import type { Payment } from '#src/web/api/payments.ts';
import { useSession } from '#src/web/api/session.ts';
import { addItems, changeItem, keepItem, showColleagues, whenAllowed } from '#src/web/api/team.ts';
import { TeamProblem } from '#src/web/list/TeamProblem.tsx';
import { Button } from '#src/web/ui/Button.tsx';
import { focusOnMount } from '#src/web/ui/focus.ts';
import { Notice } from '#src/web/ui/Notice.tsx';

interface Marking {
  payments: readonly Payment[];
  what: string;
}

interface Marked {
  /** Only those that this press marked; a colleague may have marked others before. */
  items: readonly TeamItem<HandledMarkValue>[];
  what: string;
}

/** `what` names the payments in the confirmation. */
export type MarkHandled = (payments: readonly Payment[], what: string) => void;

/** Marks payments as handled; `notice` says so and offers to undo it, as the lines themselves are gone by then. */
export function useMarkHandled(): { markHandled: MarkHandled; notice: ReactNode } {
  const { account } = useSession();
  const client = useQueryClient();
  const [marked, setMarked] = useState<Marked | null>(null);
  const onError = (error: unknown) => showColleagues(client, account, 'marks', error);
  const mark = useMutation({
    mutationFn: ({ payments }: Marking) =>
      addItems(
        account,
        'marks',
        payments.map(({ kind, id }) => ({ kind, id, mark: 'handled' as const })),
      ),
    onSuccess: async (items, { what }) => {
      await keepItem(client, account, 'marks', ...items);
      setMarked({ items, what });
    },
    onError,
  });
  const undo = useMutation({
    mutationFn: async ({ items }: Marked) => {
      for (const { id, revision } of items) {
        const change = { id, value: null, revision };
        await keepItem(client, account, 'marks', await whenAllowed(() => changeItem(account, 'marks', change)));
      }
    },
    onSuccess: () => setMarked(null),
    onError,
  });
  const error = mark.error ?? undo.error;
  const notice = (marked !== null || error !== null) && (
    <div className="grid gap-3 px-gutter py-3">
      {marked && (
        <div className="acts-row">
          <Notice tone="plain" live>
            {marked.what} marked as handled.
          </Notice>
          {/* The line that had the focus is gone. */}
          <Button
            size="small"
            key={marked.items[0]?.id}
            ref={focusOnMount}
            disabledReason={undo.isPending ? 'Saving' : undefined}
            reasonHidden
            onClick={() => undo.mutate(marked)}
          >
            Undo
          </Button>
        </div>
      )}
      {error !== null && (
        <TeamProblem error={error} heading={`The ${mark.error ? 'mark was not saved' : 'mark was not undone'}`} />
      )}
    </div>
  );
  return {
    markHandled: (payments, what) => {
      undo.reset();
      mark.mutate({ payments, what });
    },
    notice,
  };
}
