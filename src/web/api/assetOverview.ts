import { type AssetOverview, assetOverviewSchema } from '#src/shared/contract/overviewContract.ts';
import { parseWith } from '#src/shared/contract/rows.ts';
import { segment } from '#src/shared/paths.ts';
import { ASSET_OVERVIEW_PATH } from '#src/shared/serverPaths.ts';
import { zoneName } from '#src/shared/time.ts';
import { useZone } from '#src/web/ui/Time.tsx';
import { useSession } from './session.ts';
import { listInDeviceTime, type SharedReading, useReading } from './sharedReading.ts';

const parseAsset = parseWith(assetOverviewSchema);

/** One asset's balance over time, its latest movements, and what its balance consists of. */
export function useAssetOverview(asset: string, enabled: boolean) {
  const { account } = useSession();
  const zone = zoneName(useZone());
  const reading: SharedReading<AssetOverview> = {
    account,
    queryKey: [account, 'overview', 'assets', asset, zone],
    path: `${ASSET_OVERVIEW_PATH}/${segment(asset)}`,
    params: { zone },
    parse: parseAsset,
    inDeviceTime: (document, ahead) => ({
      ...document,
      retry_at: document.retry_at && document.retry_at + ahead,
      deposits: listInDeviceTime(document.deposits, ahead),
      withdrawals: listInDeviceTime(document.withdrawals, ahead),
      ledger: listInDeviceTime(document.ledger, ahead),
    }),
  };
  return useReading(reading, enabled);
}
