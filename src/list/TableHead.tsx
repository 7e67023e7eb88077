import { FlexRender, type HeaderGroup } from '@tanstack/react-table';
import type { ListRow, listFeatures } from './fields.tsx';

/** The head stays in sight; of cards it is there for screen readers alone. */
export function TableHead<T extends ListRow>({ groups }: { groups: HeaderGroup<typeof listFeatures, T>[] }) {
  return (
    <div role="rowgroup" className="list-head">
      {groups.map((group) => (
        <div role="row" aria-rowindex={1} className="list-head-row" key={group.id}>
          {group.headers.map((header) => (
            <div role="columnheader" key={header.id} className={`cell c-${header.column.id}`}>
              <span>
                <FlexRender header={header} />
              </span>
            </div>
          ))}
        </div>
      ))}
    </div>
  );
}
