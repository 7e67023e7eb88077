import type { ResponseInfo } from '#src/shared/answers.ts';
import { type ListFilters, PATHS } from '#src/shared/contract/contract.ts';
import type { OverviewError } from '#src/shared/contract/overviewContract.ts';
import { balanceOf, type BalanceRow, type LedgerEntryRow } from '#src/shared/contract/rows.ts';
import type { PaymentKind } from '#src/shared/operations/paymentHistory.ts';
import { furtherStatuses, noLongerOpen, readStatus, type StatusRead } from '#src/shared/overview/openPayments.ts';
import type { Payment } from '#src/shared/overview/payment.ts';
import { segment } from '#src/shared/paths.ts';
import { OPEN_STATUSES } from '#src/shared/paymentStatus.ts';
import { unpaired } from '#src/shared/statement/ledgerMoves.ts';
import { createListBack } from './listBack.ts';
import { PAYMENT_KINDS, ledgerPage, paymentPage, problemOf, isNotFoundProblem } from './providerLists.ts';
import { isRefusedFilter, type ListPage, type ProviderReads } from './providerReads.ts';

/** The page charts 90 days, and lists the months that they overlap. */
const LEDGER_DAYS = 123;
const LEDGER_PAGES = 16;
/** Most pages of the ledger if a person asks for more. */
const LEDGER_PAGES_MAX = 64;
/** Withdrawals paid in those months may have been created earlier. */
const PAYMENT_DAYS = { deposit: 0, withdrawal: 130 } as const satisfies Record<PaymentKind, number>;
const PAYMENT_PAGES = 15;
/** Most pages that one reading rereads because a payment on them has changed. */
const CHANGED_PAGES = 3;
/** Most sources per reading whose other leg is looked up. */
const LEGS = 10;

interface AssetPayments {
  kind: PaymentKind;
  back: ReturnType<typeof createListBack<Payment>>;
  error: OverviewError | null;
  /** The service doesn't have this list. */
  notOffered: boolean;
  /** Payments in progress, by status; null if they couldn't all be read. */
  open: readonly StatusRead[] | null;
}

interface ReadBalance extends ResponseInfo {
  balance: BalanceRow;
}

export type AssetReading = ReturnType<typeof createAssetReading>;

