import { useQuery } from '@tanstack/react-query';
import { useParams } from 'react-router';
import { describeError } from '#src/api/errors.ts';
import type { RowLookup } from '#src/api/findRow.ts';
import { ledgerQueries } from '#src/api/ledgerEntries.ts';
import type { Meta } from '#src/api/read.ts';
import type { LedgerEntryRow } from '#src/api/schemas.ts';
import { useSession } from '#src/api/session.ts';
import { paths } from '#src/lib/paths.ts';
import { shorten } from '#src/lib/text.ts';
import { DetailPanel } from '#src/list/DetailPanel.tsx';
import { NotInList } from '#src/list/NotInList.tsx';
import { useLoadedRow } from '#src/list/loadedRows.ts';
import { ErrorNotice } from '#src/ui/ErrorNotice.tsx';
import { useDelay } from '#src/ui/useDelay.ts';
import { EntryFacts } from './EntryFacts.tsx';

export function Component() {
  const { id = '' } = useParams();
  const account = useSession()?.account ?? '';
  const seen = useLoadedRow('ledger-entries', account, id, lookupOf);
  const { data, error, isFetching, refetch } = useQuery({
    ...ledgerQueries.detail(account, id),
    // What stands in a ledger does not change.
    staleTime: Infinity,
    ...(seen && { initialData: seen }),
  });
  const slow = useDelay(!data && !error);
  const readAgain = () => void refetch();
  return (
    <DetailPanel id={id} title="Ledger entry" documentTitle={`Ledger entry ${shorten(id)}`} listPath={paths.ledger()}>
      {data?.found ? (
        <EntryFacts entry={data.row} requestId={data.requestId} />
      ) : data ? (
        <NotInList id={id} noun="ledger entry" lookup={data} onReadAgain={readAgain} reading={isFetching} />
      ) : error ? (
        <ErrorNotice
          error={describeError(error)}
          heading="The ledger entry could not be read"
          onRetry={readAgain}
          retrying={isFetching}
        />
      ) : (
        slow && <output className="sub">Looking for the ledger entry</output>
      )}
    </DetailPanel>
  );
}

function lookupOf(row: LedgerEntryRow, meta: Meta): RowLookup<LedgerEntryRow> {
  return { found: true, row, ...meta };
}
