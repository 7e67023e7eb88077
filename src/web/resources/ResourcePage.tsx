import { RefreshCw } from 'lucide-react';
import { useEffect } from 'react';
import { useParams } from 'react-router';
import { capital, shorten, counted, numberWords } from '#src/shared/text.ts';
import { CaseFileLink } from './CaseFileLink.tsx';
import { DetailPanel } from '#src/web/list/DetailPanel.tsx';
import type { ListRow } from '#src/web/list/fields.tsx';
import { markOpened } from '#src/web/list/rows/loadedRows.ts';
import { StaleBar } from '#src/web/list/StaleBar.tsx';
import { Button } from '#src/web/ui/Button.tsx';
import { ErrorNotice } from '#src/web/list/ErrorNotice.tsx';
import { Notice } from '#src/web/ui/Notice.tsx';
import { useDelay } from '#src/web/ui/useLoaded.ts';
import type { Resource, ResourceProps } from './resource.ts';
import { ResourceFacts } from './ResourceFacts.tsx';
import { useRow } from './useRow.ts';
import type { NoRow } from '#src/web/api/paging/findRow.ts';
import { UntrustedText } from '#src/web/ui/UntrustedText.tsx';
import { Updated } from '#src/web/ui/Updated.tsx';

export function ResourcePage<T extends ListRow>({ resource }: ResourceProps<T>) {
  const { id = '' } = useParams();
  const { noun, at, api, settles, Unknown } = resource;
  const { found, missing, error, unknown, reading, readAgain } = useRow(resource, id, true);
  const read = found ?? missing;
  useEffect(() => markOpened(id), [id]);
  const slow = useDelay(!read && !error);
  const title = capital(noun.one);
  const actions =
    settles && read ? (
      <Updated at={read.readAt} isFetching={reading} onRefresh={readAgain} />
    ) : (
      api.byId && (
        <Button
          size="small"
          icon={<RefreshCw className="icon-s" aria-hidden />}
          onClick={readAgain}
          aria-busy={reading}
        >
          Refresh
        </Button>
      )
    );
  return (
    <DetailPanel id={id} title={title} documentTitle={`${title} ${shorten(id)}`} listPath={at} actions={actions}>
      {error && read && <StaleBar error={error} readAt={read.readAt} />}
      {missing && found && (
        <Notice tone="open" title={`Couldn’t find this ${noun.one} just now.`} live>
          Below is what the list had. It may still be there: this {noun.one} was only searched for.
        </Notice>
      )}
      {found ? (
        <ResourceFacts resource={resource} row={found.row} read={found} />
      ) : missing ? (
        <NotInList resource={resource} id={id} lookup={missing} onReadAgain={readAgain} reading={reading} />
      ) : unknown && Unknown ? (
        <Unknown id={id} error={unknown} />
      ) : error ? (
        <ErrorNotice error={error} heading={`Couldn’t load this ${noun.one}`} onRetry={readAgain} retrying={reading} />
      ) : (
        slow && <output className="sub">{lookingFor(resource)}</output>
      )}
    </DetailPanel>
  );
}

export function lookingFor<T extends ListRow>({ noun, api }: Resource<T>): string {
  return `${api.byId ? 'Loading' : 'Searching for'} the ${noun.one}…`;
}

interface NotInListProps<T extends ListRow> extends ResourceProps<T> {
  id: string;
  lookup: NoRow;
  reading: boolean;
  onReadAgain: () => void;
}

/** The ID was searched in the list, because the service has no look-up. Says what was searched and what that doesn't prove. */
function NotInList<T extends ListRow>({ resource, id, lookup, reading, onReadAgain }: NotInListProps<T>) {
  const { noun, at, payment } = resource;
  const { requestId } = lookup;
  return (
    <>
      <h3>No {noun.one} with this ID found</h3>
      <p className="mono">
        <UntrustedText value={id} max={160} />
      </p>
      <p>{notFoundText(noun.one, lookup)}</p>
      {requestId !== null && (
        <p className="small sub">
          Request ID <UntrustedText mono value={requestId} max={80} />
        </p>
      )}
      <div className="acts-row">
        <Button onClick={onReadAgain} disabledReason={reading ? 'Searching' : undefined}>
          Search again
        </Button>
        {payment && <CaseFileLink at={at} id={id} />}
      </div>
    </>
  );
}

/** Says where the item ("deposit") was searched without finding it, and what that doesn't prove. */
export function notFoundText(
  noun: string,
  { scanned, malformed, complete }: Pick<NoRow, 'scanned' | 'malformed' | 'complete'>,
): string {
  const rows = counted(scanned, 'row', 'rows');
  const all = scanned === 0 ? 'in this account’s list, which is empty' : `in all ${rows}`;
  const where = complete ? all : `where it would be listed, nor in the newest ${rows}`;
  const others = complete ? 'not be listed yet' : 'be older';
  const unreadable =
    malformed === 0
      ? ''
      : ` ${numberWords(malformed)} of these rows had no readable ID; this ${noun} may be one of them.`;
  return `No ${noun} with exactly this ID ${where}.${unreadable} It may ${others} or belong to another account.`;
}
