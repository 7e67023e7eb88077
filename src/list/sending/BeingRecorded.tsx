import { Link } from 'react-router';
import { useStarting } from '#src/api/startOperation.ts';
import { KIND } from '#src/lib/operations/kinds.ts';
import { paths } from '#src/lib/paths.ts';
import { Notice } from '#src/ui/Notice.tsx';
import { PageHeader } from '#src/ui/PageHeader.tsx';
import { useDelay } from '#src/ui/useDelay.ts';

/** Whether a form is not to be shown: it was sent, or another request is still on its way to the journal. */
export function useIsRecording(gone: boolean): boolean {
  return useStarting().length > 0 || gone;
}

/** In the place of a form, while what was sent last is not known to be recorded: what is typed now could pay it again. */
export function BeingRecorded({ title }: { title: string }) {
  const [start] = useStarting();
  // Most are recorded before anybody could read of it.
  const isSlow = useDelay(true, 500);
  return (
    <>
      <PageHeader title={title} />
      <div className="page-body pad">
        {!isSlow ? null : start ? (
          <Notice tone="motion" live="status" title={`A ${KIND[start.kind].one} is being recorded.`}>
            The form opens again when that is known. <Link to={paths.operation(start.key)}>Open it</Link>
          </Notice>
        ) : (
          <output>Opening the operation</output>
        )}
      </div>
    </>
  );
}
