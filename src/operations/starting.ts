import { READ_ONLY } from './allowed.ts';
import type { Attempts } from './attempts.ts';
import { type WithdrawalFields, readWithdrawalBody } from './body.ts';
import { readServiceDate } from './dateRead.ts';
import { StorageUnavailable } from './unavailable.ts';
import { faultIn } from './kinds.ts';
import { type Candidate, SAME_SEND_SECONDS, candidateOf, lookAlikes } from './lookAlikes.ts';
import { momentOf, passedSince } from './moment.ts';
import { newRecord } from './newRecord.ts';
import type { Sameness } from './operations.ts';
import type { SameSend, StartResult, StartRequest } from './outcomes.ts';
import { knownResultId } from './record.ts';
import { isToSame } from './sameSend.ts';
import { type ServiceList, factsOf, readServiceList } from './serviceList.ts';
import type { Store } from './store.ts';
import { owns } from './views.ts';
import type { World } from './world.ts';

/** A second pair of eyes at review: the latest few hundred. */
const MOST_PAGES = 5;
/** A press of Send holds for so long: its reads take less, and a device that slept in between sends nothing of yesterday. */
const PRESS_HOLDS_MS = 2 * 60_000;

const TOO_LATE = 'More than two minutes passed since Send was pressed, so nothing was recorded or sent.';

export interface Starting {
  start: (request: StartRequest) => Promise<StartResult>;
}

/** Turns a reviewed form into one durable record under way, or says why not. */
export function createStarting(world: World, store: Store, attempts: Attempts): Starting {
  const { journal, network } = world;
  const underWay = new Map<string, Promise<StartResult>>();

  /** A second click, or a second mount with the same key, gets the first one's outcome: no await comes before this. */
  function start(request: StartRequest): Promise<StartResult> {
    const running = underWay.get(request.key);
    if (running) return running;
    const started = startOnce(request)
      .catch((error: unknown): StartResult => notRecorded(wordsOf(error)))
      .then(async (result) => {
        // What stands in the way may be another tab's, and not shown here yet.
        if (result.outcome === 'existing' || result.outcome === 'second-send') await store.read();
        return result;
      })
      .finally(() => underWay.delete(request.key));
    underWay.set(request.key, started);
    return started;
  }

  async function startOnce(request: StartRequest): Promise<StartResult> {
    const session = world.session();
    if (session === null) return notRecorded('Nobody is signed in.');
    if (session.read_only) return notRecorded(READ_ONLY);
    const fault = faultIn(request);
    if (fault !== null) return notRecorded(fault);
    const { service, account } = session;
    const pressedAt = momentOf(world);

    const sent = request.kind === 'withdrawal' ? readWithdrawalBody(request.body) : null;
    const listed = sent && (await readServiceList(network, { account, sinceBy: recent, mostPages: MOST_PAGES }));
    const readAt = momentOf(world);
    const read = await readServiceDate(network, account);
    if ('reason' in read) return notRecorded(read.reason);
    if (!owns(world.session(), { service, account })) return notRecorded('Another account is signed in now.');

    const record = newRecord(request, { id: world.name('op_'), service, account, firstSentAt: read.date });
    const found = await look(candidateOf(record), sent === null ? [] : sameSends(listed, sent));
    if (found.existing !== null || found.of.length > 0) return standsInTheWay(found);
    if (passedSince(world, pressedAt) > PRESS_HOLDS_MS) return notRecorded(TOO_LATE);
    const before = await journal.insert(record);
    if (before !== null) return standsInTheWay(before);
    store.put(record);
    askToKeep();
    // Inserted and, when this fails, provably not sent: the operation's page offers Send and Discard.
    await attempts.begin(record.id, 'ready', read.date, readAt).catch((error: unknown) => store.fail(error));
    return { outcome: 'started', id: record.id };
  }

  async function look(candidate: Candidate, listed: SameSend[]): Promise<Sameness> {
    const everything = await journal.all();
    const { existing, of } = lookAlikes(everything, candidate);
    const known = new Set([...everything.records.map(knownResultId), ...candidate.secondSendOf]);
    return { existing, of: [...of, ...listed.filter(({ id }) => !known.has(id))] };
  }

  function askToKeep(): void {
    world.persisted(true).then(
      (kept) => store.update({ mayForget: kept !== true }),
      () => store.update({ mayForget: true }),
    );
  }

  return { start };
}

/** By the clock of the list's own answer; one without a readable clock is taken whole. */
function recent(date: number | null): number {
  return date === null ? Number.NEGATIVE_INFINITY : date - SAME_SEND_SECONDS;
}

function sameSends(list: ServiceList | null, sent: WithdrawalFields): SameSend[] {
  if (list?.status !== 'listed') return [];
  return list.rows
    .filter((row) => isToSame(sent, row))
    .map((row) => ({ source: 'service', foreign: false, ...factsOf(row) }));
}

function standsInTheWay({ existing, of }: Sameness): StartResult {
  if (existing === null) return { outcome: 'second-send', of };
  const { id, foreign, damaged } = existing;
  return { outcome: 'existing', id, ...(foreign ? { foreign } : {}), ...(damaged ? { damaged } : {}) };
}

function notRecorded(reason: string): StartResult {
  return { outcome: 'not-recorded', reason };
}

function wordsOf(error: unknown): string {
  if (error instanceof StorageUnavailable) return error.message;
  return `Nothing was recorded (${error instanceof Error ? error.message : String(error)}).`;
}
