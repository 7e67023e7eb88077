import { Link } from 'react-router';
import { paths } from '#src/shared/paths.ts';
import { buttonClass } from '#src/web/ui/Button.tsx';
import { EmptyState } from '#src/web/ui/EmptyState.tsx';
import { PageFrame } from '#src/web/ui/PageHeader.tsx';

export function Component() {
  return (
    <PageFrame title="We can’t find this page">
      <EmptyState
        action={
          <Link className={buttonClass()} to={paths.home}>
            Go to Home
          </Link>
        }
      >
        The link may be incomplete or mistyped.
      </EmptyState>
    </PageFrame>
  );
}
