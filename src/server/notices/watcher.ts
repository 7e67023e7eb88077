import { randomUUID } from 'node:crypto';
import type { RaiseNotice } from '#src/server/activity/raiseNotice.ts';
import type { Database, Queries } from '#src/server/database/sql.ts';
import { FINDING_LISTS, type FindingList } from '#src/server/overview/findings.ts';
import type { NoticeEvent } from '#src/shared/noticeEvents.ts';

const MINUTE_MS = 60_000;
/** Longest time between two readings after failures, even if the provider asks for a longer one. */
const WAIT_MAX_MS = 15 * MINUTE_MS;
/** How long a server may be silent before another watches its account: longer than a first reading takes. */
const LEASE_MS = 3 * MINUTE_MS;
/** After this time an incomplete reading counts as the baseline: some accounts can't be read completely. */
const BASELINE_MS = 15 * MINUTE_MS;
const FORGET_MS = 30 * 24 * 60 * MINUTE_MS;
/** Precision of seen_at. */
const SEEN_MS = 60 * MINUTE_MS;
const TICK_MS = 5_000;

/** Something that needs attention, as the cause of a notice. */
export interface WatchFinding {
  event: NoticeEvent;
  subject: string;
  /** Null if each reappearance is a new episode. */
  episode: string | null;
}

export interface WatchReading {
  findings: readonly WatchFinding[];
  /** A problem that isn't among the findings is over. */
  isComplete: boolean;
  /** The lists of which nothing could be read yet. */
  unread: readonly FindingList[];
  /** A refusal of the API key is over. */
  isKeyAccepted: boolean;
  /** Why something couldn't be read; null if nothing failed. */
  problem: string | null;
  /** How long the provider asks to wait. */
  waitMs: number;
}

export interface WatchedAccount {
  account: string;
  apiKey: string;
}

export interface WatcherParts {
  database: Database;
  service: string;
  /** The accounts whose API key is in the settings. */
  accounts: () => Promise<readonly WatchedAccount[]>;
  /** Only reads. Throws if the database fails. */
  read: (account: WatchedAccount) => Promise<WatchReading>;
  raise: RaiseNotice;
  /** The database's clock, ms. In a transaction, pass the transaction: PGlite has only one connection. */
  now: (queries: Queries) => Promise<number>;
  /** Logs a line. */
  warn: (line: string) => void;
}

interface Watch {
  failures: number;
  createdAt: number;
  baselineAt: number | null;
  /** Lists that are missing from the baseline. */
  lacking: readonly FindingList[];
}

