import type { AccountOwner, Rows, ServicePort } from '#src/server/operations/ports.ts';
import type { OverviewError } from '#src/shared/contract/overviewContract.ts';
import type { PaymentKind } from '#src/shared/operations/paymentHistory.ts';
import { type AccountReading, createAccountReading } from './accountReading.ts';
import { type AssetReading, createAssetReading } from './assetReading.ts';
import { PAYMENT_KINDS } from './providerLists.ts';
import { createProviderReads, type OverviewClock, type ProviderReads, type RateLimit } from './providerReads.ts';

/** A reading serves everybody for this long. */
export const READING_MS = 60_000;
/** Maximum age of a reading for a person who asks for fresh data. */
export const MANUAL_MAX_AGE_MS = 10_000;
/** A response waits no longer than this for a reading, then shows the data it has. */
const PATIENCE_MS = 1_000;
/** Time between two requests for single payments. */
export const SINGLE_MS = 5_000;
/** A reading that was not requested for this long is dropped. */
const FORGET_MS = 600_000;
/** Most accounts in memory; the least recently used one is dropped first. */
const ACCOUNTS_MAX = 200;
/** The same for single assets. */
const ASSETS_MAX = 200;

/** The data of an account or of one of its assets, and how to refresh it. */
interface Reading {
  /** See AccountReading. */
  read: (reads: ProviderReads, isManualRefresh: boolean, onTop: () => void) => Promise<void>;
  /** The provider refused the API key. */
  isRefused: () => boolean;
  /** See AccountReading. */
  readNextSingle?: (reads: ProviderReads) => Promise<boolean>;
}

interface ReadingState<R extends Reading> {
  reading: R;
  /** Shared by all readings of the account. */
  rateLimit: RateLimit;
  /** By the monotonic clock. */
  beganAt: number;
  usedAt: number;
  /** Unix seconds; null before the first reading ended. */
  readAt: number | null;
  /** The API key that the provider refused in the last reading; null if it accepted it. */
  refusedKey: string | null;
  underWay: UnderWay | null;
  isReadingSingles: boolean;
}

interface UnderWay {
  /** A person asked for fresh data, so everything is read. */
  isManualRefresh: boolean;
  /** Resolves when the newest rows of all lists are read. */
  top: Promise<void>;
  end: Promise<void>;
}

export interface ReadAccount extends AccountOwner {
  apiKey: string;
}

/** The data that is known now. */
export interface Snapshot<R> {
  reading: R;
  isReading: boolean;
  /** A person asked for the reading under way, so it reads everything. */
  isManualRefresh: boolean;
  readAt: number | null;
  /** Set while the provider's rate limit lasts. */
  limited: OverviewError | null;
}

export type AccountSnapshot = Snapshot<AccountReading>;
export type AssetSnapshot = Snapshot<AssetReading>;

interface SnapshotOptions {
  /** A person asked for fresh data. */
  isManualRefresh: boolean;
}

interface ReadBackOptions extends SnapshotOptions {
  kind: PaymentKind;
  days: number;
}

interface OverviewsParts {
  service: Pick<ServicePort, 'read'>;
  rows: Pick<Rows, 'list'>;
  clock: OverviewClock;
  /** Maximum age for a person who asks, in ms. The embedded sandbox needs no protection from requests. */
  manualMaxAgeMs?: number;
}

export type Overviews = ReturnType<typeof createOverviews>;

