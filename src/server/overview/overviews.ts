import type { AccountOwner, Rows, ServicePort } from '#src/server/operations/ports.ts';
import type { OverviewError } from '#src/shared/contract/overviewContract.ts';
import { type AccountReading, createAccountReading } from './accountReading.ts';
import { createProviderReads, type OverviewClock, type ProviderReads, type RateLimit } from './providerReads.ts';

/** A reading serves everybody for so long. */
export const READING_MS = 60_000;
/** A person who asks gets none that is older. */
export const ASKED_MS = 10_000;
/** A response waits no longer for a reading: what is there is shown. */
const PATIENCE_MS = 1_000;
/** Nobody asked for it: it is forgotten. */
const FORGET_MS = 600_000;
/** Of one server; the one that was asked for longest ago goes first. */
const ACCOUNTS_MAX = 200;

interface AccountState {
  reading: AccountReading;
  rateLimit: RateLimit;
  /** By the monotonic clock. */
  beganAt: number;
  usedAt: number;
  /** Unix seconds; null before the first reading ended. */
  readAt: number | null;
  /** With which key the provider refused the last reading; null: it didn't. */
  refusedKey: string | null;
  underWay: UnderWay | null;
}

interface UnderWay {
  /** A person waits for all of it. */
  isAsked: boolean;
  /** The newest of everything is read. */
  top: Promise<void>;
  end: Promise<void>;
}

export interface ReadAccount extends AccountOwner {
  apiKey: string;
}

/** What is known of an account now. */
export interface AccountSnapshot {
  reading: AccountReading;
  isReading: boolean;
  /** A person waits for the reading under way, which reads everything. */
  isAsked: boolean;
  readAt: number | null;
  /** Set while the provider wants no requests. */
  limited: OverviewError | null;
}

interface OverviewsParts {
  service: Pick<ServicePort, 'read'>;
  rows: Pick<Rows, 'list'>;
  clock: OverviewClock;
  /** Milliseconds; the embedded sandbox is no provider that has to be spared. */
  askedMs?: number;
}

export type Overviews = ReturnType<typeof createOverviews>;

/** The readings of this server's accounts: one at a time and one a minute for each, whoever asks. */
export function createOverviews({ service, rows, clock, askedMs = ASKED_MS }: OverviewsParts) {
  const accounts = new Map<string, AccountState>();

  function stateOf(owner: AccountOwner): AccountState {
    forgetUnused();
    const key = JSON.stringify([owner.service, owner.account]);
    const [oldest] = accounts.keys();
    if (!accounts.has(key) && accounts.size >= ACCOUNTS_MAX && oldest !== undefined) accounts.delete(oldest);
    const state: AccountState = accounts.get(key) ?? {
      reading: createAccountReading({
        owner: { service: owner.service, account: owner.account },
        rows,
        now: () => Math.floor(clock.wall() / 1_000),
      }),
      rateLimit: { until: -Infinity, problem: null },
      beganAt: -Infinity,
      usedAt: clock.mono(),
      readAt: null,
      refusedKey: null,
      underWay: null,
    };
    state.usedAt = clock.mono();
    // The one used last stands last.
    accounts.delete(key);
    accounts.set(key, state);
    return state;
  }

  function forgetUnused(): void {
    for (const [key, { usedAt, underWay }] of accounts)
      if (underWay === null && clock.mono() - usedAt > FORGET_MS) accounts.delete(key);
  }

  function isDue(state: AccountState, apiKey: string, maxAgeMs: number): boolean {
    const { rateLimit, beganAt, refusedKey, readAt } = state;
    if (rateLimit.problem !== null && clock.mono() < rateLimit.until) return false;
    // Another key may be accepted.
    const isRefused = readAt !== null && refusedKey !== null && refusedKey !== apiKey;
    return clock.mono() - beganAt >= (isRefused ? Math.min(maxAgeMs, askedMs) : maxAgeMs);
  }

  type Work = (reads: ProviderReads, onTop: () => void) => Promise<void>;

  function begin(state: AccountState, apiKey: string, isAsked: boolean): UnderWay {
    state.beganAt = clock.mono();
    return work(state, apiKey, isAsked, (reads, onTop) => state.reading.read(reads, isAsked, onTop));
  }

  function work(state: AccountState, apiKey: string, isAsked: boolean, read: Work): UnderWay {
    const { reading, rateLimit } = state;
    if (clock.mono() >= rateLimit.until) rateLimit.problem = null;
    const reads = createProviderReads({ service, apiKey, clock, rateLimit });
    let onTop = (): void => undefined;
    const top = new Promise<void>((resolve) => (onTop = resolve));
    const end = read(reads, onTop).finally(() => {
      onTop();
      state.underWay = null;
      state.readAt = Math.floor(clock.wall() / 1_000);
      state.refusedKey = reading.balancesError()?.status === 401 ? apiKey : null;
    });
    // Whoever waits for it gets the error.
    end.catch(() => undefined);
    state.underWay = { isAsked, top, end };
    return state.underWay;
  }

  /** Begins a reading if one is due; one at a time. */
  async function refresh(state: AccountState, apiKey: string, maxAgeMs: number): Promise<UnderWay | null> {
    const { underWay } = state;
    if (underWay === null) return isDue(state, apiKey, maxAgeMs) ? begin(state, apiKey, maxAgeMs < READING_MS) : null;
    if (clock.mono() - state.beganAt < maxAgeMs || maxAgeMs >= READING_MS) return underWay;
    // It may have passed what the person wants to see.
    await underWay.end;
    return refresh(state, apiKey, maxAgeMs);
  }

  return {
    /** The account as it was read; `isAsked`: by a person, who wants to see what is new. Throws if the journal fails. */
    async read({ apiKey, ...owner }: ReadAccount, { isAsked }: { isAsked: boolean }): Promise<AccountSnapshot> {
      const state = stateOf(owner);
      const wait = (async () => {
        const underWay = await refresh(state, apiKey, isAsked ? askedMs : READING_MS);
        // Where nothing was read yet, and for a person who asks.
        if (underWay !== null && (isAsked || state.readAt === null)) await underWay.top;
      })();
      await Promise.race([wait, clock.sleep(PATIENCE_MS)]);
      wait.catch(() => undefined);
      return snapshotOf(state);
    },
    /** Reads payments further back, for a person who asks. Doesn't wait for it. */
    readMore({ apiKey, ...owner }: ReadAccount): AccountSnapshot {
      const state = stateOf(owner);
      if (state.underWay === null) work(state, apiKey, false, (reads) => state.reading.readMore(reads));
      return snapshotOf(state);
    },
    /** As read(), but waits for the reading to end. */
    async readWhole({ apiKey, ...owner }: ReadAccount): Promise<AccountSnapshot> {
      const state = stateOf(owner);
      const underWay = await refresh(state, apiKey, READING_MS);
      await underWay?.end;
      return snapshotOf(state);
    },
    /** Call it now and then: what nobody asks for any more doesn't stay in memory. */
    forgetUnused,
    /** For tests: how many accounts are in memory. */
    size: () => accounts.size,
  };

  function snapshotOf({ reading, underWay, readAt, rateLimit }: AccountState): AccountSnapshot {
    const isLimited = clock.mono() < rateLimit.until;
    const limited = isLimited ? rateLimit.problem : null;
    return { reading, isReading: underWay !== null, isAsked: underWay?.isAsked === true, readAt, limited };
  }
}
