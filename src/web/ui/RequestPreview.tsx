import { useId } from 'react';
import type { OperationRequest } from '#src/shared/operations/kind.ts';
import { revealHidden } from '#src/shared/text.ts';
import { CopyButton } from './CopyButton.tsx';

interface RequestPreviewProps {
  request: Pick<OperationRequest, 'path' | 'body'>;
  idempotencyKey: string;
}

/** The request that will be sent, byte for byte. Characters that would hide or reorder text are shown by name. */
export function RequestPreview({ request: { path, body }, idempotencyKey }: RequestPreviewProps) {
  const id = useId();
  const request = `POST ${path}\nIdempotency-Key: ${idempotencyKey}\n\n${body}`;
  const shown = revealHidden(request);
  return (
    <section aria-labelledby={id}>
      <div className="flex items-center justify-between gap-2">
        <h2 id={id}>Exactly what will be sent</h2>
        <CopyButton value={request} label="Copy the request" />
      </div>
      <pre className="code" translate="no">
        {shown}
      </pre>
      {shown !== request && (
        <p className="msg msg-open">
          <span>
            It holds characters that cannot be seen. They are shown by their names, in ⟨ ⟩, and sent as typed.
          </span>
        </p>
      )}
      <p className="dim small">Retries send exactly this.</p>
    </section>
  );
}