/** Reads each account once a minute, on one server at a time, and raises one notice for each new finding. */
export function createWatcher({ database, service, accounts, read, raise, now, warn }: WatcherParts) {
  const holder = randomUUID();
  const busy = new Map<string, Promise<void>>();
  let isStopping = false;
  let reportedFailure = '';
  let timer: NodeJS.Timeout | undefined;

  function report(error: unknown): void {
    const line = error instanceof Error ? error.message : String(error);
    if (line !== reportedFailure) warn(`Watcher: ${line}`);
    reportedFailure = line;
  }

  /** Null if the account isn't due, or another server watches it. */
  async function claim(account: string): Promise<Watch | null> {
    const at = String(await now(database));
    await database.query(
      `insert into notices.watches (service, account, next_at, created_at) values ($1, $2, $3, $3) on conflict do nothing`,
      [service, account, at],
    );
    const [row] = await database.query<
      Record<'created_at' | 'baseline_lacks', string> & { failures: number; baseline_at: string | null }
    >(
      `update notices.watches set holder = $3, lease_until = $4::bigint + ${LEASE_MS}
       where service = $1 and account = $2 and next_at <= $4::bigint
         and (holder is null or holder = $3 or lease_until < $4::bigint)
       returning failures, created_at::text, baseline_at::text, baseline_lacks`,
      [service, account, holder, at],
    );
    if (row === undefined) return null;
    const baselineAt = row.baseline_at === null ? null : Number(row.baseline_at);
    const lacking = FINDING_LISTS.filter((list) => row.baseline_lacks.split(' ').includes(list));
    return { failures: row.failures, createdAt: Number(row.created_at), baselineAt, lacking };
  }

  async function watch(watched: WatchedAccount): Promise<void> {
    const { account } = watched;
    const claimed = await claim(account);
    if (claimed === null) return;
    const reading = await read(watched);
    await database.transaction(async (tx) => {
      const at = await now(tx);
      const [held] = await tx.query(
        'select 1 as one from notices.watches where service = $1 and account = $2 and holder = $3 for update',
        [service, account, holder],
      );
      // Another server took over meanwhile and raises the notices.
      if (held === undefined) return;
      const isOld = (cause: Pick<WatchFinding, 'event' | 'subject'>): boolean =>
        claimed.baselineAt === null || claimed.lacking.some((list) => list === listOf(cause));
      for (const cause of await noteFindings(tx, account, reading, at))
        // The first reading raises nothing about what was there before; a refused key is the account's state now.
        if (cause.event === 'key.refused' || !isOld(cause)) await raise(tx, { service, account, ...cause }, at);
      await noteReading(tx, account, { claimed, reading, at });
    });
    if (reading.problem !== null) report(new Error(reading.problem));
    else reportedFailure = '';
  }

  /** Records the findings and returns the new ones. */
  async function noteFindings(
    tx: Queries,
    account: string,
    { findings, isComplete, isKeyAccepted }: WatchReading,
    at: number,
  ) {
    const known = await tx.query<Record<'event' | 'subject' | 'episode' | 'seen_at', string>>(
      'select event, subject, episode, seen_at::text from notices.findings where service = $1 and account = $2',
      [service, account],
    );
    const seen = new Set<(typeof known)[number]>();
    const fresh: { event: NoticeEvent; subject: string; episode: string }[] = [];
    for (const { event, subject, episode } of findings) {
      const same = known.find(
        (row) => row.event === event && row.subject === subject && (episode === null || row.episode === episode),
      );
      if (same) seen.add(same);
      else fresh.push({ event, subject, episode: episode ?? `${RECURRING} ${at}` });
    }
    const isOver = ({ event, episode }: (typeof known)[number]) =>
      event === 'key.refused' ? isKeyAccepted : isComplete && episode.startsWith(RECURRING);
    const gone = known.filter((row) => !seen.has(row) && (isOver(row) || at - Number(row.seen_at) > FORGET_MS));
    for (const { event, subject, episode } of fresh)
      await tx.query(
        `insert into notices.findings (service, account, event, subject, episode, seen_at) values ($1, $2, $3, $4, $5, $6)
         on conflict do nothing`,
        [service, account, event, subject, episode, String(at)],
      );
    for (const { event, subject, episode, seen_at: seenAt } of seen)
      if (at - Number(seenAt) > SEEN_MS)
        await tx.query(
          `update notices.findings set seen_at = $6
           where service = $1 and account = $2 and event = $3 and subject = $4 and episode = $5`,
          [service, account, event, subject, episode, String(at)],
        );
    for (const { event, subject, episode } of gone)
      await tx.query(
        `delete from notices.findings where service = $1 and account = $2 and event = $3 and subject = $4 and episode = $5`,
        [service, account, event, subject, episode],
      );
    return fresh;
  }

  interface Noted {
    claimed: Watch;
    reading: WatchReading;
    at: number;
  }

  async function noteReading(tx: Queries, account: string, { claimed, reading, at }: Noted): Promise<void> {
    const { isComplete, problem, unread } = reading;
    const failures = problem === null ? 0 : claimed.failures + 1;
    const waitMs = Math.min(WAIT_MAX_MS, Math.max(reading.waitMs, MINUTE_MS * 2 ** Math.min(failures, 10)));
    const nextAt = at + (failures === 0 ? MINUTE_MS : waitMs);
    const isSomeRead = unread.length < FINDING_LISTS.length;
    const isBaseline = isComplete || (isSomeRead && at - claimed.createdAt >= BASELINE_MS);
    const lacking = claimed.baselineAt === null ? unread : unread.filter((list) => claimed.lacking.includes(list));
    await tx.query(
      `update notices.watches set failures = $3, problem = $4, next_at = $5, lease_until = $5::bigint + ${MINUTE_MS},
         read_at = case when $4::text is null then $6::bigint else read_at end,
         baseline_at = coalesce(baseline_at, case when $7 then $6::bigint end), baseline_lacks = $8
       where service = $1 and account = $2`,
      [service, account, failures, problem, String(nextAt), String(at), isBaseline, lacking.join(' ')],
    );
  }

  /** Works on one account. Never rejects. Calls during a run share that run. */
  function turn(watched: WatchedAccount): Promise<void> {
    const { account } = watched;
    const going = busy.get(account);
    if (going) return going;
    const work = watch(watched)
      .catch(report)
      .finally(() => busy.delete(account));
    busy.set(account, work);
    return work;
  }

  async function tick(): Promise<void> {
    if (isStopping) return;
    const watched = await accounts().catch((error: unknown) => {
      report(error);
      return [];
    });
    await Promise.all(watched.map(turn));
  }

  return {
    tick,
    begin(): void {
      timer ??= setInterval(() => void tick(), TICK_MS).unref();
    },
    /** Releases the accounts, so that another server takes over at once. */
    async stop(): Promise<void> {
      isStopping = true;
      clearInterval(timer);
      await Promise.all(busy.values());
      await database
        .query('update notices.watches set holder = null, lease_until = null where holder = $1', [holder])
        .catch(report);
    },
  };
}

/** The list that a finding comes from; null for the journal. */
function listOf({ event, subject }: Pick<WatchFinding, 'event' | 'subject'>): FindingList | null {
  if (event === 'balance.wrong') return 'balances';
  if (subject.startsWith('deposit ')) return 'deposits';
  return subject.startsWith('withdrawal ') ? 'withdrawals' : null;
}

/** Prefix of the episodes that the watcher creates itself. */
const RECURRING = 'since';
