import { Plus } from 'lucide-react';
import { Link } from 'react-router';
import { useSession } from '#src/api/session.ts';
import { paths } from '#src/lib/paths.ts';
import { buttonClass } from '#src/ui/Button.tsx';

/** The way to a new deposit address; a session that may only read is told so instead. */
export function NewAddressLink() {
  const session = useSession();
  if (session?.read_only) return <span className="small sub">Read only: no new addresses from here.</span>;
  return (
    <Link className={buttonClass('primary')} to={paths.newDepositAddress}>
      <Plus aria-hidden />
      New deposit address
    </Link>
  );
}
