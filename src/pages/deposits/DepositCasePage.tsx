import { useMemo } from 'react';
import { useLocation, useParams } from 'react-router';
import { describeError } from '#src/api/errors.ts';
import { useOperationsAbout } from '#src/api/useOperations.ts';
import { paths } from '#src/lib/paths.ts';
import type { Absence } from '#src/case-file/caseFile.ts';
import { CaseFileView } from '#src/case-file/CaseFileView.tsx';
import { useCaseFile } from '#src/case-file/useCaseFile.ts';
import { searchedWords } from '#src/list/searched.ts';
import { depositStory } from '#src/lib/operations/story.ts';
import { ErrorNotice } from '#src/ui/ErrorNotice.tsx';
import { useDeposit } from './useDeposit.ts';

export function Component() {
  const { id = '' } = useParams();
  const { search } = useLocation();
  const { shown, lookup, error, reading, readAgain } = useDeposit(id);
  const view = useOperationsAbout(id);
  const deposit = shown?.found ? shown.deposit : undefined;
  const story = useMemo(() => depositStory(view, deposit ?? { id }), [view, deposit, id]);
  const found = shown?.found ? { row: shown.deposit, read: shown } : null;
  const absence: Absence | null =
    lookup && !lookup.found
      ? { words: searchedWords('deposit', lookup), said: null, requestId: lookup.requestId, at: lookup.readAt }
      : null;
  const file = useCaseFile({ of: 'deposit', id, found, absence, story });
  return (
    <CaseFileView
      file={file}
      back={paths.deposit(id, search)}
      reading={shown || error ? undefined : 'Looking for the deposit'}
      notice={
        error && (
          <ErrorNotice
            error={describeError(error)}
            heading="The deposit could not be read"
            onRetry={readAgain}
            retrying={reading}
          />
        )
      }
    />
  );
}
