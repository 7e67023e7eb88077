import { authorOf } from '#src/shared/author.ts';
import type { ApprovalList } from '#src/shared/contract/approvalsContract.ts';
import type { OperationRecord } from '#src/shared/operations/record.ts';
import { type BatchSummary, type BatchView, lineKey } from '#src/shared/contract/batchContract.ts';
import { groupBy } from '#src/shared/groupBy.ts';
import { missingApprovals } from '#src/shared/operations/stateMark.ts';
import type { AttemptRunner } from '#src/server/operations/attempts.ts';
import {
  extrapolateClocks,
  isApprovalOverdue,
  isLeased,
  isWaiting,
  startableSeconds,
  startableUntil,
} from '#src/server/operations/clocks.ts';
import { step } from '#src/server/operations/engine.ts';
import { type Journal, lateness } from '#src/server/operations/journal.ts';
import { operationAct } from '#src/server/operations/operationActs.ts';
import {
  type OperationActor,
  type Batch,
  instantOf,
  type LineCount,
  type OperationRow,
  type Ports,
  type Sender,
  type WriteTransaction,
} from '#src/server/operations/ports.ts';
import { type Ability, abilityToEndBatch } from '#src/shared/permissions.ts';
import type { ApprovedBy } from '#src/server/people/signatures.ts';
import { isLeaseAlive, RUN_LEASE_MS } from './batchRun.ts';
import { endBatch, endIfNothingLeft, endRetries, hasEnded, hasNothingLeft, WITHDRAWN } from './endBatch.ts';
import { pausedBatches } from './pausedBatches.ts';
import { createRecording } from './recording.ts';
import { createRuns } from './running.ts';
import { batchLineView, batchSummary, totalsIn, totalsOf } from './views.ts';

/** A run ends after this long, whatever is left to send. */
const BATCH_RUN_MS = 4 * 60 * 60 * 1_000;

const MOST_WITH_APPROVALS = 50;

/** `why`: null if it was done. */
export type BatchDone = { batch: Batch; why: string | null; moved?: true };

export type Batches = ReturnType<typeof createBatches>;

