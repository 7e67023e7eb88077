import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { depositAddressPages } from '#src/api/depositAddresses.ts';
import type { BalanceRow } from '#src/api/schemas.ts';
import { useSession } from '#src/api/session.ts';
import { chainLabel } from '#src/lib/chains/names.ts';
import { paths } from '#src/lib/paths.ts';
import { visible } from '#src/lib/text.ts';
import { Movements, newestOf } from '#src/list/Movements.tsx';
import { OtherFields } from '#src/resources/OtherFields.tsx';
import { CopyButton } from '#src/ui/CopyButton.tsx';
import { Fact, Facts } from '#src/ui/Facts.tsx';
import { ShortId } from '#src/ui/ShortId.tsx';
import { Time, useZone } from '#src/ui/Time.tsx';
import { UntrustedText } from '#src/ui/UntrustedText.tsx';
import { Snapshot } from './BalanceBreakdown.tsx';
import type { AssetData } from './useAsset.ts';

const MOVEMENTS = 10;
const ADDRESSES = 5;
/** Fields that stand on the page by themselves (2.1). */
const STATED = ['object', 'asset', 'available', 'pending', 'locked', 'total', 'updated_at'];

interface AssetSideProps {
  asset: string;
  of: AssetData;
  data: { balance: BalanceRow; readAt: number; requestId: string | null };
  /** By the service's clock. */
  now: number;
}

/** The latest payments of an asset in words, its addresses, and where its figures come from. */
export function AssetSide({ asset, of: { deposits, withdrawals, ledger }, data, now }: AssetSideProps) {
  const zone = useZone();
  const search = new URLSearchParams({ asset });
  const newest = newestOf([...(deposits.back.rows ?? []), ...(withdrawals.back.rows ?? [])], MOVEMENTS);
  // What is below waits for what may push it down.
  const isLoaded = [deposits.back, withdrawals.back].every(({ rows, error }) => rows !== null || error !== null);
  return (
    <div>
      <section className="reg" aria-label="Latest movements">
        <div className="reg-h">
          <h2>Latest movements</h2>
          <span>{zone === 'utc' ? 'UTC' : 'local time'}</span>
        </div>
        {newest.length > 0 && <Movements payments={newest} now={now} />}
        {newest.length === 0 && isLoaded && <p className="more">No deposits or withdrawals yet.</p>}
        <p className="more">
          <Link to={paths.deposits(search)}>{visible(asset)} deposits</Link>{' '}
          <Link to={paths.withdrawals(search)}>{visible(asset)} withdrawals</Link>{' '}
          {!ledger.notOffered && <Link to={paths.ledger(search)}>All {visible(asset)} movements</Link>}
        </p>
      </section>
      {isLoaded && <Addresses asset={asset} />}
      {isLoaded && (
        <section className="ameta" aria-label="About these figures">
          <Facts>
            <Fact label="Last change">
              <Snapshot updatedAt={data.balance.updated_at} now={now} />
            </Fact>
            <Fact label="Loaded">
              <Time unix={data.readAt} age />
            </Fact>
            {data.requestId !== null && (
              <Fact label="Request ID" mono>
                <UntrustedText value={data.requestId} max={80} />
              </Fact>
            )}
            <OtherFields record={data.balance} except={STATED} />
          </Facts>
        </section>
      )}
    </div>
  );
}

/** Deposit addresses of the asset that were created here. */
function Addresses({ asset }: { asset: string }) {
  const { account } = useSession();
  const { data } = useInfiniteQuery(depositAddressPages(account));
  const made = data?.pages.flatMap(({ addresses }) => addresses).filter((each) => each.asset === asset) ?? [];
  if (made.length === 0) return null;
  return (
    <section className="reg" aria-label="Deposit addresses">
      <div className="reg-h">
        <h2>Deposit addresses</h2>
      </div>
      <ul className="adrs">
        {made.slice(0, ADDRESSES).map(({ id, chain, address, along, label }) => (
          <li key={id}>
            <span>
              <Link to={paths.operation(id)}>{label === '' ? `On ${visible(chainLabel(chain))}` : visible(label)}</Link>
              <span className="small dim block">
                {address === null ? 'no address in the response' : <ShortId value={address} />}
                {label !== '' && ` on ${visible(chainLabel(chain))}`}
                {along.map(({ name, value }) => `, with ${visible(name)} ${visible(value.slice(0, 40))}`)}
              </span>
            </span>
            {address !== null && (
              <CopyButton
                value={[address, ...along.map(({ name, value }) => `${name}: ${value}`)].join('\n')}
                label={['Copy address', ...along.map(({ name }) => visible(name))].join(' and ')}
              />
            )}
          </li>
        ))}
      </ul>
      {made.length > ADDRESSES && <p className="more dim">{made.length - ADDRESSES} more created here.</p>}
    </section>
  );
}
