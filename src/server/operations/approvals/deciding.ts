import { authorOf } from '#src/shared/author.ts';
import type { Decided, DecisionRequest } from '#src/shared/contract/approvalsContract.ts';
import type { OperationView } from '#src/shared/contract/gatewayContract.ts';
import { groupBy } from '#src/shared/groupBy.ts';
import type { OperationRecord } from '#src/shared/operations/record.ts';
import { mayHavePaid } from '#src/shared/operations/states.ts';
import { isProgramFault } from '#src/server/database/sql.ts';
import { waitsForApproval } from '#src/shared/operations/stateMark.ts';
import type { Act } from '#src/server/activity/activityLog.ts';
import { signedPaymentOf } from '#src/server/operations/contentHash.ts';
import { step } from '#src/server/operations/engine.ts';
import type { Journal } from '#src/server/operations/journal.ts';
import { actBy, operationAct } from '#src/server/operations/operationActs.ts';
import {
  type OperationActor,
  instantOf,
  isOf,
  keyOf,
  type OperationRow,
  type Ports,
  type RecordChange,
  type Sender,
  type WriteTransaction,
} from '#src/server/operations/ports.ts';
import { endBatch } from '#src/server/operations/batches/endBatch.ts';
import { withEnoughApprovals } from './enoughApprovals.ts';
import { comparedSince } from '#src/server/operations/paidOutside.ts';
import type { WithdrawalList, WithdrawalsReader } from '#src/server/operations/withdrawalList.ts';
import type { Starting } from '#src/server/operations/starting.ts';

type Approve = Extract<DecisionRequest, { decision: 'approve' }>;
type Refuse = Exclude<DecisionRequest, Approve>;

/** The result for one payment. `problem`: why it wasn't decided or sent; null if it was. */
interface Outcome {
  key: string;
  recorded: boolean;
  problem: string | null;
  /** The record after the decision; null if the account has no such payment. */
  record: OperationRecord | null;
}

export interface DecidingParts {
  journal: Journal;
  starting: Starting;
  readWithdrawals: WithdrawalsReader;
  views: (actor: OperationActor, records: readonly OperationRecord[]) => Promise<OperationView[]>;
}

const NOT_HERE = 'There is no such payment.';

