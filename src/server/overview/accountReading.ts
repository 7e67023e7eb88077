import type { AccountOwner, Rows } from '#src/server/operations/ports.ts';
import { PATHS } from '#src/shared/contract/contract.ts';
import type { OverviewError } from '#src/shared/contract/overviewContract.ts';
import { balanceSchema, type LedgerEntryRow, listOf } from '#src/shared/contract/rows.ts';
import type { PaymentKind } from '#src/shared/operations/paymentHistory.ts';
import { LEDGER_DAYS } from '#src/shared/overview/balanceLine.ts';
import { type Balances, createBalancesCollector } from '#src/shared/overview/balances.ts';
import { furtherStatuses, noLongerOpen, readStatus, type StatusRead } from '#src/shared/overview/openPayments.ts';
import type { Payment } from '#src/shared/overview/payment.ts';
import { followPages } from '#src/shared/paging/followPages.ts';
import { HOME_STATUSES, isOpenStatus } from '#src/shared/paymentStatus.ts';
import { createListBack } from './listBack.ts';
import { PAYMENT_KINDS, ledgerPage, paymentPage, problemOf, isNotFoundProblem } from './providerLists.ts';
import { isNotOfferedProblem, isRefusedFilter, type ProviderReads } from './providerReads.ts';
import { createRecordedWithdrawals, type RecordedWithdrawals } from './recordedWithdrawals.ts';

/** Home shows a month and compares it with the one before. */
const PAYMENT_DAYS = 61;
const PAYMENT_PAGES = 15;
/** Minimum, even if the last month was quiet: usual durations need many payments. */
const LEDGER_PAGES_MIN = 3;
const LEDGER_PAGES = 24;
/** Most pages of payments if a person asks for more. */
const PAYMENT_PAGES_MAX = 60;
/** 10,000 assets. A longer list means that the service's paging doesn't end. */
const BALANCE_PAGES = 100;
/** Average number of requests per reading, unless a person asked for fresh data. */
export const REQUESTS_PER_READING = 10;
/** A broken service could return any number of statuses. */
const SOURCES_MAX = 40;
/** Limit of `debt`, so that one burst doesn't slow down readings for long. */
const DEBT_MAX = 5 * REQUESTS_PER_READING;
/** Sources that rarely change are read in every third reading. */
const RARELY = 3;
/** Most pages that one reading rereads because a payment on them has changed. */
const CHANGED_PAGES = 5;
/** A page that showed no change is reread after this many readings. */
const CHANGED_PAUSE = 5;

interface Source {
  /** Read in every nth reading. */
  every: number;
  /** Number of the reading that read it last. */
  readIn: number;
  /** Requests that this took. */
  cost: number;
  read: (reads: ProviderReads) => Promise<void>;
}

interface PaymentList {
  kind: PaymentKind;
  back: ReturnType<typeof createListBack<Payment>>;
  error: OverviewError | null;
  /** The service doesn't have this list. */
  notOffered: boolean;
  /** By status. */
  statuses: Map<string, { read: StatusRead | null; error: OverviewError | null }>;
  /** Withdrawals sent from here, if the service doesn't list withdrawals; null if not read. */
  recorded: RecordedWithdrawals | null;
}

interface AccountReadingParts {
  owner: AccountOwner;
  rows: Pick<Rows, 'list'>;
  /** Seconds. */
  now: () => number;
}

export type AccountReading = ReturnType<typeof createAccountReading>;

