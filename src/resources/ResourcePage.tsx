import { RefreshCw } from 'lucide-react';
import { useEffect } from 'react';
import { useParams } from 'react-router';
import { describeError } from '#src/api/errors.ts';
import { capital, shorten } from '#src/lib/text.ts';
import { AsOf } from '#src/list/AsOf.tsx';
import { CaseFileLink } from '#src/list/CaseFileLink.tsx';
import { DetailPanel } from '#src/list/DetailPanel.tsx';
import type { ListRow } from '#src/list/fields.tsx';
import { NotInList } from '#src/list/NotInList.tsx';
import { markOpened } from '#src/list/openedRows.ts';
import { StaleBar } from '#src/list/StaleBar.tsx';
import { Button } from '#src/ui/Button.tsx';
import { ErrorNotice } from '#src/ui/ErrorNotice.tsx';
import { Notice } from '#src/ui/Notice.tsx';
import { useDelay } from '#src/ui/useDelay.ts';
import type { ResourceProps } from './resource.ts';
import { ResourceFacts } from './ResourceFacts.tsx';
import { useRow } from './useRow.ts';

/** The detail of one row, beside its list. */
export function ResourcePage<T extends ListRow>({ resource }: ResourceProps<T>) {
  const { id = '' } = useParams();
  const { noun, at, live, settles, payment, Unknown } = resource;
  const { found, missing, error, unknown, reading, readAgain } = useRow(resource, id, true);
  const read = found ?? missing;
  useEffect(() => markOpened(id), [id]);
  const slow = useDelay(!read && !error);
  const title = capital(noun.one);
  const actions = live ? (
    <Button size="small" icon={<RefreshCw className="icon-s" aria-hidden />} onClick={readAgain} aria-busy={reading}>
      Refresh
    </Button>
  ) : (
    settles && read && <AsOf at={read.readAt} reading={reading} onReadAgain={readAgain} />
  );
  return (
    <DetailPanel id={id} title={title} documentTitle={`${title} ${shorten(id)}`} listPath={at} actions={actions}>
      {error && read && <StaleBar error={error} readAt={read.readAt} />}
      {missing && found && (
        <Notice tone="open" title="Not found there now." live="status">
          A look-up just now did not find it; below is what the list had. That is no proof that it is gone.
        </Notice>
      )}
      {found ? (
        <ResourceFacts resource={resource} row={found.row} read={found} />
      ) : missing ? (
        <NotInList id={id} noun={noun.one} lookup={missing} onReadAgain={readAgain} reading={reading}>
          {payment && <CaseFileLink at={at} id={id} />}
        </NotInList>
      ) : unknown && Unknown ? (
        <Unknown id={id} error={unknown} />
      ) : error ? (
        <ErrorNotice
          error={describeError(error)}
          heading={`The ${noun.one} could not be read`}
          onRetry={readAgain}
          retrying={reading}
        />
      ) : (
        slow && <output className="sub">{lookingFor(resource)}</output>
      )}
    </DetailPanel>
  );
}

export function lookingFor({ noun, live }: { noun: { one: string }; live?: boolean | undefined }): string {
  return `${live ? 'Reading' : 'Looking for'} the ${noun.one}`;
}
