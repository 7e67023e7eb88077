import { Link, useLocation } from 'react-router';
import { paths } from '#src/shared/paths.ts';
import { buttonClass } from '#src/web/ui/Button.tsx';
import { PageFrame } from '#src/web/ui/PageHeader.tsx';
import { UntrustedText } from '#src/web/ui/UntrustedText.tsx';

export function Component() {
  const { pathname } = useLocation();
  return (
    <PageFrame title="This page doesn’t exist">
      <div className="blank">
        <p>
          There is nothing at <UntrustedText mono value={pathname} max={120} />. The link may be incomplete or mistyped.
        </p>
        <Link className={buttonClass()} to={paths.home}>
          Go to Home
        </Link>
      </div>
    </PageFrame>
  );
}