/** The data read of one asset, in memory only. It is refreshed with few requests. */
export function createAssetReading(asset: string) {
  /** The balance from before the ledger was read. */
  let balance: ReadBalance | null = null;
  let isRefused = false;
  const lists = { deposit: paymentsOf('deposit'), withdrawal: paymentsOf('withdrawal') };
  const ledger = {
    back: createListBack<LedgerEntryRow>({
      days: LEDGER_DAYS,
      pagesMin: 1,
      pagesMax: LEDGER_PAGES,
      pagesLimit: LEDGER_PAGES_MAX,
    }),
    error: null as OverviewError | null,
    notOffered: false,
  };
  /** Entries in other assets that have the source of one in this asset. */
  const legs = new Map<string, readonly LedgerEntryRow[]>();
  /** Increases whenever something is read. */
  let version = 0;

  /** The rows of this asset only: a service may ignore the filter. */
  function pagesOf<T extends { asset: string | null }>(
    page: (filters: ListFilters, cursor: string | null) => Promise<ListPage<T>>,
  ) {
    return async (cursor: string | null): Promise<ListPage<T>> => {
      const read = await page({ asset }, cursor);
      return { ...read, data: read.data.filter((row) => row.asset === asset) };
    };
  }

  /** Null if the read failed. */
  async function readBalance(reads: ProviderReads): Promise<ReadBalance | null> {
    isRefused = false;
    try {
      const { data, meta } = await reads.read(`${PATHS.balances}/${segment(asset)}`, balanceOf(asset));
      return { balance: data, ...meta };
    } catch (error) {
      isRefused = problemOf(error).status === 401;
      return null;
    }
  }

  async function readPayments(list: AssetPayments, reads: ProviderReads): Promise<void> {
    if (list.notOffered) return;
    const page = paymentPage(list.kind, reads);
    await keepError(list, () => list.back.readNewest(pagesOf(page)));
    if (list.notOffered) return;
    const statuses = [...OPEN_STATUSES[list.kind], ...furtherStatuses(list.kind, list.back.rows() ?? [])];
    try {
      const options = { page, isRefusal: isRefusedFilter, asset };
      list.open = await Promise.all(statuses.map((status) => readStatus(list.kind, status, options)));
    } catch (error) {
      problemOf(error);
      // Payments of an earlier reading would give a wrong explanation of a newer balance.
      list.open = null;
    }
    if (list.error === null) await keepError(list, () => readChanged(list, reads));
  }

  async function readChanged({ kind, back, open }: AssetPayments, reads: ProviderReads): Promise<void> {
    const page = paymentPage(kind, reads);
    const tried = new Set<string>();
    while (tried.size < CHANGED_PAGES) {
      const id = noLongerOpen(back.rows() ?? [], open ?? []).find((each) => !tried.has(each));
      if (id === undefined) return;
      tried.add(id);
      await back.readAgain(pagesOf(page), id);
    }
  }

  async function readLedger(reads: ProviderReads, before: ReadBalance | null): Promise<void> {
    if (ledger.notOffered) return;
    await keepError(ledger, async () => {
      await ledger.back.readNewest(pagesOf(ledgerPage(reads)));
      // If the balance were newer than the ledger, every closing would be off by what moved in between.
      balance = before ?? balance;
    });
  }

  async function readLegs(reads: ProviderReads): Promise<void> {
    const lone = unpaired(ledger.back.rows() ?? []).slice(0, LEGS);
    for (const source of lone.filter((each) => !legs.has(each))) {
      try {
        const { data } = await ledgerPage(reads)({ source, order: 'asc' }, null);
        legs.set(source, data);
      } catch (error) {
        problemOf(error);
        return;
      }
    }
  }

  /** Reads one more page of a list that isn't read back far enough. Returns false if there is no such list. */
  async function readFurther(reads: ProviderReads): Promise<boolean> {
    for (const kind of PAYMENT_KINDS) {
      const list = lists[kind];
      if (list.error !== null || !list.back.hasFurther()) continue;
      await keepError(list, () => list.back.readFurther(pagesOf(paymentPage(kind, reads))));
      return true;
    }
    if (ledger.error !== null || !ledger.back.hasFurther()) return false;
    await keepError(ledger, () => ledger.back.readFurther(pagesOf(ledgerPage(reads))));
    return true;
  }

  async function readOn(reads: ProviderReads): Promise<void> {
    while (await readFurther(reads)) version += 1;
    await readLegs(reads);
    version += 1;
  }

  return {
    lists,
    ledger,
    balance: () => balance,
    legs: (): LedgerEntryRow[] => [...legs.values()].flat(),
    /** Changes whenever something was read. */
    version: () => version,
    /** The provider refused the API key. */
    isRefused: () => isRefused,
    /** Lets the ledger go further back than its bound, for a person who asks. */
    allowMore(): void {
      ledger.back.wantDays(Infinity);
      ledger.back.allowMore(LEDGER_PAGES);
    },
    readOn,
    /** Never throws: errors are stored with their list. `onTop` is called when the newest rows of all lists are read. */
    async read(reads: ProviderReads, _isManualRefresh: boolean, onTop: () => void): Promise<void> {
      // Read the balance before the ledger, so that the ledger has every movement that is in the balance.
      const before = await readBalance(reads);
      await Promise.all([...PAYMENT_KINDS.map((kind) => readPayments(lists[kind], reads)), readLedger(reads, before)]);
      version += 1;
      onTop();
      await readOn(reads);
    },
  };
}

function paymentsOf(kind: PaymentKind): AssetPayments {
  return {
    kind,
    back: createListBack<Payment>({
      days: PAYMENT_DAYS[kind],
      pagesMin: 1,
      pagesMax: PAYMENT_PAGES,
      pagesLimit: PAYMENT_PAGES,
    }),
    error: null,
    notOffered: false,
    open: null,
  };
}

/** Stores the error of a read with its list. */
async function keepError(
  list: { back: { rows: () => unknown }; error: OverviewError | null; notOffered: boolean },
  read: () => Promise<void>,
): Promise<void> {
  try {
    await read();
    list.error = null;
  } catch (error) {
    list.error = problemOf(error);
    list.notOffered = list.back.rows() === null && isNotFoundProblem(list.error);
  }
}
