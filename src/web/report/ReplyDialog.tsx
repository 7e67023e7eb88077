import { Copy } from 'lucide-react';
import { useRef } from 'react';
import { Button } from '#src/web/ui/Button.tsx';
import { copyText } from '#src/web/ui/CopyButton.tsx';
import { Dialog } from '#src/web/ui/Dialog.tsx';
import { Field, inputClass } from '#src/web/ui/Field.tsx';
import { focusOnMount } from '#src/web/ui/focus.ts';
import { StillLoading } from '#src/web/list/StillLoading.tsx';

interface ReplyDialogProps {
  title: string;
  /** Null while it is being prepared. */
  text: string | null;
  onClose: (copied: boolean) => void;
}

/** A reply to edit and copy. Copying closes the dialog. */
export function ReplyDialog({ title, text, onClose }: ReplyDialogProps) {
  const field = useRef<HTMLTextAreaElement>(null);
  const copied = useRef(false);
  const copy = async () => {
    copied.current = await copyText(field.current?.value ?? '');
    if (copied.current) onClose(true);
  };
  return (
    <Dialog
      open
      onClose={() => onClose(copied.current)}
      title={title}
      wide="w-160 max-w-[calc(100vw-2rem)]"
      actions={
        <>
          {text !== null && (
            <Button
              variant="primary"
              icon={<Copy className="icon-s" aria-hidden />}
              onClick={() => void copy()}
              ref={focusOnMount}
            >
              Copy
            </Button>
          )}
          <Button onClick={() => onClose(false)}>Close</Button>
        </>
      }
    >
      {text === null ? (
        <output>
          <StillLoading what="reply">Checking how long such payments usually take…</StillLoading>
        </output>
      ) : (
        <Field label="Text">
          {(control) => (
            <textarea
              {...control}
              className={inputClass}
              rows={12}
              autoComplete="off"
              defaultValue={text}
              ref={field}
            />
          )}
        </Field>
      )}
    </Dialog>
  );
}
