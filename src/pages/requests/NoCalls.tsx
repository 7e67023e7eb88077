import { Link } from 'react-router';
import { paths } from '#src/lib/paths.ts';

/** No call to show: none was made since the tab was loaded, or none fits. */
export function NoCalls({ filtered, scope }: { filtered: boolean; scope: string }) {
  return (
    <div className="page-body">
      <div className="blank">
        <h2>{filtered ? 'No call fits these filters' : 'No calls yet'}</h2>
        {filtered ? (
          <p>
            Looked for: <bdi>{scope}</bdi>. <Link to={paths.requests()}>Clear all filters</Link>
          </p>
        ) : (
          <p>Every call that this tab makes to the service appears here, until it is reloaded or signed out.</p>
        )}
      </div>
    </div>
  );
}
