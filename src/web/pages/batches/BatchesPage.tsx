import { batches, useBatchRows } from '#src/web/resources/batches.tsx';
import { OwnListPage } from '#src/web/resources/OwnListPage.tsx';
import { useListView } from '#src/web/resources/useListView.ts';

export function Component() {
  const view = useListView(batches);
  return <OwnListPage list={batches} view={view} content={useBatchRows()} />;
}