export function createBatches(ports: Ports, journal: Journal, attempts: AttemptRunner) {
  const { rows, service } = ports;
  const runs = createRuns(ports, journal, attempts);
  const totalsRead = new Map<string, BatchSummary['totals']>();

  async function find(actor: Pick<OperationActor, 'account'>, id: string): Promise<Batch | null> {
    return ownBatch(await rows.batches.batch(id), actor);
  }

  function ownBatch(batch: Batch | null, { account }: Pick<OperationActor, 'account'>): Batch | null {
    return batch?.service === service.name && batch.account === account ? batch : null;
  }

  async function summaries(actor: OperationActor, batches: readonly Batch[]): Promise<BatchSummary[]> {
    const { database: now } = instantOf(actor, await rows.facts());
    const ids = batches.map(({ id }) => id);
    const [counts, totals] = await Promise.all([rows.batches.lineCounts(ids, now), totalsOfBatches(batches)]);
    const current: Batch[] = [];
    for (const batch of batches) current.push(await endedIfNothingLeft(actor, batch, { counts, now }));
    return current.map((batch, index) => ({ ...batchSummary(batch, counts, now), totals: totals[index] ?? [] }));
  }

  /** Ends the batch if nothing of it is left to send. Returns it as it is then. */
  async function endedIfNothingLeft(
    actor: OperationActor,
    batch: Batch,
    { counts, now }: { counts: readonly LineCount[]; now: number },
  ): Promise<Batch> {
    if (!hasNothingLeft(batch, counts, now)) return batch;
    const ended = await rows.write(async (transaction) =>
      endIfNothingLeft(transaction, batch.id, instantOf(actor, await transaction.facts())),
    );
    return ended ?? batch;
  }

  /** Each batch's lines are read once: what is recorded of them never changes. */
  async function totalsOfBatches(batches: readonly Batch[]): Promise<BatchSummary['totals'][]> {
    const unread = batches.filter((batch) => !totalsRead.has(contentOf(batch))).map(({ id }) => id);
    const bodies = groupBy(unread.length === 0 ? [] : await rows.batches.bodiesOf(unread), ({ batch }) => batch);
    return batches.map((batch) => {
      const read = totalsRead.get(contentOf(batch));
      if (read) return read;
      const totals = totalsIn((bodies.get(batch.id) ?? []).map(({ body }) => body));
      if (totals.length > 0) totalsRead.set(contentOf(batch), totals);
      return totals;
    });
  }

  /** The batch's lines, after ending those that were not approved in time and marking as unconfirmed those whose server is gone. */
  async function upToDateLines(actor: OperationActor, id: string): Promise<OperationRow[]> {
    const at = instantOf(actor, await rows.facts());
    const lines = await rows.batches.linesOf(id);
    const records = lines.flatMap(({ record }) => record ?? []);
    const abandoned = records.filter((record) => record.state === 'sending' && !isLeased(record, at.database));
    for (const { key } of abandoned) await journal.advance(actor, key, { type: 'demote' });
    const hasLapsed = records.some((record) => isApprovalOverdue(record, at));
    if (hasLapsed) await endLapsed(actor, id);
    return abandoned.length === 0 && !hasLapsed ? lines : rows.batches.linesOf(id);
  }

  /** Ends the payments of a batch that were not approved in time, as not sent. */
  async function endLapsed(actor: OperationActor, id: string): Promise<void> {
    await rows.write(async (transaction) => {
      const at = instantOf(actor, await transaction.facts());
      const changes = (await transaction.batches.linesOf(id)).flatMap(({ record: before }) => {
        const next = before && step(before, { type: 'lapse' }, at).record;
        return before && next ? { next, before } : [];
      });
      const [first] = changes;
      if (first === undefined) return;
      await transaction.replaceAll(changes);
      const { next } = first;
      const onServer = { service: next.service, account: next.account, person: null, who: null };
      const facts = { payments: String(changes.length) };
      await transaction.note(onServer, { kind: 'batch.lapsed', subject: id, facts });
      await endBatch(transaction, id, { why: 'lapsed', at });
    });
  }

  /** The approvals of the waiting lines; if none waits, those of all lines that weren't left out. */
  function approvalOf(
    lines: readonly OperationRow[],
    approvals: ReadonlyMap<string, readonly ApprovedBy[]>,
  ): BatchView['approval'] {
    const records = lines.flatMap(({ record }) => record ?? []);
    const waiting = records.find(({ state }) => state === 'awaiting');
    if (waiting !== undefined) return approvalOfLine(waiting, approvals.get(waiting.key) ?? []);
    const sent = records.filter(({ state }) => state !== 'not-sent');
    const shown = sent.length > 0 ? sent : records.slice(0, 1);
    return approvalOfLine(
      shown[0],
      shown.flatMap(({ key }) => approvals.get(key) ?? []),
    );
  }

  /** `approvals`: of this line; once it has left, also those of others. */
  function approvalOfLine(line: OperationRecord | undefined, approvals: readonly ApprovedBy[]): BatchView['approval'] {
    if (line?.approval === undefined || line.signed === undefined) return null;
    const counted = line.state === 'awaiting' ? approvals.filter(({ isValid }) => isValid) : approvals;
    const first = new Map(counted.toReversed().map((approval) => [approval.person, approval]));
    return {
      needs: line.approval.needs,
      maker: line.signed.maker,
      approved: [...first.values()]
        .toSorted((a, b) => a.at - b.at)
        .map(({ person, name, at }) => ({ person, name, at: Math.floor(at / 1_000) })),
      expires_at: startableUntil(line),
    };
  }

  async function abilityToEnd(actor: OperationActor, id: string): Promise<Ability> {
    const batch = await find(actor, id);
    return batch === null ? 'stop-batch' : abilityToEndBatch(batch, actor.person);
  }

  /** Changes a batch for a person and logs it in the activity. Null if the account has no such batch. */
  function change(
    actor: OperationActor,
    id: string,
    { ability, act }: { ability: Ability; act: 'batch.started' | 'batch.stopped' | 'batch.withdrawn' },
    work: (batch: Batch, transaction: WriteTransaction) => Promise<BatchDone>,
  ): Promise<BatchDone | null> {
    return journal.writeFor(
      actor,
      ability,
      async (transaction) => {
        const batch = ownBatch(await transaction.batches.batch(id), actor);
        return batch && (await work(batch, transaction));
      },
      (done) => (done?.why === null ? { kind: act, subject: id, facts: {} } : null),
    );
  }

  return {
    ...createRecording(ports, journal),
    find,
    endLapsed,
    runs,

    list: async (actor: OperationActor, page: { cursor: string | null; limit: number }) => {
      const { batches, next } = await rows.batches.batches({ service: service.name, account: actor.account }, page);
      return { data: await summaries(actor, batches), next };
    },

    summaries,

    paused: async (actor: OperationActor): Promise<BatchSummary[]> => {
      const { database: now } = instantOf(actor, await rows.facts());
      return pausedBatches(rows.batches, { service: service.name, account: actor.account }, now);
    },

    view: async (actor: OperationActor, { id }: Batch): Promise<BatchView> => {
      // Settling the lines can end the batch, so read the batch afterwards.
      const settled = await upToDateLines(actor, id);
      const found = await find(actor, id);
      const { database: now } = instantOf(actor, await rows.facts());
      if (found === null) throw new TypeError('A batch is never deleted.');
      const stored = hasEnded(found) ? [] : await rows.batches.lineCounts([id], now);
      const batch = await endedIfNothingLeft(actor, found, { counts: stored, now });
      // If it has ended, a line may have ended after it was read, and no page asks again.
      const lines = hasEnded(batch) ? await rows.batches.linesOf(id) : settled;
      const counts = lines.map(({ record }) => ({
        batch: id,
        isAbandoned: false,
        count: 1,
        state: record?.state ?? ('unconfirmed' as const),
        hours: record?.approval?.hours ?? null,
      }));
      const summary = { ...batchSummary(batch, counts, now), totals: totalsOf(lines) };
      const signed = lines.flatMap(({ record }) => (record?.signed === undefined ? [] : record.key));
      const approvals = groupBy(signed.length === 0 ? [] : await rows.approvalsOf(signed), ({ key }) => key);
      const approvedBy = ({ key }: { key: string }) => (approvals.get(key) ?? []).map(({ name }) => name);
      return {
        batch: summary,
        lines: lines.map((line) => batchLineView(line, approvedBy(line.record ?? line.unreadable))),
        approval: approvalOf(lines, approvals),
        now,
      };
    },

    /** Batches that need approvals, and those that have them and wait to be started for the first time. */
    waitingForPeople: async (actor: OperationActor): Promise<ApprovalList['batches']> => {
      const owner = { service: service.name, account: actor.account };
      const found = await rows.batches.withApprovals(owner, MOST_WITH_APPROVALS);
      const waiting: ApprovalList['batches'] = [];
      for (const batch of await summaries(actor, found)) {
        const line = (await rows.batches.nextLine(batch.id, 0))?.record;
        const approval = approvalOfLine(line, line === undefined ? [] : await rows.approvalsOf([line.key]));
        if (approval === null) continue;
        const isMissing = missingApprovals({ approval }, approval.approved.length) > 0;
        if (isMissing || batch.state === 'waiting') waiting.push({ batch, approval });
      }
      return waiting;
    },

    file: (id: string) => rows.batches.fileOf(id),

    /** Starts or continues the batch: from now on this server sends its lines. */
    start: async (
      actor: Sender,
      id: string,
      request: { revision: number; not_after: number },
    ): Promise<BatchDone | null> => {
      const runId = ports.newAttemptId();
      const done = await change(actor, id, { ability: 'send', act: 'batch.started' }, async (batch, transaction) => {
        const { database: now } = instantOf(actor, await transaction.facts());
        const lines = await transaction.batches.linesOf(id);
        const refused =
          whyNoStart(batch, lines, { actor, now }) ??
          whyLinesWait(lines, actor, now) ??
          lateness(request.not_after, now)?.words ??
          (await whyBatchNotApproved(transaction, lines));
        if (refused !== undefined) return { batch, why: refused };
        if (batch.revision !== request.revision) return { batch, why: 'Meanwhile it went on.', moved: true };
        const run = { id: runId, leaseUntil: now + RUN_LEASE_MS, until: now + BATCH_RUN_MS };
        const started = { state: 'running' as const, why: null, whyLine: null, run };
        return { batch: await transaction.batches.replaceBatch(batch, started), why: null };
      });
      if (done?.why === null) runs.start(actor, done.batch, runId);
      return done;
    },

    /** Sends no further line. A line that is being sent goes on. */
    stop: (actor: OperationActor, id: string): Promise<BatchDone | null> =>
      change(actor, id, { ability: 'stop-batch', act: 'batch.stopped' }, async (batch, transaction) => {
        if (batch.state !== 'running') return { batch, why: 'It is not being sent.' };
        await endRetries(transaction, id, instantOf(actor, await transaction.facts()));
        const stopped = { state: 'paused' as const, why: 'person' as const, whyLine: null, run: null };
        return { batch: await transaction.batches.replaceBatch(batch, stopped), why: null };
      }),

    /** Ends all waiting lines as not sent. */
    withdraw: async (actor: OperationActor, id: string): Promise<BatchDone | null> => {
      const ability = await abilityToEnd(actor, id);
      return change(actor, id, { ability, act: 'batch.withdrawn' }, async (batch, transaction) => {
        if (hasEnded(batch)) return { batch, why: NOTHING_LEFT };
        const at = instantOf(actor, await transaction.facts());
        const lines = (await transaction.batches.linesOf(id)).flatMap(({ record }) => record ?? []);
        const [line] = lines;
        await rejectFor(
          transaction,
          actor,
          lines.filter(({ state }) => state === 'awaiting'),
          WITHDRAWN,
        );
        if (line !== undefined) {
          const words = WITHDRAWN;
          const ending = { by: 'discard' as const, words, ...authorOf(actor), at: at.server, requestId: null };
          await transaction.batches.discardLines(id, { ended: extrapolateClocks(line.lastSent, at), ending });
        }
        await endRetries(transaction, id, at);
        const ended = { state: 'stopped' as const, why: 'person' as const, whyLine: null, run: null };
        return { batch: await transaction.batches.replaceBatch(batch, ended), why: null };
      });
    },

    /** Ends one line as not sent. */
    exclude: async (actor: OperationActor, id: string, line: number): Promise<BatchDone | null> =>
      journal.writeFor(
        actor,
        await abilityToEnd(actor, id),
        async (transaction) => {
          const batch = ownBatch(await transaction.batches.batch(id), actor);
          if (batch === null) return null;
          const record = (await transaction.byKey(lineKey(id, line)))?.record;
          if (record?.batch?.id !== id) return { batch, why: 'It has no such line.' };
          const words = 'Excluded from the batch.';
          const at = instantOf(actor, await transaction.facts());
          const next = step(record, { type: 'discard', ...authorOf(actor), words }, at);
          if (next.record === null) return { batch, why: next.rejection };
          await rejectFor(transaction, actor, [record], words);
          await transaction.replace(next.record, record);
          const now = await endBatch(transaction, id, { why: null, at });
          return { batch: now ?? batch, why: null, excluded: next.record };
        },
        (done) =>
          done?.why === null && done.excluded
            ? operationAct('operation.discarded', done.excluded, done.excluded.ending?.words)
            : null,
      ),
  };
}

