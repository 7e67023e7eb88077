import { Link } from 'react-router';
import { paths } from '#src/shared/paths.ts';
import { buttonClass } from '#src/web/ui/Button.tsx';
import { PageFrame } from '#src/web/ui/PageHeader.tsx';

export function Component() {
  return (
    <PageFrame title="This page doesn’t exist">
      <div className="blank">
        <p>We can’t find this page.</p>
        <Link className={buttonClass()} to={paths.home}>
          Go to Home
        </Link>
      </div>
    </PageFrame>
  );
}
