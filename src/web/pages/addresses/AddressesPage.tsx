import { addresses, useAddressRows } from '#src/web/resources/addresses.tsx';
import { OwnListPage } from '#src/web/resources/OwnListPage.tsx';
import { useListView } from '#src/web/resources/useListView.ts';

export function Component() {
  const view = useListView(addresses);
  return <OwnListPage list={addresses} view={view} content={useAddressRows(view)} />;
}
