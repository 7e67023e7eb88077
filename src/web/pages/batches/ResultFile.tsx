import { useMutation } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { authorName } from '#src/shared/author.ts';
import { resultFile } from '#src/shared/batches/resultFile.ts';
import { type ReceivedBatch, withdrawalsOfBatch } from '#src/web/api/batches.ts';
import { useSession } from '#src/web/api/session.ts';
import { CommandButton } from '#src/web/list/CommandButton.tsx';
import { saveFile } from '#src/web/ui/saveFile.ts';

/** Reads the provider's list and saves a file with the result of each line. */
export function ResultFile({ view }: { view: ReceivedBatch }) {
  const { account } = useSession();
  const saving = useMutation({
    mutationFn: async (): Promise<string> => {
      const withdrawals = await withdrawalsOfBatch(account, view);
      saveFile(
        `batch-${view.batch.id.slice(0, 8)}-result.csv`,
        resultFile(view.lines, withdrawals?.rows ?? [], view.approval && authorName(view.batch)),
      );
      if (withdrawals === null)
        return 'Saved. The provider lists no withdrawals, so fees and transactions are missing.';
      return withdrawals.isWhole
        ? 'Saved.'
        : 'Saved. The provider’s list didn’t have all of them: some fields are empty.';
    },
    gcTime: 0,
  });
  return (
    <div className="grid gap-2">
      <CommandButton
        mutation={{ ...saving, data: undefined }}
        icon={<Download aria-hidden />}
        busy="Loading the provider’s list…"
        onPress={() => saving.mutate()}
      >
        Result file
      </CommandButton>
      <output className="small sub empty:hidden">{saving.data}</output>
    </div>
  );
}
