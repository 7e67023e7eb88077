import { RefreshCw } from 'lucide-react';
import { useEffect, type ReactNode } from 'react';
import { useParams } from 'react-router';
import { describeError } from '#src/api/errors.ts';
import { capital, shorten } from '#src/lib/text.ts';
import { CaseFileLink } from './CaseFileLink.tsx';
import { DetailPanel } from '#src/list/DetailPanel.tsx';
import type { ListRow } from '#src/list/fields.tsx';
import { markOpened } from '#src/list/openedRows.ts';
import { StaleBar } from '#src/list/StaleBar.tsx';
import { Button } from '#src/ui/Button.tsx';
import { ErrorNotice } from '#src/ui/ErrorNotice.tsx';
import { Notice } from '#src/ui/Notice.tsx';
import { Updated } from '#src/ui/Updated.tsx';
import { useDelay } from '#src/ui/useDelay.ts';
import type { ResourceProps } from './resource.ts';
import { ResourceFacts } from './ResourceFacts.tsx';
import { useRow } from './useRow.ts';
import type { NoRow } from '#src/api/findRow.ts';
import { counted } from '#src/lib/count.ts';
import { UntrustedText } from '#src/ui/UntrustedText.tsx';

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
    settles && read && <Updated at={read.readAt} isFetching={reading} onRefresh={readAgain} />
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

interface NotInListProps {
  id: string;
  /** What was looked for: "deposit". */
  noun: string;
  lookup: NoRow;
  reading: boolean;
  onReadAgain: () => void;
  /** Further acts. */
  children?: ReactNode;
}

/** What was looked at for an id of which there is no look-up, and what that does not prove. */
export function NotInList({ id, noun, lookup, reading, onReadAgain, children }: NotInListProps) {
  const { requestId } = lookup;
  return (
    <>
      <h3>Not found in the list</h3>
      <p className="mono">
        <UntrustedText value={id} max={160} />
      </p>
      <p>{notFoundText(noun, lookup)}</p>
      {requestId !== null && (
        <p className="small sub">
          Request{' '}
          <span className="mono">
            <UntrustedText value={requestId} max={80} />
          </span>
        </p>
      )}
      <div className="acts-row">
        <Button onClick={onReadAgain} disabledReason={reading ? 'Looking again' : undefined}>
          Look again
        </Button>
        {children}
      </div>
    </>
  );
}

/** What was looked at without finding one of these ("deposit"), and what that does not prove. */
export function notFoundText(noun: string, { scanned, complete }: Pick<NoRow, 'scanned' | 'complete'>): string {
  const rows = counted(scanned, 'row', 'rows');
  const where = complete ? `all ${rows} of it` : `the place where this id would stand, and the newest ${rows}`;
  return `The service has no look-up of one ${noun}, so the list was searched: ${where}. That is no proof that it does not exist: it may belong to another account${complete ? '' : ', stand further down'} or not be listed yet.`;
}
