import { useMemo } from 'react';
import { useParams } from 'react-router';
import { describeError } from '#src/api/errors.ts';
import { useOperationsAbout } from '#src/api/useOperations.ts';
import { paths } from '#src/lib/paths.ts';
import { shorten } from '#src/lib/text.ts';
import { AsOf } from '#src/list/AsOf.tsx';
import { CaseFileLink } from '#src/list/CaseFileLink.tsx';
import { DetailPanel } from '#src/list/DetailPanel.tsx';
import { NotInList } from '#src/list/NotInList.tsx';
import { StaleBar } from '#src/list/StaleBar.tsx';
import { depositStory } from '#src/lib/operations/story.ts';
import { ErrorNotice } from '#src/ui/ErrorNotice.tsx';
import { Notice } from '#src/ui/Notice.tsx';
import { useDelay } from '#src/ui/useDelay.ts';
import { DepositFacts } from './DepositFacts.tsx';
import { useDeposit } from './useDeposit.ts';

export function Component() {
  const { id = '' } = useParams();
  const { shown, lookup, error, reading, readAgain } = useDeposit(id);
  const view = useOperationsAbout(id);
  const deposit = shown?.found ? shown.deposit : undefined;
  const story = useMemo(() => depositStory(view, deposit ?? { id }), [view, deposit, id]);
  const slow = useDelay(!shown && !error);
  return (
    <DetailPanel
      id={id}
      title="Deposit"
      documentTitle={`Deposit ${shorten(id)}`}
      listPath={paths.deposits()}
      actions={shown && <AsOf at={shown.readAt} reading={reading} onReadAgain={readAgain} />}
    >
      {error && shown && <StaleBar error={error} readAt={shown.readAt} />}
      {lookup && !lookup.found && shown?.found && (
        <Notice tone="open" title="Not found there now." live="status">
          A look-up just now did not find it; below is what the list had. That is no proof that it is gone.
        </Notice>
      )}
      {shown?.found ? (
        <DepositFacts deposit={shown.deposit} read={shown} story={story} />
      ) : shown ? (
        <NotInList id={id} noun="deposit" lookup={shown} onReadAgain={readAgain} reading={reading}>
          <CaseFileLink pathOf={paths.depositCase} id={id} />
        </NotInList>
      ) : error ? (
        <ErrorNotice
          error={describeError(error)}
          heading="The deposit could not be read"
          onRetry={readAgain}
          retrying={reading}
        />
      ) : (
        slow && <output className="sub">Looking for the deposit</output>
      )}
    </DetailPanel>
  );
}
