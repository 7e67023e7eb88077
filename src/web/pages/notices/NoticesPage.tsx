import { notices, useNoticeRows } from '#src/web/resources/notices.tsx';
import { OwnListPage } from '#src/web/resources/OwnListPage.tsx';
import { useListView } from '#src/web/resources/useListView.ts';

export function Component() {
  const view = useListView(notices);
  return <OwnListPage list={notices} view={view} content={useNoticeRows(view)} />;
}
