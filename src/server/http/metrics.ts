import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { Queries } from '#src/server/database/sql.ts';
import { IS_OPEN, NOW_MS } from '#src/server/people/sessionAge.ts';
import { STATES } from '#src/shared/operations/states.ts';
import { JOB_STATES } from '#src/shared/contract/jobsContract.ts';
import { NOTICE_STATES } from '#src/shared/contract/noticesContract.ts';
import type { RequestFacts } from './log.ts';

const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
const SHARED_MS = 10_000;
/** An account that hasn't been watched for this long was removed from the settings. */
const WATCH_FORGET_MS = 24 * 60 * 60_000;
/** Methods that get their own label. Clients can send any other word, so labels must not grow with them. */
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'DELETE']);

export type Metrics = ReturnType<typeof createMetrics>;

/**
 * Metrics for Prometheus: counts and times, no amounts, addresses or names. Counts from the database are the same on every
 * server that shares it.
 */
export function createMetrics(queries: Queries, service: string) {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const requests = new Histogram({
    name: 'countinghouse_request_seconds',
    help: 'Requests that this server answered, by route pattern.',
    labelNames: ['method', 'route', 'status'],
    buckets: SECONDS,
    registers: [registry],
  });
  const scrapeErrors = new Counter({
    name: 'countinghouse_scrape_errors_total',
    help: 'Scrapes in which the database could not be read. Its counts are missing from those.',
    registers: [registry],
  });

  function gauge(name: string, help: string, labelNames: string[] = []): Gauge {
    return new Gauge({ name: `countinghouse_${name}`, help, labelNames, registers: [registry] });
  }
  const operations = gauge('operations', 'Operations in the journal, by kind and state.', ['kind', 'state']);
  const attempts = gauge('attempts', 'Requests to the payments service, by outcome; none is still open.', ['outcome']);
  const position = gauge('journal_position', 'Number of the journal’s last write.');
  const setBack = gauge('journal_set_back', '1 while records may be missing after a restore.');
  const signIns = gauge('sign_ins', 'Sessions that ever began.');
  const sessions = gauge('open_sessions', 'Sessions that are open.');
  const jobs = gauge('jobs', 'Jobs such as exports, by state; those whose file was deleted are left out.', ['state']);
  const notices = gauge('notices', 'Messages to people, by state; dead: nobody got them.', ['state']);
  const watched = gauge(
    'watch_age_seconds',
    'Seconds since the last reading without an error, of the watched account for which that is longest ago.',
  );
  let shared: { at: number; text: Promise<string> } | null = null;

  async function readDatabase(): Promise<void> {
    const states = await queries.query<{ kind: string; state: string; number: string }>(
      'select kind, state, count(*)::text as number from operations.operations where service = $1 group by kind, state',
      [service],
    );
    const outcomes = await queries.query<{ outcome: string | null; number: string }>(
      `select a.outcome, count(*)::text as number from operations.attempts a
       join operations.operations o on o.key = a.key where o.service = $1 group by a.outcome`,
      [service],
    );
    const [journal] = await queries.query<{ position: string; set_back: boolean }>(
      'select position::text, set_back_at is not null as set_back from operations.journal',
    );
    const [people] = await queries.query<{ all: string; open: string }>(
      `select count(*)::text as all, (count(*) filter (where ${IS_OPEN}))::text as open from people.sessions where service = $1`,
      [service],
    );
    const works = await queries.query<{ state: string; number: string }>(
      `select state, count(*)::text as number from jobs.runs where service = $1 and dropped_at is null group by state`,
      [service],
    );
    const messages = await queries.query<{ state: string; number: string }>(
      `select state, count(*)::text as number from notices.outbox where service = $1 and state not in ('folded', 'ended') group by state`,
      [service],
    );
    const [watch] = await queries.query<{ age: string | null }>(
      `select ((${NOW_MS} - min(coalesce(read_at, created_at))) / 1000)::text as age from notices.watches
       where service = $1 and next_at > ${NOW_MS} - ${WATCH_FORGET_MS}`,
      [service],
    );
    operations.reset();
    for (const state of Object.keys(STATES)) operations.set({ kind: 'withdrawal', state }, 0);
    for (const { kind, state, number } of states) operations.set({ kind, state }, Number(number));
    attempts.reset();
    for (const { outcome, number } of outcomes) attempts.set({ outcome: outcome ?? 'none' }, Number(number));
    position.set(Number(journal?.position ?? 0));
    setBack.set(journal?.set_back ? 1 : 0);
    signIns.set(Number(people?.all ?? 0));
    sessions.set(Number(people?.open ?? 0));
    jobs.reset();
    for (const state of JOB_STATES) jobs.set({ state }, 0);
    for (const { state, number } of works) jobs.set({ state }, Number(number));
    if (watch?.age == null) watched.remove();
    else watched.set(Number(watch.age));
    notices.reset();
    for (const state of NOTICE_STATES) notices.set({ state }, 0);
    for (const { state, number } of messages) notices.set({ state }, Number(number));
  }

  return {
    observe({ method, route, status, seconds }: RequestFacts): void {
      requests.observe({ method: METHODS.has(method) ? method : 'other', route, status: String(status) }, seconds);
    },
    contentType: registry.contentType,
    /** Requests within ten seconds share one reading, because it counts whole tables. */
    render(): Promise<string> {
      const now = performance.now();
      if (shared === null || now - shared.at > SHARED_MS) shared = { at: now, text: renderNow() };
      return shared.text;
    },
  };

  async function renderNow(): Promise<string> {
    await readDatabase().catch(() => {
      scrapeErrors.inc();
      for (const one of [operations, attempts, jobs, notices]) one.reset();
      // Remove the values: a reset would report 0.
      for (const one of [position, setBack, signIns, sessions, watched]) one.remove();
    });
    return registry.metrics();
  }
}
