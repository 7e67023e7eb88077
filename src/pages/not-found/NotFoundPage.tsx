import { Link, useLocation } from 'react-router';
import { paths } from '#src/lib/paths.ts';
import { buttonClass } from '#src/ui/Button.tsx';
import { PageHeader } from '#src/ui/PageHeader.tsx';
import { UntrustedText } from '#src/ui/UntrustedText.tsx';

export function Component() {
  const { pathname } = useLocation();
  return (
    <>
      <PageHeader title="No such page" />
      <div className="page-body">
        <div className="blank">
          <p>
            Countinghouse has no page at{' '}
            <span className="mono">
              <UntrustedText value={pathname} max={120} />
            </span>
            . The address may be cut short or mistyped; nothing else is wrong.
          </p>
          <Link className={buttonClass()} to={paths.home}>
            Go to the first page
          </Link>
        </div>
      </div>
    </>
  );
}
