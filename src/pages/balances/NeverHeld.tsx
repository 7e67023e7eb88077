import { Link } from 'react-router';
import type { ApiError } from '#src/api/errors.ts';
import { paths } from '#src/lib/paths.ts';
import { buttonClass } from '#src/ui/Button.tsx';
import { UntrustedText } from '#src/ui/UntrustedText.tsx';

/** 404 of one balance (contract 4.2): an answer, not an error. */
export function NeverHeld({ asset, error }: { asset: string; error: ApiError }) {
  return (
    <div className="page-body">
      <div className="blank">
        <h2>
          This account has never held <UntrustedText value={asset} max={40} />
        </h2>
        <p>
          The service says so: 404
          {error.code !== null && (
            <>
              {' '}
              <UntrustedText value={error.code} max={60} />
            </>
          )}
          {error.requestId !== null && (
            <>
              , request{' '}
              <span className="mono">
                <UntrustedText value={error.requestId} max={80} />
              </span>
            </>
          )}
          . Asset codes are taken letter by letter: “btc” may be another asset than “BTC”.
        </p>
        <Link className={buttonClass()} to={paths.balances}>
          All assets
        </Link>
      </div>
    </div>
  );
}
