import { createHash } from 'node:crypto';
import { authorName } from '#src/shared/author.ts';
import type { Queries } from '#src/server/database/sql.ts';
import type { AccountOwner } from '#src/server/operations/ports.ts';
import type { StoredItem } from '#src/server/team/items.ts';
import type { Statements } from '#src/server/team/statements.ts';
import * as v from 'valibot';
import { closingOfJob } from '#src/shared/contract/monthJobContract.ts';
import { closedPeriodSchema } from '#src/shared/contract/statementContract.ts';
import { parseExact } from '#src/shared/json/exactJson.ts';
import { decodeText } from '#src/shared/files/decodeText.ts';
import { freezePeriod, type RateFile, RATES_FILE } from '#src/shared/statement/freezePeriod.ts';
import { fileBytes } from '#src/shared/statement/lines.ts';
import { type Bounds, periodName } from '#src/shared/statement/period.ts';
import { readRates } from '#src/shared/statement/rates.ts';
import { seriesZone } from '#src/shared/statement/seriesZone.ts';
import type { TeamRecords } from '#src/shared/statement/teamRecords.ts';
import type { JobActor, MonthRow } from './jobRows.ts';
import { openReading } from './openReading.ts';
import { JobStopped } from './pageReader.ts';

export interface ClosingParts {
  queries: Queries;
  statements: Pick<Statements, 'list' | 'item' | 'close'>;
  loadTeamRecords: (owner: AccountOwner, bounds: Bounds) => Promise<TeamRecords>;
}

interface CloseInput {
  /** A prepared period. */
  job: MonthRow;
  /** The bytes of the rate file. */
  rates: Uint8Array | null;
}

/** `moved`: another period was closed meanwhile (`item`), or a new reading is needed (null). */
export type CloseResult =
  | { kind: 'closed'; item: StoredItem }
  | { kind: 'moved'; item: StoredItem | null }
  | { kind: 'refused'; why: string };

/**
 * Freezes a period from the reading of its job and closes it. A repeated call with the same rates returns the same item;
 * the first of several wins. Throws SessionEnded or NotPermitted.
 */
export async function closeMonth(parts: ClosingParts, actor: JobActor, input: CloseInput): Promise<CloseResult> {
  const { queries, statements, loadTeamRecords } = parts;
  const { job, rates: bytes } = input;
  const { request, progress } = job;
  const rates = bytes === null ? null : ratesIn(bytes);
  if (rates !== null && 'why' in rates) return { kind: 'refused', why: rates.why };
  const closing = closingOfJob(job.id);
  const resultOf = (item: StoredItem): CloseResult => ({
    kind: isOwnClose(item, closing, actor, bytes) ? 'closed' : 'moved',
    item,
  });
  const number = request.closed + 1;
  const existing = await statements.item(actor, { number });
  if (existing !== null) return resultOf(existing);
  const bounds = { from: request.from, to: request.to };
  if (progress.month === null || bounds.to > progress.month.asOf)
    return { kind: 'refused', why: 'The period was not over when it was read.' };
  const closed = await statements.list(actor);
  const last = closed.at(-1);
  if (closed.length !== request.closed || (last !== undefined && last.to !== bounds.from))
    return { kind: 'moved', item: null };
  const zone = seriesZone(closed);
  const reading = await readingOf(queries, actor, job);
  if (reading === null) return { kind: 'moved', item: null };
  const { period, zip } = await freezePeriod({
    ...reading,
    name: periodName(bounds, zone),
    number,
    zone,
    session: { service: actor.service, account: actor.account, name: authorName(actor) || null },
    closing,
    records: await loadTeamRecords(actor, bounds),
    rates,
  });
  const saved = await statements.close(actor, period, zip);
  if (saved.kind === 'full') return { kind: 'refused', why: 'No more periods can be closed on this account.' };
  return saved.item === null ? { kind: 'moved', item: null } : resultOf(saved.item);
}

/** Null if the reading was deleted or lacks the check. */
async function readingOf(queries: Queries, actor: JobActor, job: MonthRow) {
  try {
    const { month, checked } = await openReading(queries, actor, job.id);
    return checked === null ? null : { month, checked };
  } catch (error) {
    if (error instanceof JobStopped) return null;
    throw error;
  }
}

/** Whether this person closed the period from this reading with these rates, so that the request is a repetition. */
function isOwnClose({ who, value }: StoredItem, closing: string, actor: JobActor, rates: Uint8Array | null): boolean {
  const period = v.parse(closedPeriodSchema, parseExact(value));
  const hash = rates === null ? undefined : createHash('sha256').update(rates).digest('hex');
  const stored = period.files.find(({ name }) => name === RATES_FILE)?.sha256;
  return period.closing === closing && who === actor.who && stored === hash;
}

function ratesIn(bytes: Uint8Array): RateFile | { why: string } {
  const read = readRates(decodeText(bytes).text);
  if ('rates' in read) return { rates: read.rates, bytes: fileBytes(bytes) };
  const [fault] = read.faults;
  const line = fault?.line == null ? '' : `Line ${fault.line}: `;
  return { why: `These rates can’t be used. ${line}${fault?.text ?? ''}` };
}
