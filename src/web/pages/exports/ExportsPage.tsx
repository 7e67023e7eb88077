import { exportJobs, useExportRows } from '#src/web/resources/exports.tsx';
import { OwnListPage } from '#src/web/resources/OwnListPage.tsx';
import { useListView } from '#src/web/resources/useListView.ts';

export function Component() {
  const view = useListView(exportJobs);
  return <OwnListPage list={exportJobs} view={view} content={useExportRows(view)} />;
}
