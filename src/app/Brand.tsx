import { Link } from 'react-router';
import { paths } from '#src/lib/paths.ts';
import { Mark } from '#src/ui/Mark.tsx';

export function Brand() {
  return (
    <Link className="brand" to={paths.home} aria-label="Countinghouse, to the first page">
      <Mark />
      Countinghouse
    </Link>
  );
}
