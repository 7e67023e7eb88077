import { Link } from 'react-router';
import { Mark } from '#src/ui/Mark.tsx';

export function Brand() {
  return (
    <Link className="brand" to="/balances" aria-label="Countinghouse, to the first page">
      <Mark />
      Countinghouse
    </Link>
  );
}
