import * as v from 'valibot';
import { pausedBatches } from '#src/server/operations/batches/pausedBatches.ts';
import type { AccountOwner, BatchReads, JournalFacts, Rows } from '#src/server/operations/ports.ts';
import { isLeased, isWaiting } from '#src/server/operations/clocks.ts';
import type { Team } from '#src/server/team/team.ts';
import type { BatchSummary } from '#src/shared/contract/batchContract.ts';
import { COLLECTIONS, type Mark, subjectsMarked } from '#src/shared/contract/teamContract.ts';
import { parseExact } from '#src/shared/json/exactJson.ts';
import { UNRESOLVED } from '#src/shared/operations/states.ts';
import { type Unsettled, unsettledOf } from '#src/shared/operations/unsettled.ts';
import { DEFAULT_STUCK_HOURS } from '#src/shared/overview/paymentStanding.ts';

const PAGE = 500;
const OPERATIONS_MAX = 100;

export interface HomeFactsParts {
  team: Pick<Team, 'list' | 'read'>;
  rows: Pick<Rows, 'list'> & {
    facts: () => Promise<Pick<JournalFacts, 'now' | 'setBackAt'>>;
    batches: Pick<BatchReads, 'unended' | 'lineCounts'>;
  };
  /** The server's clock, ms. */
  wall: () => number;
}

/** The records of an account that decide what needs attention. */
export interface HomeFacts {
  operations: readonly Unsettled[];
  /** Batches that wait for a person. */
  batches: readonly BatchSummary[];
  /** There are more operations, or the journal was set back. */
  isPartly: boolean;
  handled: ReadonlySet<string>;
  expected: ReadonlySet<string>;
  /** Seconds after which a payment is stuck if its usual time is unknown. */
  threshold: number;
}

export async function readHomeFacts({ team, rows, wall }: HomeFactsParts, owner: AccountOwner): Promise<HomeFacts> {
  const query = { ...owner, states: UNRESOLVED, kind: null, about: null, cursor: null, limit: OPERATIONS_MAX };
  const [listed, facts, marks, hours] = await Promise.all([
    rows.list(query),
    rows.facts(),
    readMarks(team, owner),
    readStuckHours(team, owner),
  ]);
  const views = listed.rows.flatMap(({ record }) => {
    if (record === undefined) return [];
    const underWay = isLeased(record, facts.now);
    // Its server is gone. The journal marks it as unconfirmed when somebody opens it.
    const operation = record.state === 'sending' && !underWay ? { ...record, state: 'unconfirmed' as const } : record;
    return [{ operation, underWay, waiting: isWaiting(record, wall()), now: wall() }];
  });
  const batches = await pausedBatches(rows.batches, owner, facts.now);
  const unreadable = listed.rows.flatMap((row) => row.unreadable ?? []);
  return {
    operations: unsettledOf({ views, unreadable }),
    batches,
    isPartly: listed.next !== null || facts.setBackAt !== null,
    handled: subjectsMarked(marks, 'handled'),
    expected: subjectsMarked(marks, 'handled', 'expected'),
    threshold: hours * 3600,
  };
}

async function readMarks(team: HomeFactsParts['team'], owner: AccountOwner): Promise<{ id: string; value: Mark }[]> {
  const marks: { id: string; value: Mark }[] = [];
  for (let cursor = 0; ;) {
    const page = await team.list(owner, { collection: 'marks', updatedAfter: null, cursor, limit: PAGE });
    for (const { id, value } of page.items) {
      const parsed = v.safeParse(COLLECTIONS.marks.value, parseExact(value));
      if (parsed.success) marks.push({ id, value: parsed.output });
    }
    if (page.next === null) return marks;
    cursor = Number(page.next);
  }
}

async function readStuckHours(team: HomeFactsParts['team'], owner: AccountOwner): Promise<number> {
  const item = await team.read(owner, 'settings', 'stuck-after');
  const parsed = item === null || item.deleted ? null : v.safeParse(COLLECTIONS.settings.value, parseExact(item.value));
  return parsed?.success === true ? parsed.output.hours : DEFAULT_STUCK_HOURS;
}
