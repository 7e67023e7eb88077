import { openRealService } from './realService.ts';
import type { Real } from './simulate.ts';
import { openSqlStores } from './sqlStore.ts';

/** Opens the sandbox's handler and a database for journals, both in this process. */
export async function openReal(): Promise<Real & { stop: () => Promise<void> }> {
  const [service, stores] = await Promise.all([openRealService(), openSqlStores()]);
  return {
    service,
    open: stores.open,
    stop: async () => {
      await service.stop();
      await stores.stop();
    },
  };
}
