import { apiLog, useApiCallRows } from '#src/web/resources/apiLog.tsx';
import { OwnListPage } from '#src/web/resources/OwnListPage.tsx';
import { useListView } from '#src/web/resources/useListView.ts';

export function Component() {
  const view = useListView(apiLog);
  return <OwnListPage list={apiLog} view={view} content={useApiCallRows(view)} />;
}