/** The data read of an account, in memory only. It is refreshed with few requests. */
export function createAccountReading({ owner, rows, now }: AccountReadingParts) {
  let balances: Balances | null = null;
  let balancesError: OverviewError | null = null;
  const lists = { deposit: listOfPayments('deposit'), withdrawal: listOfPayments('withdrawal') };
  const ledger = {
    back: createListBack<LedgerEntryRow>({
      days: LEDGER_DAYS,
      pagesMin: LEDGER_PAGES_MIN,
      pagesMax: LEDGER_PAGES,
      pagesLimit: LEDGER_PAGES,
    }),
    error: null as OverviewError | null,
    notOffered: false,
  };
  const recorded = createRecordedWithdrawals({ owner, rows, now });
  /** Rows that were reread without a change, and the number of that reading. */
  const unchanged = new Map<string, number>();
  const sources = new Map<string, Source>();
  let reading = 0;
  /** Increases whenever something is read. */
  let version = 0;
  /** Requests of this reading. */
  let requests = 0;
  /** Requests beyond REQUESTS_PER_READING so far. */
  let debt = 0;

  addSource('balances', 1, readBalances);
  for (const kind of PAYMENT_KINDS) {
    addSource(`${kind}s`, 1, (reads) => readNewest(lists[kind], reads));
    for (const status of HOME_STATUSES[kind]) addStatus(kind, status);
  }
  addSource('ledger', 2, readLedger);

  function addSource(name: string, every: number, read: Source['read']): void {
    if (!sources.has(name)) sources.set(name, { every, readIn: 0, cost: 1, read });
  }

  function addStatus(kind: PaymentKind, status: string): void {
    const list = lists[kind];
    // `processing` isn't in the contract, so rows rarely have it.
    addSource(`${kind}s ${status}`, status === 'processing' ? RARELY : 1, async (reads) => {
      if (list.notOffered) return;
      try {
        const page = paymentPage(list.kind, reads);
        const read = await readStatus(kind, status, { page, isRefusal: isRefusedFilter });
        list.statuses.set(status, { read, error: null });
        list.back.update(new Map(read.rows.map((row) => [row.id, row])));
      } catch (error) {
        list.statuses.set(status, { read: list.statuses.get(status)?.read ?? null, error: problemOf(error) });
      }
    });
  }

  async function readBalances(reads: ProviderReads): Promise<void> {
    const collector = createBalancesCollector();
    try {
      const end = await followPages(
        (cursor) => reads.list(PATHS.balances, parseBalances, {}, cursor),
        (page) => {
          collector.add(page);
          return undefined;
        },
        { maxPages: BALANCE_PAGES },
      );
      balances = collector.result(end, now());
      balancesError = null;
    } catch (error) {
      balancesError = problemOf(error);
    }
  }

  async function readNewest(list: PaymentList, reads: ProviderReads): Promise<void> {
    try {
      // A proxy's 404 may be temporary, the service's own isn't.
      if (list.error === null || !isNotFoundProblem(list.error))
        await list.back.readNewest((cursor) => paymentPage(list.kind, reads)({}, cursor));
      if (list.back.rows() !== null) list.error = null;
      list.notOffered &&= list.back.rows() === null;
    } catch (error) {
      list.error = problemOf(error);
      list.notOffered = list.kind === 'withdrawal' && list.back.rows() === null && isNotOfferedProblem(list.error);
    }
    if (list.notOffered) {
      await recorded.list();
      list.recorded = recorded.result();
    }
  }

  async function readLedger(reads: ProviderReads): Promise<void> {
    if (ledger.notOffered) return;
    try {
      await ledger.back.readNewest((cursor) => ledgerPage(reads)({}, cursor));
      ledger.error = null;
    } catch (error) {
      ledger.error = problemOf(error);
      ledger.notOffered = ledger.back.rows() === null && isNotFoundProblem(ledger.error);
    }
  }

  /** Open payments of the list that are missing from the service's open ones, so their status has changed. */
  function changedIn({ back, statuses }: PaymentList): string[] {
    const reads = [...statuses].flatMap(([status, { read, error }]) =>
      read !== null && error === null && isOpenStatus(status) ? [read] : [],
    );
    return noLongerOpen(back.rows() ?? [], reads).filter(
      (id) => (unchanged.get(id) ?? -Infinity) <= reading - CHANGED_PAUSE,
    );
  }

  async function readChanged(list: PaymentList, reads: ProviderReads, most: number): Promise<void> {
    for (const [id, readIn] of unchanged) if (readIn <= reading - CHANGED_PAUSE) unchanged.delete(id);
    version += 1;
    for (let count = 0; count < most; count += 1) {
      const [id] = changedIn(list);
      if (id === undefined) return;
      unchanged.set(id, reading);
      await list.back.readAgain((cursor) => paymentPage(list.kind, reads)({}, cursor), id);
    }
  }

  /** Reads one more page of a list that isn't read back far enough. Returns false if there is no such list. */
  async function readFurther(reads: ProviderReads): Promise<boolean> {
    version += 1;
    for (const kind of PAYMENT_KINDS) {
      const list = lists[kind];
      if (list.error !== null || !list.back.hasFurther()) continue;
      try {
        await list.back.readFurther((cursor) => paymentPage(kind, reads)({}, cursor));
      } catch (error) {
        list.error = problemOf(error);
      }
      return true;
    }
    if (ledger.error !== null || !ledger.back.hasFurther()) return false;
    try {
      await ledger.back.readFurther((cursor) => ledgerPage(reads)({}, cursor));
    } catch (error) {
      ledger.error = problemOf(error);
    }
    return true;
  }

  function addFurtherStatuses(): string[] {
    const before = sources.size;
    for (const kind of PAYMENT_KINDS)
      for (const status of furtherStatuses(kind, lists[kind].back.rows() ?? []))
        if (sources.size < SOURCES_MAX) addStatus(kind, status);
    return [...sources.keys()].slice(before);
  }

  async function readSources(names: readonly string[], reads: ProviderReads): Promise<void> {
    await Promise.all(
      names.map(async (name) => {
        const source = sources.get(name);
        if (source === undefined) return;
        source.readIn = reading;
        const own = reads.apart();
        await source.read(own);
        version += 1;
        source.cost = Math.max(1, own.answered());
        requests += own.answered();
      }),
    );
  }

  /** The due sources that the request budget allows, those read longest ago first. */
  function dueSources(): string[] {
    let left = REQUESTS_PER_READING - debt;
    const due = [...sources].filter(([, { every, readIn }]) => reading - readIn >= every);
    const names: string[] = [];
    for (const [name, { cost }] of due.toSorted(([, a], [, b]) => a.readIn / a.every - b.readIn / b.every)) {
      if (left < cost) break;
      left -= cost;
      names.push(name);
    }
    return names;
  }

  return {
    owner,
    lists,
    ledger,
    balances: () => balances,
    balancesError: () => balancesError,
    /** Changes whenever something was read. */
    version: () => version,
    /** The provider refused the API key. */
    isRefused: () => balancesError?.status === 401,
    /** Makes the next of the requests that are made one by one, with a pause between them. Returns false if none is due. */
    async readNextSingle(reads: ProviderReads): Promise<boolean> {
      const list = lists.withdrawal;
      if (!list.notOffered || !(await recorded.lookUp(reads))) return false;
      list.recorded = recorded.result();
      version += 1;
      return true;
    },
    /** Reads payments as far back as a page needs. */
    async readOn(reads: ProviderReads): Promise<void> {
      while (await readFurther(reads)) version += 1;
    },
    /** Lets payments go further back than the bound, because a person asked for it. */
    allowMore(kinds: readonly PaymentKind[]): void {
      for (const kind of kinds) lists[kind].back.allowMore(PAYMENT_PAGES);
    },
    /**
     * Reads everything the first time and for a person who asks, otherwise what the request budget allows. Never throws: errors
     * are stored with their list. `onTop` is called when the newest rows of all lists are read.
     */
    async read(reads: ProviderReads, isManualRefresh: boolean, onTop: () => void): Promise<void> {
      reading += 1;
      requests = 0;
      const isWhole = isManualRefresh || reading === 1;
      const names = isWhole ? [...sources.keys()] : dueSources();
      // Read the ledger only after the lists at the top of the page.
      await readSources(
        names.filter((name) => name !== 'ledger' || !isWhole),
        reads,
      );
      const further = addFurtherStatuses();
      await readSources(further, reads);
      for (const kind of PAYMENT_KINDS)
        await keepError(lists[kind], () => readChanged(lists[kind], reads, isWhole ? CHANGED_PAGES : 1));
      version += 1;
      onTop();
      if (isWhole) await readSources(['ledger'], reads);
      let pages = 0;
      while (await readFurther(reads)) pages += 1;
      version += 1;
      if (pages > 0) await readSources(addFurtherStatuses(), reads);
      // The first reading and readings that a person asked for don't count against the budget.
      if (!isWhole) debt = Math.min(DEBT_MAX, Math.max(0, debt + requests + reads.answered() - REQUESTS_PER_READING));
    },
  };

  async function keepError(list: PaymentList, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      list.error = problemOf(error);
    }
  }
}

function listOfPayments(kind: PaymentKind): PaymentList {
  return {
    kind,
    back: createListBack<Payment>({
      days: PAYMENT_DAYS,
      pagesMin: 1,
      pagesMax: PAYMENT_PAGES,
      pagesLimit: PAYMENT_PAGES_MAX,
    }),
    error: null,
    notOffered: false,
    statuses: new Map(),
    recorded: null,
  };
}

const parseBalances = listOf(balanceSchema);