/** Cache key. After a set-back of the database, another batch may be recorded under the same id. */
function contentOf({ id, fingerprint }: Batch): string {
  return `${id} ${fingerprint}`;
}

/** Ending somebody else's payments also records a rejection, after which the database refuses to send them. */
async function rejectFor(
  transaction: WriteTransaction,
  { person, session }: OperationActor,
  records: readonly OperationRecord[],
  reason: string,
): Promise<void> {
  if (person === null || session === null) return;
  const others = records.filter(({ signed }) => signed !== undefined && signed.maker !== person);
  if (others.length > 0) await transaction.insertRejection({ decision: 'reject', person, session, reason }, others);
}

const NOTHING_LEFT = 'Nothing of it waits to be sent.';

/** Undefined if it can be started. `now`: the database's clock, ms. */
function whyNoStart(
  { state, run, credential, at }: Batch,
  lines: readonly OperationRow[],
  { actor, now }: { actor: OperationActor; now: number },
): string | undefined {
  if (credential !== actor.credential) return 'It was recorded under another API key.';
  if (hasEnded({ state })) return NOTHING_LEFT;
  const seconds = startableSeconds(lines[0]?.record ?? {});
  if (now - at >= seconds * 1_000)
    return `More than ${seconds / 3_600} hours have passed since it was recorded. Withdraw the rest and make a new batch.`;
  // An expired lease counts as paused: the server that held it sends no more.
  if (state === 'running' && run !== null && isLeaseAlive(run, now)) return 'It is being sent already.';
  return undefined;
}

/** Waiting lines are approved together, so checking the first one is enough. Each is checked again when it is sent. */
async function whyBatchNotApproved(
  transaction: WriteTransaction,
  lines: readonly OperationRow[],
): Promise<string | undefined> {
  const next = lines.find(({ record }) => record?.state === 'awaiting')?.record;
  return next && (await transaction.whyNotApproved(next, next.approval?.needs ?? 0))?.words;
}

/** The next line is sent only after the answer to the last one is written. */
function whyLinesWait(lines: readonly OperationRow[], { clock }: OperationActor, now: number): string | undefined {
  const busy = lines.find(({ record }) => record && (isLeased(record, now) || isWaiting(record, clock.wall())));
  const line = busy?.record?.batch?.line;
  return line === undefined ? undefined : `Line ${line} is still being sent. Wait until it is over.`;
}
