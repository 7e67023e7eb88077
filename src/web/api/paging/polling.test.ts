import { environmentManager, focusManager, onlineManager, QueryClient, QueryObserver } from '@tanstack/react-query';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { wait } from './rateLimitPause.ts';
import { dueAfter, pollOptions, createTabLock, type RequestLock, type BackgroundSlot, turnsBy } from './polling.ts';

const MINUTE = 60_000;

// Where there is no window, intervals are off.
environmentManager.setIsServer(() => false);

const opened: TestTab[] = [];
beforeEach(() => {
  vi.useFakeTimers();
  focusManager.setFocused(true);
});
afterEach(() => {
  for (const tab of opened.splice(0)) tab.close();
  onlineManager.setOnline(true);
  vi.useRealTimers();
});

/** A tab of the browser; its reads go by turns and are counted. */
class TestTab {
  /** When each request went out. */
  readonly requests: number[] = [];
  readonly takeTurn: BackgroundSlot;
  readonly #client = new QueryClient();
  #stops: (() => void)[] = [];

  constructor(lock: RequestLock, spacing = 1_250) {
    this.takeTurn = turnsBy(lock, spacing, () => this.requests.length);
    this.#client.mount();
    opened.push(this);
  }

  close(): void {
    for (const stop of this.#stops) stop();
    this.#stops = [];
    this.#client.unmount();
  }

  poll(due: () => number, read: () => Promise<unknown>): void {
    const key = [this.#stops.length];
    const options = pollOptions({ key, due, read, enabled: true, takeTurn: this.takeTurn });
    this.#stops.push(new QueryObserver(this.#client, options).subscribe(() => undefined));
  }

  /** Polls about every so often; `tries`: how many requests a read makes. */
  polls(pause: number, tries = 1): void {
    let last = Date.now();
    const read = async () => {
      for (let tried = 0; tried < tries; tried += 1) {
        this.requests.push(Date.now());
        await wait(80, undefined);
      }
      last = Date.now();
      if (tries > 1) throw new Error('It failed.');
    };
    this.poll(() => dueAfter(last, pause), read);
  }
}

function tabs(count: number, make: () => TestTab): TestTab[] {
  return Array.from({ length: count }, make);
}

const allRequests = (of: TestTab[]) => of.flatMap(({ requests }) => requests).sort((one, other) => one - other);

const MINUTES = 4 * MINUTE;

describe('background reads of 20 tabs', () => {
  const lists = (tries: number) => {
    const lock = createTabLock();
    const twenty = tabs(20, () => new TestTab(lock));
    for (const tab of twenty) {
      tab.polls(15_000 + Math.random() * 6_000, tries);
      tab.polls(30_000 + Math.random() * 30_000, tries);
      tab.polls(60_000, tries);
    }
    twenty[0]?.polls(3_000, tries);
    return twenty;
  };

  test('stay under one request a second in all, and every tab gets its turn', async () => {
    const twenty = lists(1);
    await vi.advanceTimersByTimeAsync(MINUTES);
    const all = allRequests(twenty);
    expect(all.length).toBeLessThan(240);
    expect(all.length).toBeGreaterThan(160);
    for (const [at, time] of all.entries()) expect(time - (all[at - 1] ?? 0)).toBeGreaterThanOrEqual(1_000);
    for (const { requests } of twenty) expect(requests.length).toBeGreaterThan(3);
  });

  test('stay under it when every read fails and is tried three times', async () => {
    const twenty = lists(3);
    await vi.advanceTimersByTimeAsync(MINUTES);
    const all = allRequests(twenty);
    expect(all.length).toBeLessThan(240);
    for (const { requests } of twenty) expect(requests.length).toBeGreaterThan(1);
  });

  test('stay under it where no tab knows of another', async () => {
    const twenty = tabs(20, () => new TestTab(createTabLock(), 25_000));
    for (const tab of twenty) for (const pause of [3_000, 18_000, 60_000]) tab.polls(pause);
    await vi.advanceTimersByTimeAsync(MINUTES);
    expect(allRequests(twenty).length).toBeLessThan(240);
    for (const { requests } of twenty) expect(requests.length).toBeGreaterThan(3);
  });
});

describe('one tab', () => {
  test('hidden, it reads nothing; shown again, it reads once soon', async () => {
    const tab = new TestTab(createTabLock());
    tab.polls(18_000);
    focusManager.setFocused(false);
    await vi.advanceTimersByTimeAsync(60 * MINUTE);
    expect(tab.requests).toEqual([]);
    focusManager.setFocused(true);
    await vi.advanceTimersByTimeAsync(3_000);
    expect(tab.requests).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(tab.requests).toHaveLength(1);
  });

  test('hidden while it waits for its turn, it lets the turn go', async () => {
    const lock = createTabLock();
    void lock('background-read', { signal: new AbortController().signal }, () => wait(10_000, undefined));
    const waiting = new TestTab(lock);
    waiting.polls(2_000);
    await vi.advanceTimersByTimeAsync(9_000);
    focusManager.setFocused(false);
    await vi.advanceTimersByTimeAsync(MINUTE);
    expect(waiting.requests).toEqual([]);
  });

  test('online again, it does not wait for its time', async () => {
    const tab = new TestTab(createTabLock());
    tab.polls(10 * MINUTE);
    await vi.advanceTimersByTimeAsync(MINUTE);
    onlineManager.setOnline(false);
    onlineManager.setOnline(true);
    await vi.advanceTimersByTimeAsync(6_000);
    expect(tab.requests).toHaveLength(1);
  });

  test('stopped, it reads nothing more', async () => {
    const tab = new TestTab(createTabLock());
    tab.polls(1_000);
    await vi.advanceTimersByTimeAsync(500);
    tab.close();
    await vi.advanceTimersByTimeAsync(MINUTE);
    expect(tab.requests).toEqual([]);
  });

  test('what an export reads meanwhile keeps no turn', async () => {
    const lock = createTabLock();
    const [exporting, other] = [new TestTab(lock), new TestTab(lock)];
    const read = async () => {
      for (let made = 0; made < 300; made += 1) exporting.requests.push(Date.now());
    };
    exporting.poll(() => 0, read);
    other.polls(1_000);
    await vi.advanceTimersByTimeAsync(40_000);
    expect(other.requests.length).toBeGreaterThan(1);
  });

  test('a read that hangs does not keep the turn', async () => {
    const lock = createTabLock();
    const [stuck, other] = [new TestTab(lock), new TestTab(lock)];
    const never = () => new Promise<void>(() => undefined);
    stuck.poll(() => 0, never);
    other.polls(1_000);
    await vi.advanceTimersByTimeAsync(12_000);
    expect(other.requests.length).toBeGreaterThan(0);
  });
});
