import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useLocation, useParams } from 'react-router';
import { ApiError, describeError } from '#src/api/errors.ts';
import { useSession } from '#src/api/session.ts';
import { useOperationsAbout } from '#src/api/useOperations.ts';
import { withdrawalQueries } from '#src/api/withdrawals.ts';
import { paths } from '#src/lib/paths.ts';
import type { Absence } from '#src/case-file/caseFile.ts';
import { CaseFileView } from '#src/case-file/CaseFileView.tsx';
import { useCaseFile } from '#src/case-file/useCaseFile.ts';
import { withdrawalStory } from '#src/lib/operations/story.ts';
import { ErrorNotice } from '#src/ui/ErrorNotice.tsx';

export function Component() {
  const { id = '' } = useParams();
  const { search } = useLocation();
  const session = useSession();
  const { data, error, isFetching, refetch } = useQuery({
    ...withdrawalQueries.detail(session?.account ?? '', id),
    enabled: session !== null,
  });
  const view = useOperationsAbout(id);
  const story = useMemo(() => withdrawalStory(view, id, data?.withdrawal), [view, id, data]);
  const found = data ? { row: data.withdrawal, read: data } : null;
  const absence = unknownHere(error);
  const file = useCaseFile({ of: 'withdrawal', id, found, absence, story });
  return (
    <CaseFileView
      file={file}
      back={paths.withdrawal(id, search)}
      reading={data || error ? undefined : 'Reading the withdrawal'}
      notice={
        error &&
        !absence && (
          <ErrorNotice
            error={describeError(error)}
            heading="The withdrawal could not be read"
            onRetry={() => void refetch()}
            retrying={isFetching}
          />
        )
      }
    />
  );
}

/** The service's own 404; null for any other error. */
function unknownHere(error: unknown): Absence | null {
  if (!(error instanceof ApiError) || error.status !== 404 || error.gateway !== null) return null;
  const { message, requestId, at } = error;
  const words =
    'No withdrawal with this id on this account, says the service. It may belong to another account or not be shown yet.';
  return { words, said: message, requestId, at };
}
