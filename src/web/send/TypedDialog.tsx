import { useState } from 'react';
import { Button } from '#src/web/ui/Button.tsx';
import { Dialog } from '#src/web/ui/Dialog.tsx';
import { useLoaded } from '#src/web/ui/useLoaded.ts';
import type { TypedFormProps } from './TypedForm.tsx';

interface TypedDialogProps extends Omit<TypedFormProps, 'onLeave'> {
  opener: string;
  disabledReason?: string | undefined;
  reasonHidden?: boolean;
  title: string;
  size?: 'small';
}

const loadForm = () => import('./TypedForm.tsx');

/** A button whose command asks for a typed text first. */
export function TypedDialog({ opener, disabledReason, reasonHidden = false, title, size, ...form }: TypedDialogProps) {
  const [open, setOpen] = useState(false);
  const { value: parts } = useLoaded(loadForm);
  return (
    <>
      <Button
        disabledReason={disabledReason}
        reasonHidden={reasonHidden}
        {...(size && { size })}
        onClick={() => setOpen(true)}
        aria-haspopup="dialog"
      >
        {opener}
      </Button>
      <Dialog open={open} onClose={() => setOpen(false)} title={title}>
        {parts ? <parts.TypedForm {...form} onLeave={() => setOpen(false)} /> : 'Loading…'}
      </Dialog>
    </>
  );
}
