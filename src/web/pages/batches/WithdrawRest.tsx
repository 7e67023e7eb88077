import { useState } from 'react';
import { counted } from '#src/shared/text.ts';
import type { useBatchCommand } from '#src/web/api/batches.ts';
import { CommandButton, NOT_PRESSED } from '#src/web/list/CommandButton.tsx';
import { Button } from '#src/web/ui/Button.tsx';
import { Dialog } from '#src/web/ui/Dialog.tsx';

interface WithdrawRestProps {
  /** How many payments aren't sent. */
  left: number;
  command: ReturnType<typeof useBatchCommand>;
  disabledReason: string | undefined;
}

/** Ends the batch: payments that aren't sent yet never will be. */
export function WithdrawRest({ left, command, disabledReason }: WithdrawRestProps) {
  const [isOpen, setOpen] = useState(false);
  const close = (): void => setOpen(false);
  const isThis = command.variables === 'withdraw';
  return (
    <>
      <Button variant="quiet" aria-haspopup="dialog" disabledReason={disabledReason} onClick={() => setOpen(true)}>
        Withdraw what isn’t sent
      </Button>
      <Dialog
        open={isOpen}
        onClose={close}
        title={`Withdraw ${counted(left, 'payment', 'payments')}?`}
        actions={
          <>
            <CommandButton
              variant="danger"
              mutation={isThis ? command : NOT_PRESSED}
              busy="Withdrawing…"
              onPress={() => command.mutate('withdraw', { onSuccess: close })}
            >
              Withdraw {left === 1 ? 'it' : 'them'}
            </CommandButton>
            <Button onClick={close}>Cancel</Button>
          </>
        }
      >
        <p>
          {left === 1 ? 'It wasn’t sent, and never will be.' : 'They weren’t sent, and never will be.'} Payments that
          were sent already stay as they are.
        </p>
      </Dialog>
    </>
  );
}
