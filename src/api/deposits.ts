import { PATHS } from './contract.ts';
import { listResource } from './paging/listResource.ts';
import { depositSchema } from './schemas.ts';

/** The contract has no look-up of one deposit: it is found in the list (4.4). */
export const depositQueries = listResource('deposits', PATHS.deposits, depositSchema);

/** One page of deposits (4.4). */
export const listDeposits = depositQueries.page;
