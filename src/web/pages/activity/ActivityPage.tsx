import { activity, useActivityRows } from '#src/web/resources/activity.tsx';
import { OwnListPage } from '#src/web/resources/OwnListPage.tsx';
import { useListView } from '#src/web/resources/useListView.ts';

export function Component() {
  const view = useListView(activity);
  return <OwnListPage list={activity} view={view} content={useActivityRows(view)} />;
}