/** The readings of this server's accounts: per account one at a time and about one a minute, for any number of people. */
export function createOverviews({ service, rows, clock, manualMaxAgeMs = MANUAL_MAX_AGE_MS }: OverviewsParts) {
  const accounts = new Map<string, ReadingState<AccountReading>>();
  const assets = new Map<string, ReadingState<AssetReading>>();
  const now = (): number => Math.floor(clock.wall() / 1_000);

  function accountState({ service: name, account }: AccountOwner): ReadingState<AccountReading> {
    const owner = { service: name, account };
    return stateIn(accounts, JSON.stringify([name, account]), ACCOUNTS_MAX, () => ({
      reading: createAccountReading({ owner, rows, now }),
      rateLimit: { until: -Infinity, problem: null },
    }));
  }

  function assetState(owner: AccountOwner, asset: string): ReadingState<AssetReading> {
    const { rateLimit } = accountState(owner);
    return stateIn(assets, JSON.stringify([owner.service, owner.account, asset]), ASSETS_MAX, () => ({
      reading: createAssetReading(asset),
      rateLimit,
    }));
  }

  function stateIn<R extends Reading>(
    states: Map<string, ReadingState<R>>,
    key: string,
    most: number,
    create: () => Pick<ReadingState<R>, 'reading' | 'rateLimit'>,
  ): ReadingState<R> {
    forgetUnused();
    const [oldest] = states.keys();
    if (!states.has(key) && states.size >= most && oldest !== undefined) states.delete(oldest);
    const unread = {
      beganAt: -Infinity,
      usedAt: 0,
      readAt: null,
      refusedKey: null,
      underWay: null,
      isReadingSingles: false,
    };
    const state = states.get(key) ?? { ...unread, ...create() };
    state.usedAt = clock.mono();
    // Move it to the end: the map is ordered by last use.
    states.delete(key);
    states.set(key, state);
    return state;
  }

  function forgetUnused(): void {
    for (const states of [accounts, assets])
      for (const [key, { usedAt, underWay }] of states)
        if (underWay === null && clock.mono() - usedAt > FORGET_MS) states.delete(key);
  }

  function isDue(state: ReadingState<Reading>, apiKey: string, maxAgeMs: number): boolean {
    const { beganAt, refusedKey, readAt } = state;
    if (isLimited(state)) return false;
    // The provider refused another API key, but may accept this one.
    const isRefused = readAt !== null && refusedKey !== null && refusedKey !== apiKey;
    return clock.mono() - beganAt >= (isRefused ? Math.min(maxAgeMs, manualMaxAgeMs) : maxAgeMs);
  }

  function isLimited({ rateLimit }: ReadingState<Reading>): boolean {
    return rateLimit.problem !== null && clock.mono() < rateLimit.until;
  }

  type Work = (reads: ProviderReads, onTop: () => void) => Promise<void>;

  function begin(state: ReadingState<Reading>, apiKey: string, isManualRefresh: boolean): UnderWay {
    state.beganAt = clock.mono();
    return work(state, apiKey, isManualRefresh, (reads, onTop) => state.reading.read(reads, isManualRefresh, onTop));
  }

  function work(state: ReadingState<Reading>, apiKey: string, isManualRefresh: boolean, read: Work): UnderWay {
    const { reading, rateLimit } = state;
    if (clock.mono() >= rateLimit.until) rateLimit.problem = null;
    const reads = createProviderReads({ service, apiKey, clock, rateLimit });
    let onTop = (): void => undefined;
    const top = new Promise<void>((resolve) => (onTop = resolve));
    const end = read(reads, onTop).finally(() => {
      onTop();
      state.underWay = null;
      state.readAt = Math.floor(clock.wall() / 1_000);
      state.refusedKey = reading.isRefused() ? apiKey : null;
      void readSingles(state, reads);
    });
    // Callers that await it get the error; this prevents an unhandled rejection.
    end.catch(() => undefined);
    state.underWay = { isManualRefresh, top, end };
    return state.underWay;
  }

  /** Reads single payments one by one beside the readings, for as long as somebody asks for the account. Never rejects. */
  async function readSingles(state: ReadingState<Reading>, reads: ProviderReads): Promise<void> {
    const { reading } = state;
    if (state.isReadingSingles || reading.readNextSingle === undefined) return;
    state.isReadingSingles = true;
    try {
      const isWanted = () => !isLimited(state) && clock.mono() - state.usedAt < FORGET_MS;
      while (isWanted() && (await reading.readNextSingle(reads))) await clock.sleep(SINGLE_MS);
    } catch {
      // The next reading tries again.
    } finally {
      state.isReadingSingles = false;
    }
  }

  /** Begins a reading if one is due and none is running. */
  async function refresh(state: ReadingState<Reading>, apiKey: string, maxAgeMs: number): Promise<UnderWay | null> {
    const { underWay } = state;
    if (underWay === null) return isDue(state, apiKey, maxAgeMs) ? begin(state, apiKey, maxAgeMs < READING_MS) : null;
    if (clock.mono() - state.beganAt < maxAgeMs || maxAgeMs >= READING_MS) return underWay;
    // It may have read already what the person wants to see fresh.
    await underWay.end;
    return refresh(state, apiKey, maxAgeMs);
  }

  async function read<R extends Reading>(
    state: ReadingState<R>,
    apiKey: string,
    { isManualRefresh }: SnapshotOptions,
  ): Promise<Snapshot<R>> {
    const wait = (async () => {
      const underWay = await refresh(state, apiKey, isManualRefresh ? manualMaxAgeMs : READING_MS);
      // Wait only if nothing was read yet, or for a person who asks.
      if (underWay !== null && (isManualRefresh || state.readAt === null)) await underWay.top;
    })();
    await Promise.race([wait, clock.sleep(PATIENCE_MS)]);
    wait.catch(() => undefined);
    return snapshotOf(state);
  }

  /** Reads payments further back if a page or a person needs that. Doesn't wait for it. */
  function readOn(state: ReadingState<AccountReading>, apiKey: string): void {
    const { reading, underWay } = state;
    if (underWay !== null || isLimited(state)) return;
    const isBehind = PAYMENT_KINDS.some(
      (kind) => reading.lists[kind].error === null && reading.lists[kind].back.hasFurther(),
    );
    if (isBehind) work(state, apiKey, false, (reads) => reading.readOn(reads));
  }

  return {
    /** The account's data. Throws if the journal fails. */
    read: ({ apiKey, ...owner }: ReadAccount, options: SnapshotOptions): Promise<AccountSnapshot> =>
      read(accountState(owner), apiKey, options),
    /** The same, with the payments of one kind this many days back. */
    async readBack(
      { apiKey, ...owner }: ReadAccount,
      { kind, days, isManualRefresh }: ReadBackOptions,
    ): Promise<AccountSnapshot> {
      const state = accountState(owner);
      state.reading.lists[kind].back.wantDays(days);
      await read(state, apiKey, { isManualRefresh });
      readOn(state, apiKey);
      return snapshotOf(state);
    },
    /** Lets payments of these kinds go further back than their bound, for a person who asks. Doesn't wait for it. */
    readMore({ apiKey, ...owner }: ReadAccount, kinds: readonly PaymentKind[] = PAYMENT_KINDS): AccountSnapshot {
      const state = accountState(owner);
      state.reading.allowMore(kinds);
      readOn(state, apiKey);
      return snapshotOf(state);
    },
    /** The data of one asset. */
    readAsset: ({ apiKey, ...owner }: ReadAccount, asset: string, options: SnapshotOptions): Promise<AssetSnapshot> =>
      read(assetState(owner, asset), apiKey, options),
    /** Lets its ledger go further back than its bound, for a person who asks. Doesn't wait for it. */
    readMoreOfAsset({ apiKey, ...owner }: ReadAccount, asset: string): AssetSnapshot {
      const state = assetState(owner, asset);
      const { reading } = state;
      if (state.underWay === null && !isLimited(state)) {
        reading.allowMore();
        work(state, apiKey, false, (reads) => reading.readOn(reads));
      }
      return snapshotOf(state);
    },
    /** As read(), but waits for the reading to end. */
    async readWhole({ apiKey, ...owner }: ReadAccount): Promise<AccountSnapshot> {
      const state = accountState(owner);
      const underWay = await refresh(state, apiKey, READING_MS);
      await underWay?.end;
      return snapshotOf(state);
    },
    /** Call it from time to time, to free the memory of unused readings. */
    forgetUnused,
    /** For tests: how many accounts are in memory. */
    size: () => accounts.size,
  };

  function snapshotOf<R extends Reading>(state: ReadingState<R>): Snapshot<R> {
    const { reading, underWay, readAt, rateLimit } = state;
    const limited = clock.mono() < rateLimit.until ? rateLimit.problem : null;
    return {
      reading,
      isReading: underWay !== null,
      isManualRefresh: underWay?.isManualRefresh === true,
      readAt,
      limited,
    };
  }
}
