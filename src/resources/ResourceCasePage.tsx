import { useLocation, useParams } from 'react-router';
import { describeError } from '#src/api/errors.ts';
import type { Absence } from '#src/case-file/caseFile.ts';
import { CaseFileView } from '#src/case-file/CaseFileView.tsx';
import { useCaseFile } from '#src/case-file/useCaseFile.ts';
import type { Payment } from '#src/lib/operations/story.ts';
import { rowPath } from '#src/lib/paths.ts';
import type { ListRow } from '#src/list/fields.tsx';
import { notFoundText, lookingFor } from './ResourcePage.tsx';
import { ErrorNotice } from '#src/ui/ErrorNotice.tsx';
import type { ResourceProps } from './resource.ts';
import { useRow } from './useRow.ts';

/** The case file of a deposit or a withdrawal. */
export function ResourceCasePage<T extends ListRow>({ resource }: ResourceProps<T>) {
  return resource.payment ? <CasePage resource={resource} of={resource.payment} /> : null;
}

interface CasePageProps<T extends ListRow> extends ResourceProps<T> {
  of: Payment;
}

function CasePage<T extends ListRow>({ resource, of }: CasePageProps<T>) {
  const { id = '' } = useParams();
  const { search } = useLocation();
  const { found, missing, error, unknown, reading, readAgain } = useRow(resource, id, false);
  const { fields, noun, at } = resource;
  const absence: Absence | null = missing
    ? { words: notFoundText(noun.one, missing), said: null, requestId: missing.requestId, at: missing.readAt }
    : unknown && { words: unknownText(noun.one), said: unknown.message, requestId: unknown.requestId, at: unknown.at };
  const file = useCaseFile({ of, fields, id, found: found && { row: found.row, read: found }, absence });
  return (
    <CaseFileView
      file={file}
      back={rowPath(at, id, search)}
      reading={found || missing || error ? undefined : lookingFor(resource)}
      notice={
        error &&
        !unknown && (
          <ErrorNotice
            error={describeError(error)}
            heading={`Couldn’t load the ${noun.one}`}
            onRetry={readAgain}
            retrying={reading}
          />
        )
      }
    />
  );
}

function unknownText(noun: string): string {
  return `The provider has no ${noun} with this ID on this account. It may belong to another account or not be shown yet.`;
}
