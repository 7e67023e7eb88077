import { useState } from 'react';
import type { Job } from '#src/shared/contract/jobsContract.ts';
import { deleteJob, useExportCommand } from '#src/web/api/jobs.ts';
import { CommandButton } from '#src/web/list/CommandButton.tsx';
import { Button } from '#src/web/ui/Button.tsx';
import { Dialog } from '#src/web/ui/Dialog.tsx';

/** Asks for confirmation, because the file can't be restored. */
export function DeleteExportButton({ job, onDeleted }: { job: Job; onDeleted: () => void }) {
  const [isAsking, setAsking] = useState(false);
  const remove = useExportCommand(deleteJob);
  return (
    <>
      <Button variant="quiet" aria-haspopup="dialog" onClick={() => setAsking(true)}>
        Delete
      </Button>
      <Dialog
        open={isAsking}
        onClose={() => setAsking(false)}
        title="Delete this export"
        actions={
          <>
            <CommandButton
              mutation={remove}
              busy="Deleting"
              variant="primary"
              onPress={() => remove.mutate(job.id, { onSuccess: onDeleted })}
            >
              Delete export
            </CommandButton>
            <Button onClick={() => setAsking(false)}>Keep it</Button>
          </>
        }
      >
        <p>
          {job.state === 'stopped'
            ? 'The rows loaded so far are deleted, and it can’t be continued.'
            : 'Its file is deleted from the server and can’t be brought back. A new export may hold other rows.'}
        </p>
      </Dialog>
    </>
  );
}
