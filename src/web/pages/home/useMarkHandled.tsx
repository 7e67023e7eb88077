import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { type Mark, subjectId, type TeamItem } from '#src/shared/contract/teamContract.ts';
import type { Payment } from '#src/shared/overview/payment.ts';
import { useSession } from '#src/web/api/session.ts';
import { addItems, changeItem, keepItem, showColleagues, teamQuery, whenAllowed } from '#src/web/api/team.ts';
import { TeamProblem } from '#src/web/list/TeamProblem.tsx';
import { Button } from '#src/web/ui/Button.tsx';
import { focusOnMount } from '#src/web/ui/focus.ts';
import { Notice } from '#src/web/ui/Notice.tsx';

interface Marking {
  mark: Mark['mark'];
  payments: readonly Payment[];
  what: string;
}

interface Marked {
  /** Only payments that this click marked: a colleague may have marked others before. */
  changes: readonly { item: TeamItem<Mark>; before: Mark | null }[];
  what: string;
}

/** `what` names the payments in the confirmation. */
export type MarkHandled = (payments: readonly Payment[], what: string, mark?: 'handled' | 'expected') => void;

/** Marks payments as handled. `notice` confirms it and offers Undo, because the lines themselves disappear. */
export function useMarkHandled(): { markHandled: MarkHandled; notice: ReactNode } {
  const { account } = useSession();
  const client = useQueryClient();
  const [marked, setMarked] = useState<Marked | null>(null);
  const [undone, setUndone] = useState(0);
  const onError = (error: unknown) => showColleagues(client, account, 'marks', error);
  const mark = useMutation({
    mutationFn: async ({ payments, mark: word }: Marking): Promise<Marked['changes']> => {
      const values = payments.map(({ kind, id }) => ({ kind, id, mark: word }));
      const { items } = await client.fetchQuery(teamQuery(account, 'marks'));
      const taken = new Map(items.map((item) => [item.id, item]));
      const isTaken = (value: Mark) => taken.has(subjectId(value));
      const changed: TeamItem<Mark>[] = [];
      for (const value of values.filter(isTaken)) {
        const id = subjectId(value);
        const change = { id, value, revision: taken.get(id)?.revision ?? 0 };
        changed.push(await whenAllowed(() => changeItem(account, 'marks', change)));
      }
      const added = await addItems(
        account,
        'marks',
        values.filter((value) => !isTaken(value)),
      );
      await keepItem(client, account, 'marks', ...changed, ...added);
      return [...changed, ...added].map((item) => ({ item, before: taken.get(item.id)?.value ?? null }));
    },
    onSuccess: (changes, { what }) => setMarked({ changes, what }),
    onError,
  });
  const undo = useMutation({
    mutationFn: async ({ changes }: Marked) => {
      setUndone(0);
      for (const { item, before } of changes) {
        const change = { id: item.id, value: before, revision: item.revision };
        await keepItem(client, account, 'marks', await whenAllowed(() => changeItem(account, 'marks', change)));
        setUndone((count) => count + 1);
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
          {/* Takes the focus, which was in the removed line. */}
          <Button
            size="small"
            key={marked.changes[0]?.item.id}
            ref={focusOnMount}
            disabledReason={undo.isPending ? 'Saving' : undefined}
            reasonHidden
            onClick={() => undo.mutate(marked)}
          >
            Undo
          </Button>
          {/* Many payments take minutes, because each is one write and writes are limited per account. */}
          {undo.isPending && marked.changes.length > 1 && (
            <span className="sub small">
              {undone} of {marked.changes.length} undone. Keep this page open.
            </span>
          )}
        </div>
      )}
      {error !== null && (
        <TeamProblem error={error} heading={`The ${mark.error ? 'mark was not saved' : 'mark was not undone'}`} />
      )}
    </div>
  );
  return {
    markHandled: (payments, what, word = 'handled') => {
      undo.reset();
      mark.mutate({ payments, what, mark: word });
    },
    notice,
  };
}
