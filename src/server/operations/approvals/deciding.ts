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
  type Actor,
  instantOf,
  isOf,
  type OperationRow,
  type Ports,
  type Sender,
  type WriteTransaction,
} from '#src/server/operations/ports.ts';
import type { Starting } from '#src/server/operations/starting.ts';

type Approve = Extract<DecisionRequest, { decision: 'approve' }>;
type Reject = Extract<DecisionRequest, { decision: 'reject' }>;

/** What became of one payment: why it wasn't decided or sent, null otherwise. */
interface Outcome {
  key: string;
  recorded: boolean;
  problem: string | null;
}

export interface DecidingParts {
  journal: Journal;
  starting: Starting;
  views: (actor: Actor, records: readonly OperationRecord[]) => Promise<OperationView[]>;
}

const NOT_HERE = 'There is no such payment.';

/** What people decide about payments of others. */
export function createDeciding(ports: Ports, { journal, starting, views }: DecidingParts) {
  const { rows, service, checkSignature } = ports;
  const isOwn = (row: OperationRow, account: string): boolean => isOf(row, { service: service.name, account });

  return { itemsOf, approve, reject };

  /** What an approver signs of these payments; null if one of them isn't a signed payment of this account. */
  async function itemsOf(account: string, keys: readonly string[]): Promise<string[] | null> {
    const found = (await rows.byKeys(keys)).filter((row) => isOwn(row, account));
    const items = found.flatMap(({ record }) => (record && signedPaymentOf(record)?.contentHash) ?? []);
    return items.length === new Set(keys).size ? items : null;
  }

  /** Records the approval of each, then sends those that have enough. A fault: the signature doesn't count. */
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
    const approved = await decide(actor, keys, async (transaction, records) => {
      const outcomes = records.map((record) => outcomeOf(record.key, whyNotApprovable(record, actor)));
      const counting = records.filter((_, at) => outcomes[at]?.recorded);
      if (counting.length > 0) await transaction.insertSignature(signature, counting);
      for (const act of actsOn(counting, 'approved')) await transaction.note(actBy(actor, service.name), act);
      return outcomes;
    });
    const problems = await sendApproved(actor, approved, notAfter);
    return decidedOf(
      actor,
      approved.map((outcome) => ({ ...outcome, problem: problems.get(outcome.key) ?? outcome.problem })),
    );
  }

  /** Each ends as not sent, for ever. */
  async function reject(actor: Actor, { keys, reason }: Reject): Promise<Decided> {
    const { person, session } = actor;
    if (person === null || session === null) throw new TypeError('Nobody rejects payments here.');
    const rejected = await decide(actor, [...new Set(keys)], async (transaction, records) => {
      const at = instantOf(actor, await transaction.facts());
      const ended: OperationRecord[] = [];
      const outcomes: Outcome[] = [];
      for (const record of records) {
        const next = step(record, { type: 'reject', who: actor.who, words: reason }, at);
        const problem = whyNotRejectable(record, actor) ?? (next.record === null ? next.rejection : null);
        outcomes.push(outcomeOf(record.key, problem));
        if (problem !== null || next.record === null) continue;
        await transaction.replace(next.record, record);
        ended.push(next.record);
      }
      if (ended.length > 0) await transaction.insertRejection({ person, session, reason }, ended);
      for (const act of actsOn(ended, 'rejected', reason)) await transaction.note(actBy(actor, service.name), act);
      for (const id of new Set(ended.flatMap(({ batch }) => batch?.id ?? []))) await endBatch(transaction, id);
      return outcomes;
    });
    return decidedOf(actor, rejected);
  }

  /** One transaction for all. The outcomes are in the order of the keys. */
  function decide(
    actor: Actor,
    keys: readonly string[],
    work: (transaction: WriteTransaction, records: readonly OperationRecord[]) => Promise<Outcome[]>,
  ): Promise<Outcome[]> {
    const decideIn = async (transaction: WriteTransaction): Promise<Outcome[]> => {
      const found = (await transaction.byKeys(keys)).filter((row) => isOwn(row, actor.account));
      const outcomes = await work(
        transaction,
        found.flatMap(({ record }) => record ?? []),
      );
      return keys.map((key) => outcomes.find((one) => one.key === key) ?? outcomeOf(key, NOT_HERE));
    };
    return journal.writeFor(actor, 'approve', decideIn, () => null);
  }

  /** A batch of which nothing is left to send is over. */
  async function endBatch({ batches }: WriteTransaction, id: string): Promise<void> {
    const batch = await batches.batch(id);
    if (batch === null || batch.state === 'running' || (await batches.nextLine(id, 0)) !== null) return;
    await batches.replaceBatch(batch, { state: 'stopped', why: 'person', whyLine: null, run: null });
  }

  /** Sends those that have enough approvals, one after the other; why not, by key. An operator starts a batch. */
  async function sendApproved(
    actor: Sender,
    approved: readonly Outcome[],
    notAfter: number,
  ): Promise<ReadonlyMap<string, string>> {
    const keys = approved.flatMap(({ key, recorded }) => (recorded ? key : []));
    const waiting = (await rows.byKeys(keys)).flatMap(({ record }) =>
      record && waitsForApproval(record) ? record : [],
    );
    const approvers = groupBy(await rows.approvalsOf(waiting.map(({ key }) => key)), ({ key }) => key);
    const problems = new Map<string, string>();
    for (const record of waiting) {
      if ((approvers.get(record.key)?.length ?? 0) < (record.approval?.needs ?? 0)) continue;
      const problem = await whyNotSent(actor, record, notAfter);
      if (problem !== null) problems.set(record.key, problem);
    }
    return problems;
  }

  async function whyNotSent(actor: Sender, record: OperationRecord, notAfter: number): Promise<string | null> {
    try {
      const sent = await starting.send(actor, record, { notAfter, ability: 'approve' });
      return sent.record === null ? sent.rejection : null;
    } catch (error) {
      // The others are told what became of theirs all the same.
      if (isProgramFault(error)) throw error;
      return 'It is approved. Open it to see whether it was sent.';
    }
  }

  async function decidedOf(actor: Actor, outcomes: readonly Outcome[]): Promise<Decided> {
    const found = await rows.byKeys(outcomes.map(({ key }) => key));
    const records = found.filter((row) => isOwn(row, actor.account)).flatMap(({ record }) => record ?? []);
    const now = new Map((await views(actor, records)).map((view) => [view.operation.key, view]));
    return { data: outcomes.map((outcome) => ({ ...outcome, view: now.get(outcome.key) ?? null })) };
  }
}

function outcomeOf(key: string, problem: string | null): Outcome {
  return { key, recorded: problem === null, problem };
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
function whyNotApprovable(record: OperationRecord, { person }: Actor): string | null {
  if (record.signed === undefined) return 'It takes no approval.';
  if (record.signed.maker === person) return 'You prepared it yourself, so somebody else has to approve it.';
  return record.state === 'awaiting' || record.state === 'unconfirmed' ? null : whyOver(record);
}

function whyNotRejectable(record: OperationRecord, { person }: Actor): string | null {
  if (record.signed?.maker === person) return 'It is your own: withdraw it instead.';
  return record.approval !== undefined && record.state === 'awaiting' ? null : whyOver(record);
}

function whyOver({ state }: OperationRecord): string {
  if (state === 'not-sent') return 'It has ended already: nothing was sent.';
  return mayHavePaid({ state }) ? 'It is being sent, or was sent.' : 'It waits for no approval any more.';
}
