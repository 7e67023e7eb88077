import type { AccountOwner, Rows } from '#src/server/operations/ports.ts';
import { withdrawalPath } from '#src/server/operations/checking.ts';
import { PATHS } from '#src/shared/contract/contract.ts';
import type { OverviewError } from '#src/shared/contract/overviewContract.ts';
import { balanceSchema, type LedgerEntryRow, listOf, parseWith, withdrawalSchema } from '#src/shared/contract/rows.ts';
import type { PaymentKind } from '#src/shared/operations/paymentHistory.ts';
import { knownResultId, type OperationRecord } from '#src/shared/operations/record.ts';
import { withdrawalFieldsOf } from '#src/shared/operations/withdrawal.ts';
import { LEDGER_DAYS } from '#src/shared/overview/balanceLine.ts';
import { type Balances, createBalancesCollector } from '#src/shared/overview/balances.ts';
import { furtherStatuses, noLongerOpen, readStatus, type StatusRead } from '#src/shared/overview/openPayments.ts';
import type { Payment } from '#src/shared/overview/payment.ts';
import { followPages } from '#src/shared/paging/followPages.ts';
import { HOME_STATUSES, isOpenStatus } from '#src/shared/paymentStatus.ts';
import { createListBack } from './listBack.ts';
import { KINDS, ledgerPage, paymentPage, problemOf, saysNotFound } from './providerLists.ts';
import { isNotOffered, isRefusedFilter, type ProviderReads, ReadFailed } from './providerReads.ts';

/** Home shows a month and compares it with the one before. */
const PAYMENT_DAYS = 61;
const PAYMENT_PAGES = 15;
/** Read even if the last month was quiet: usual durations need many payments. */
const LEDGER_PAGES_MIN = 3;
const LEDGER_PAGES = 24;
/** What a person may ask for beyond that. */
const PAYMENT_PAGES_MAX = 60;
/** 10,000 assets. A longer list is taken for a service that never ends its paging. */
const BALANCE_PAGES = 100;
/** Requests of a reading that nobody asked for, on average. */
export const REQUESTS_PER_READING = 10;
/** A broken service could return any number of statuses. */
const SOURCES_MAX = 40;
/** Of debt: a burst isn't made up for ever. */
const DEBT_MAX = 5 * REQUESTS_PER_READING;
/** Sources that change less are read in every third reading. */
const RARELY = 3;
/** Pages that a reading reads again because a payment on them has changed. */
const CHANGED_PAGES = 5;
/** A page that showed no change is read again after so many readings. */
const CHANGED_PAUSE = 5;
/** Withdrawals that were sent from here, where the provider lists none. */
const RECORDED_MAX = 100;
const LOOKUPS = 20;

interface Source {
  /** Every so many readings. */
  every: number;
  /** Reading in which it was read last. */
  readIn: number;
  /** Requests that it took then. */
  cost: number;
  read: (reads: ProviderReads) => Promise<void>;
}

interface PaymentList {
  kind: PaymentKind;
  back: ReturnType<typeof createListBack<Payment>>;
  error: OverviewError | null;
  /** The service said that it has no such list. */
  notOffered: boolean;
  /** By status. */
  statuses: Map<string, { read: StatusRead | null; error: OverviewError | null }>;
  /** Withdrawals sent from here, for a service that doesn't list them; null: not read. */
  recorded: { payments: Payment[]; isWhole: boolean; readAt: number } | null;
}

interface AccountReadingParts {
  owner: AccountOwner;
  rows: Pick<Rows, 'list'>;
  /** Seconds. */
  now: () => number;
}

export type AccountReading = ReturnType<typeof createAccountReading>;