/** Approves, rejects and stops payments that somebody else prepared. */
export function createDeciding(ports: Ports, { journal, starting, readWithdrawals, views }: DecidingParts) {
  const { rows, service, checkSignature } = ports;
  const isOwn = (row: OperationRow, account: string): boolean => isOf(row, { service: service.name, account });

  return { itemsOf, approve, reject, stop };

  /** The content hashes that an approver signs; null if one of the keys isn't a signed payment of this account. */
  async function itemsOf(account: string, keys: readonly string[]): Promise<string[] | null> {
    const found = (await rows.byKeys(keys)).filter((row) => isOwn(row, account));
    const items = found.flatMap(({ record }) => (record && signedPaymentOf(record)?.contentHash) ?? []);
    return items.length === new Set(keys).size ? items : null;
  }

  /** Records the approvals, then sends the payments that have enough. Returns a fault if the signature is invalid. */
  async function approve(actor: Sender, request: Approve): Promise<Decided | { fault: string }> {
    const { person, session, account } = actor;
    if (checkSignature === undefined || person === null || session === null)
      return { fault: 'Nobody approves payments here.' };
    const { seen, proof, not_after: notAfter } = request;
    const keys = [...new Set(request.keys)];
    const items = await itemsOf(account, keys);
    if (items === null) return { fault: 'One of these payments isn’t here.' };
    const signature = await checkSignature({ person, session }, { decision: 'approve', items, seen }, proof);
    if ('fault' in signature) return signature;
    const approved = await decide(actor, 'approve', keys, async (transaction, records) => {
      const outcomes = records.map((record) => outcomeOf(record, whyNotApprovable(record, actor)));
      const counting = recordsOf(outcomes.filter(({ recorded }) => recorded));
      if (counting.length > 0) await transaction.insertSignature(signature, counting);
      for (const act of actsOn(counting, 'approved')) await transaction.note(actBy(actor, service.name), act);
      return outcomes;
    });
    return decidedOf(actor, await sendApproved(actor, approved, notAfter));
  }

  /** Ends the payments as not sent. This is final. */
  async function reject(actor: OperationActor, { keys, reason }: Refuse): Promise<Decided> {
    const { person, session } = actor;
    if (person === null || session === null) throw new TypeError('Nobody rejects payments here.');
    const rejected = await decide(actor, 'decide', [...new Set(keys)], async (transaction, records) => {
      const at = instantOf(actor, await transaction.facts());
      const changes: RecordChange[] = [];
      const outcomes = records.map((before): Outcome => {
        const { record: next, ...refused } = step(before, { type: 'reject', ...authorOf(actor), words: reason }, at);
        const problem = whyNotRejectable(before, actor) ?? ('rejection' in refused ? refused.rejection : null);
        if (problem !== null || next === null) return outcomeOf(before, problem);
        changes.push({ next, before });
        return outcomeOf(next, null);
      });
      if (changes.length === 0) return outcomes;
      const ended = changes.map(({ next }) => next);
      await transaction.replaceAll(changes);
      await transaction.insertRejection({ decision: 'reject', person, session, reason }, ended);
      for (const act of actsOn(ended, 'rejected', reason)) await transaction.note(actBy(actor, service.name), act);
      for (const id of new Set(ended.flatMap(({ batch }) => batch?.id ?? [])))
        await endBatch(transaction, id, { why: 'rejected', at, endsRun: true });
      return outcomes;
    });
    return decidedOf(actor, rejected);
  }

  /** Ends the resends of unconfirmed payments: they can only be checked or closed from now on. */
  async function stop(actor: OperationActor, { keys, reason }: Refuse): Promise<Decided> {
    const { person, session } = actor;
    if (person === null || session === null) throw new TypeError('Nobody stops payments here.');
    const stopped = await decide(actor, 'decide', [...new Set(keys)], async (transaction, records) => {
      const before = new Set((await transaction.stopsOf(keys)).map(({ key }) => key));
      const outcomes = records.map((record) => outcomeOf(record, whyNotStoppable(record, before)));
      const stopping = recordsOf(outcomes.filter(({ recorded }) => recorded));
      if (stopping.length === 0) return outcomes;
      await transaction.insertRejection({ decision: 'stop', person, session, reason }, stopping);
      for (const record of stopping)
        await transaction.note(actBy(actor, service.name), operationAct('operation.stopped', record, reason));
      return outcomes;
    });
    return decidedOf(actor, stopped);
  }

  /** One transaction for all. The outcomes are in the order of the keys. */
  function decide(
    actor: OperationActor,
    ability: 'approve' | 'decide',
    keys: readonly string[],
    work: (transaction: WriteTransaction, records: readonly OperationRecord[]) => Promise<Outcome[]>,
  ): Promise<Outcome[]> {
    const decideIn = async (transaction: WriteTransaction): Promise<Outcome[]> => {
      const found = (await transaction.byKeys(keys)).filter((row) => isOwn(row, actor.account));
      const outcomes = await work(
        transaction,
        found.flatMap(({ record }) => record ?? []),
      );
      const byKey = new Map(outcomes.map((outcome) => [outcome.key, outcome]));
      return keys.map((key) => byKey.get(key) ?? { key, recorded: false, problem: NOT_HERE, record: null });
    };
    return journal.writeFor(actor, ability, decideIn, () => null);
  }

  /** Sends the single payments that have enough approvals, one after the other. An operator starts batches. */
  async function sendApproved(
    actor: Sender,
    approved: readonly Outcome[],
    notAfter: number,
  ): Promise<readonly Outcome[]> {
    const waiting = recordsOf(approved.filter(({ recorded }) => recorded)).filter(waitsForApproval);
    const ready = await withEnoughApprovals(rows, waiting);
    const since = Math.min(...ready.map(comparedSince));
    let list: Promise<WithdrawalList> | null = null;
    const readOnce = () => (list ??= readWithdrawals(actor, since, 0));
    const problems = new Map<string, string | null>();
    for (const record of ready)
      problems.set(record.key, await sendApprovedPayment(actor, record, { notAfter, readOnce }));
    if (problems.size === 0) return approved;
    // Sending has changed these records.
    const now = new Map((await rows.byKeys([...problems.keys()])).map((row) => [keyOf(row), row.record]));
    return approved.map((outcome) => ({
      ...outcome,
      problem: problems.get(outcome.key) ?? outcome.problem,
      record: now.get(outcome.key) ?? outcome.record,
    }));
  }

  /** Why it wasn't sent; null if it was. */
  async function sendApprovedPayment(
    actor: Sender,
    record: OperationRecord,
    { notAfter, readOnce }: { notAfter: number; readOnce: () => Promise<WithdrawalList> },
  ): Promise<string | null> {
    try {
      const sent = await starting.send(actor, record, { notAfter, ability: 'decide' }, readOnce);
      return sent.record === null ? sent.rejection : null;
    } catch (error) {
      // A database error must not hide the results of the other payments.
      if (isProgramFault(error)) throw error;
      return 'It is approved. Open it to see whether it was sent.';
    }
  }

  async function decidedOf(actor: OperationActor, outcomes: readonly Outcome[]): Promise<Decided> {
    const now = new Map((await views(actor, recordsOf(outcomes))).map((view) => [view.operation.key, view]));
    return {
      data: outcomes.map(({ key, recorded, problem }) => ({ key, recorded, problem, view: now.get(key) ?? null })),
    };
  }
}

