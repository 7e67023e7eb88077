import * as v from 'valibot';
import type { AccountOwner, Rows } from '#src/server/operations/ports.ts';
import { stoppedView } from '#src/server/operations/views.ts';
import type { Team } from '#src/server/team/team.ts';
import type { CheckNote } from '#src/shared/contract/gatewayContract.ts';
import { groupBy } from '#src/shared/groupBy.ts';
import { LIMIT_MAX } from '#src/shared/contract/contract.ts';
import { COLLECTIONS, type PaymentNote, type Recipient } from '#src/shared/contract/teamContract.ts';
import type { Bounds } from '#src/shared/statement/period.ts';
import type { TeamRecords } from '#src/shared/statement/teamRecords.ts';
import { eachItem } from './teamColumns.ts';

/** A withdrawal may be listed this long after it was recorded, in seconds: it can be resent for a day. */
const BEFORE = 3 * 86_400;

interface TeamRecordsParts {
  team: Pick<Team, 'list'>;
  rows: Pick<Rows, 'list' | 'approvalsOf' | 'stopsOf'>;
  /** The checks of the operation with this key. */
  checksOf: (key: string) => readonly CheckNote[];
}

/** Loads the team's recipients and notes, and the operations since shortly before the period. */
export async function loadTeamRecords(
  { team, rows, checksOf }: TeamRecordsParts,
  owner: AccountOwner,
  { from }: Bounds,
): Promise<TeamRecords> {
  const recipients: Recipient[] = [];
  const notes: PaymentNote[] = [];
  await eachItem(team, owner, 'recipients', (value) => {
    const parsed = v.safeParse(COLLECTIONS.recipients.value, value);
    if (parsed.success) recipients.push(parsed.output);
  });
  await eachItem(team, owner, 'notes', (value) => {
    const parsed = v.safeParse(COLLECTIONS.notes.value, value);
    if (parsed.success) notes.push(parsed.output);
  });
  const operations: TeamRecords['operations'][number][] = [];
  for (let cursor: string | null = null; ;) {
    const { service, account } = owner;
    const query = {
      service,
      account,
      states: null,
      kind: 'withdrawal' as const,
      about: null,
      cursor,
      limit: LIMIT_MAX,
    };
    const page = await rows.list(query);
    const keys = page.rows.flatMap(({ record }) => (record?.approval === undefined ? [] : record.key));
    const approvals = groupBy(await rows.approvalsOf(keys), ({ key }) => key);
    const signed = page.rows.flatMap(({ record }) => (record?.signed === undefined ? [] : record.key));
    const stops = new Map((await rows.stopsOf(signed)).map((stop) => [stop.key, stop]));
    let oldest = Infinity;
    for (const { record } of page.rows) {
      if (record === undefined) continue;
      // Service, account and credential must not leave the server.
      const { service: _, account: __, credential: ___, ...operation } = record;
      const approved = (approvals.get(record.key) ?? []).map(({ person, name, at }) => ({
        person,
        name,
        at: Math.floor(at / 1_000),
      }));
      const stop = stops.get(record.key);
      const stopped = stop && { stopped: stoppedView(stop) };
      operations.push({ operation, checks: checksOf(record.key), approved, ...stopped });
      oldest = record.firstSent.service;
    }
    if (page.next === null || oldest < from - BEFORE) return { recipients, notes, operations };
    cursor = page.next;
  }
}