/** What was read of an account, and how it is read again with few requests. In memory only. */
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
  /** Rows that were read again although their status hadn't changed, and in which reading. */
  const unchanged = new Map<string, number>();
  const sources = new Map<string, Source>();
  let reading = 0;
  /** Counts what was read. */
  let version = 0;
  /** Requests of this reading. */
  let requests = 0;
  /** Requests beyond REQUESTS_PER_READING so far. */
  let debt = 0;

  addSource('balances', 1, readBalances);
  for (const kind of KINDS) {
    addSource(`${kind}s`, 1, (reads) => readNewest(lists[kind], reads));
    for (const status of HOME_STATUSES[kind]) addStatus(kind, status);
  }
  addSource('ledger', 2, readLedger);

  function addSource(name: string, every: number, read: Source['read']): void {
    if (!sources.has(name)) sources.set(name, { every, readIn: 0, cost: 1, read });
  }

  function addStatus(kind: PaymentKind, status: string): void {
    const list = lists[kind];
    // The contract names no `processing`: rows rarely have it.
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
      // A proxy's 404 may pass, the service's own doesn't.
      if (list.error === null || !saysNotFound(list.error))
        await list.back.readNewest((cursor) => paymentPage(list.kind, reads)({}, cursor));
      if (list.back.rows() !== null) list.error = null;
      list.notOffered &&= list.back.rows() === null;
    } catch (error) {
      list.error = problemOf(error);
      list.notOffered = list.kind === 'withdrawal' && list.back.rows() === null && isNotOffered(list.error);
    }
    if (list.notOffered) await readRecorded(list, reads);
  }

  /** Withdrawals sent from here, with the status that the service tells of each. */
  async function readRecorded(list: PaymentList, reads: ProviderReads): Promise<void> {
    const query = {
      ...owner,
      states: null,
      kind: 'withdrawal',
      about: null,
      cursor: null,
      limit: RECORDED_MAX,
    } as const;
    const listed = await rows.list(query);
    const records = listed.rows.flatMap(({ record }) => record ?? []);
    const before = new Map(list.recorded?.payments.map((payment) => [payment.id, payment]));
    const ids = records.flatMap((record) => (record.state === 'succeeded' ? (knownResultId(record) ?? []) : []));
    const moving = ids.filter((id) => isOpenStatus(before.get(id)?.status ?? null)).slice(0, LOOKUPS);
    const statuses = new Map<string, string | null>();
    for (const id of moving) {
      const status = await readStatusOf(id, reads);
      if (status !== undefined) statuses.set(id, status);
    }
    const payments = records.flatMap((record) => recordedPayment(record, statuses, before) ?? []);
    list.recorded = { payments, isWhole: listed.next === null, readAt: now() };
  }

  async function readLedger(reads: ProviderReads): Promise<void> {
    if (ledger.notOffered) return;
    try {
      await ledger.back.readNewest((cursor) => ledgerPage(reads)({}, cursor));
      ledger.error = null;
    } catch (error) {
      ledger.error = problemOf(error);
      ledger.notOffered = ledger.back.rows() === null && saysNotFound(ledger.error);
    }
  }

  /** Open payments of the list that the service's open ones don't have any more: something became of them. */
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

  /** One page more of a list that isn't read back far enough; false: there is none. */
  async function readFurther(reads: ProviderReads): Promise<boolean> {
    version += 1;
    for (const kind of KINDS) {
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
    for (const kind of KINDS)
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

  /** The sources that are due, those read longest ago first, as far as the requests go. */
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
    /** Another one whenever something was read since. */
    version: () => version,
    /** The provider refused the API key. */
    isRefused: () => balancesError?.status === 401,
    /** Reads on to where a page wants the payments to go back. */
    async readOn(reads: ProviderReads): Promise<void> {
      while (await readFurther(reads)) version += 1;
    },
    /** Lets payments go further back than the bound, as a person asked for. */
    allowMore(kinds: readonly PaymentKind[]): void {
      for (const kind of kinds) lists[kind].back.allowMore(PAYMENT_PAGES);
    },
    /**
     * Reads what may have changed: everything for a person who asks and the first time, else what the requests of a minute
     * allow. Never throws: errors are kept with what they concern. `onTop` is called when the newest of everything is read.
     */
    async read(reads: ProviderReads, isAsked: boolean, onTop: () => void): Promise<void> {
      reading += 1;
      requests = 0;
      const isWhole = isAsked || reading === 1;
      const names = isWhole ? [...sources.keys()] : dueSources();
      // The ledger only after the top of the page.
      await readSources(
        names.filter((name) => name !== 'ledger' || !isWhole),
        reads,
      );
      const further = addFurtherStatuses();
      await readSources(further, reads);
      for (const kind of KINDS)
        await keepError(lists[kind], () => readChanged(lists[kind], reads, isWhole ? CHANGED_PAGES : 1));
      version += 1;
      onTop();
      if (isWhole) await readSources(['ledger'], reads);
      let pages = 0;
      while (await readFurther(reads)) pages += 1;
      version += 1;
      if (pages > 0) await readSources(addFurtherStatuses(), reads);
      // A first reading and what a person asks for are no steady state.
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
const parseWithdrawal = parseWith(withdrawalSchema);

/** Undefined: it couldn't be read. */
async function readStatusOf(id: string, reads: ProviderReads): Promise<string | null | undefined> {
  const path = withdrawalPath(id);
  if (path === null) return undefined;
  try {
    const { data } = await reads.read(path, parseWithdrawal);
    return data.id === id ? data.status : undefined;
  } catch (error) {
    if (error instanceof ReadFailed) return undefined;
    throw error;
  }
}

function recordedPayment(
  record: OperationRecord,
  statuses: ReadonlyMap<string, string | null>,
  before: ReadonlyMap<string, Payment>,
): Payment | null {
  const id = knownResultId(record);
  const sent = withdrawalFieldsOf(record);
  if (id === null || sent === null) return null;
  const status = statuses.get(id) ?? before.get(id)?.status;
  if (status === undefined) return null;
  return { ...sent, kind: 'withdrawal', id, status, fee: null, created_at: record.firstSent.service };
}
