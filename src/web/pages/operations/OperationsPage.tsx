import { operations, useOperationRows } from '#src/web/resources/operations.tsx';
import { OwnListPage } from '#src/web/resources/OwnListPage.tsx';
import { useListView } from '#src/web/resources/useListView.ts';

export function Component() {
  const view = useListView(operations);
  return <OwnListPage list={operations} view={view} content={useOperationRows(view)} />;
}