function outcomeOf(record: OperationRecord, problem: string | null): Outcome {
  return { key: record.key, recorded: problem === null, problem, record };
}

function recordsOf(outcomes: readonly Outcome[]): OperationRecord[] {
  return outcomes.flatMap(({ record }) => record ?? []);
}

/** A line of the activity for each payment, and one for all lines of a batch. */
function actsOn(records: readonly OperationRecord[], done: 'approved' | 'rejected', words?: string): Act[] {
  const singles = records.filter(({ batch }) => batch === undefined);
  const lines = groupBy(
    records.filter(({ batch }) => batch !== undefined),
    ({ batch }) => batch?.id ?? '',
  );
  return [
    ...singles.map((record) => operationAct(`operation.${done}`, record, words)),
    ...[...lines].map(([subject, { length }]) => ({
      kind: `batch.${done}` as const,
      subject,
      facts: { payments: String(length), ...(words === undefined ? {} : { words }) },
    })),
  ];
}

/** Why this person can't approve it; null if they can. */
function whyNotApprovable(record: OperationRecord, { person }: OperationActor): string | null {
  if (record.signed === undefined) return 'It needs no approval.';
  if (record.signed.maker === person) return 'You prepared it yourself, so somebody else has to approve it.';
  return record.state === 'awaiting' || record.state === 'unconfirmed' ? null : whyOver(record);
}

function whyNotRejectable(record: OperationRecord, { person }: OperationActor): string | null {
  if (record.signed?.maker === person) return 'It is your own: withdraw it instead.';
  return record.approval !== undefined && record.state === 'awaiting' ? null : whyOver(record);
}

/** `stopped`: keys of payments whose resends were stopped before. */
function whyNotStoppable(record: OperationRecord, stopped: ReadonlySet<string>): string | null {
  if (record.signed === undefined) return 'Nobody signed it, so nothing sends it again.';
  if (record.state !== 'unconfirmed')
    return record.state === 'sending' ? 'It is being sent.' : 'Only what is unconfirmed is sent again.';
  return stopped.has(record.key) ? 'Its resends were stopped already.' : null;
}

function whyOver({ state }: OperationRecord): string {
  if (state === 'not-sent') return 'It has ended already: nothing was sent.';
  return mayHavePaid({ state }) ? 'It is being sent, or was sent.' : 'It no longer needs approval.';
}
