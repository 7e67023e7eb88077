import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { wait } from './pause.ts';
import { poll, type Tab } from './polling.ts';
import { lockOfThisTab, type RequestLock, type TakeTurn, turnsBy, turnsOrElse } from './turns.ts';

const MINUTE = 60_000;

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** A tab of the browser; its reads go by turns and are counted. */
class TestTab implements Tab {
  /** When each request went out. */
  readonly requests: number[] = [];
  readonly stop = new AbortController();
  takeTurn: TakeTurn;
  #hidden = false;
  #shown = new Set<() => void>();
  #online = new Set<() => void>();

  constructor(lock: RequestLock, spacing = 1_250) {
    this.takeTurn = turnsBy(lock, spacing, () => this.requests.length);
  }

  hidden = () => this.#hidden;
  shown = () => new Promise<void>((resolve) => this.#shown.add(resolve));
  onOnline = (act: () => void) => void this.#online.add(act);

  hide(): void {
    this.#hidden = true;
  }
  show(): void {
    this.#hidden = false;
    for (const tell of this.#shown) tell();
  }
  networkIsBack(): void {
    for (const tell of this.#online) tell();
  }

  /** Polls every so often; `tries`: how many requests a read makes. */
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
    void poll({ due: () => last + pause, read }, this.stop.signal, this.takeTurn, this);
  }
}

function tabs(count: number, make: () => TestTab): TestTab[] {
  return Array.from({ length: count }, make);
}

const allRequests = (of: TestTab[]) => of.flatMap(({ requests }) => requests).sort((one, other) => one - other);

describe('background reads of 20 tabs', () => {
  const lists = (tries: number) => {
    const lock = lockOfThisTab();
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
    await vi.advanceTimersByTimeAsync(10 * MINUTE);
    const all = allRequests(twenty);
    expect(all.length).toBeLessThan(600);
    expect(all.length).toBeGreaterThan(400);
    for (const [at, time] of all.entries()) expect(time - (all[at - 1] ?? 0)).toBeGreaterThanOrEqual(1_000);
    for (const { requests } of twenty) expect(requests.length).toBeGreaterThan(10);
  });

  test('stay under it when every read fails and is tried three times', async () => {
    const twenty = lists(3);
    await vi.advanceTimersByTimeAsync(10 * MINUTE);
    const all = allRequests(twenty);
    expect(all.length).toBeLessThan(600);
    for (const { requests } of twenty) expect(requests.length).toBeGreaterThan(5);
  });

  test('stay under it where no tab knows of another', async () => {
    const twenty = tabs(20, () => new TestTab(lockOfThisTab(), 25_000));
    for (const tab of twenty) for (const pause of [3_000, 18_000, 60_000]) tab.polls(pause);
    await vi.advanceTimersByTimeAsync(10 * MINUTE);
    expect(allRequests(twenty).length).toBeLessThan(600);
    for (const { requests } of twenty) expect(requests.length).toBeGreaterThan(10);
  });
});

describe('one tab', () => {
  test('hidden, it reads nothing; shown again, it reads once soon', async () => {
    const tab = new TestTab(lockOfThisTab());
    tab.polls(18_000);
    tab.hide();
    await vi.advanceTimersByTimeAsync(60 * MINUTE);
    expect(tab.requests).toEqual([]);
    tab.show();
    await vi.advanceTimersByTimeAsync(3_000);
    expect(tab.requests).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(tab.requests).toHaveLength(1);
  });

  test('hidden while it waits for its turn, it lets the turn go', async () => {
    const lock = lockOfThisTab();
    const [busy, waiting] = [new TestTab(lock), new TestTab(lock)];
    busy.polls(1_000, 3);
    waiting.polls(2_000);
    await vi.advanceTimersByTimeAsync(2_100);
    waiting.hide();
    await vi.advanceTimersByTimeAsync(MINUTE);
    expect(waiting.requests).toEqual([]);
    expect(busy.requests.length).toBeGreaterThan(10);
  });

  test('online again, it does not wait for its time', async () => {
    const tab = new TestTab(lockOfThisTab());
    tab.polls(10 * MINUTE);
    await vi.advanceTimersByTimeAsync(MINUTE);
    tab.networkIsBack();
    await vi.advanceTimersByTimeAsync(6_000);
    expect(tab.requests).toHaveLength(1);
  });

  test('stopped, it reads nothing more', async () => {
    const tab = new TestTab(lockOfThisTab());
    tab.polls(1_000);
    await vi.advanceTimersByTimeAsync(500);
    tab.stop.abort();
    await vi.advanceTimersByTimeAsync(MINUTE);
    expect(tab.requests).toEqual([]);
  });

  test('a read that hangs does not keep the turn', async () => {
    const lock = lockOfThisTab();
    const [stuck, other] = [new TestTab(lock), new TestTab(lock)];
    const never = () => new Promise<void>(() => undefined);
    void poll({ due: () => 0, read: never }, stuck.stop.signal, stuck.takeTurn, stuck);
    other.polls(1_000);
    await vi.advanceTimersByTimeAsync(12_000);
    expect(other.requests.length).toBeGreaterThan(0);
  });

  test('a lock that is refused is asked for once, and the tab takes its turns alone', async () => {
    let asked = 0;
    const refused: RequestLock = async () => {
      asked += 1;
      throw new DOMException('no', 'SecurityError');
    };
    const tab = new TestTab(refused);
    const alone = turnsBy(lockOfThisTab(), 25_000, () => tab.requests.length);
    tab.takeTurn = turnsOrElse(tab.takeTurn, alone);
    tab.polls(1_000);
    await vi.advanceTimersByTimeAsync(10 * MINUTE);
    expect(asked).toBe(1);
    expect(tab.requests.length).toBeGreaterThan(20);
    expect(tab.requests.length).toBeLessThan(30);
  });
});
