import type {
  Approval,
  ApprovalList,
  DecisionRequest,
  Decided,
  Unusual,
} from '#src/shared/contract/approvalsContract.ts';
import { KIND } from '#src/shared/operations/kinds.ts';
import type { OperationRecord } from '#src/shared/operations/record.ts';
import { waitsForApproval } from '#src/shared/operations/stateMark.ts';
import { needWords } from '#src/shared/policy/needWords.ts';
import { counted } from '#src/shared/text.ts';
import type { OperationView } from '#src/shared/contract/gatewayContract.ts';
import { carriedOn, startableSeconds } from '#src/server/operations/clocks.ts';
import { signedPaymentOf } from '#src/server/operations/contentHash.ts';
import { step } from '#src/server/operations/engine.ts';
import type { Journal } from '#src/server/operations/journal.ts';
import { lookAlikes } from '#src/server/operations/lookAlikes.ts';
import { actBy, operationAct } from '#src/server/operations/operationActs.ts';
import {
  type AccountOwner,
  type Actor,
  instantOf,
  isOf,
  keyOf,
  type OperationRow,
  type Ports,
  type Sender,
  type WriteTransaction,
} from '#src/server/operations/ports.ts';
import { duplicateKeyOfRecord } from '#src/server/operations/rowText.ts';
import type { Starting } from '#src/server/operations/starting.ts';

/** Of the list: those that wait, and those decided lately. */
const MOST_LISTED = 200;
const MOST_DECIDED = 50;
const MOST_EARLIER = 3;
/** A payment that was rejected or withdrawn is shown beside the same one this long. */
const REMEMBERED_MS = 30 * 24 * 60 * 60 * 1_000;

type Decision = Decided['data'][number];
type Approve = Extract<DecisionRequest, { decision: 'approve' }>;
type Reject = Extract<DecisionRequest, { decision: 'reject' }>;

export interface ApprovalsParts {
  journal: Journal;
  starting: Starting;
  settle: (actor: Actor, record: OperationRecord) => Promise<OperationRecord>;
  view: (actor: Actor, record: OperationRecord) => Promise<OperationView>;
}

export type Approvals = ReturnType<typeof createApprovals>;

/** Payments that wait for other people, and what these decide. */
export function createApprovals(ports: Ports, { journal, starting, settle, view }: ApprovalsParts) {
  const { rows, service, separateAccounts, checkSignature } = ports;
  const ownerOf = ({ account }: Actor): AccountOwner => ({ service: service.name, account });

  return {
    list: async (actor: Actor): Promise<ApprovalList> => {
      const { waiting, decided } = await rows.approvalRows(ownerOf(actor), MOST_LISTED);
      const settled: OperationRecord[] = [];
      for (const { record } of waiting) if (record) settled.push(await settle(actor, record));
      const open = settled.filter(waitsForApproval);
      const over = [...settled.filter((record) => !waitsForApproval(record)), ...decided.flatMap(recordIn)];
      const approvals: Approval[] = [];
      for (const record of open) approvals.push(await approvalOf(actor, record));
      const views: OperationView[] = [];
      for (const record of over.slice(0, MOST_DECIDED)) views.push(await view(actor, await settle(actor, record)));
      return { waiting: approvals.toSorted((a, b) => a.expires_at - b.expires_at), decided: views };
    },

    /** Null: no such operation here, or one that nobody approves. */
    find: async (actor: Actor, key: string): Promise<Approval | null> => {
      const found = await journal.find(actor, key);
      if (found.kind !== 'record' || found.record.approval === undefined) return null;
      return approvalOf(actor, await settle(actor, found.record));
    },

    /** What an approver signs of these payments; null if one of them isn't a signed payment of this account. */
    itemsOf: async (account: string, keys: readonly string[]): Promise<string[] | null> => {
      const items: string[] = [];
      for (const key of keys) {
        const record = (await rows.byKey(key))?.record;
        const payment =
          record && isOf({ record, duplicateKey: '', seq: 0n }, { service: service.name, account })
            ? signedPaymentOf(record)
            : null;
        if (payment === null) return null;
        items.push(payment.contentHash);
      }
      return items;
    },

    approve,
    reject,
  };

  /** Records the approval of each, then sends those that have enough. A fault: the signature doesn't count. */
  async function approve(actor: Sender, request: Approve): Promise<Decided | { fault: string }> {
    const { person, session } = actor;
    if (checkSignature === undefined || person === null || session === null)
      return { fault: 'Nobody approves payments here.' };
    const { keys, seen, proof, not_after: notAfter } = request;
    const records = await recordsOf(actor, keys);
    const items = records.flatMap((record) => (record && signedPaymentOf(record)?.contentHash) ?? []);
    if (items.length < keys.length) return { fault: 'One of these payments isn’t here.' };
    const signature = await checkSignature({ person, session }, { decision: 'approve', items, seen }, proof);
    if ('fault' in signature) return signature;
    const done = await decide(
      actor,
      keys,
      async (transaction, record) => {
        const why = whyNotApprovable(record, actor);
        if (why !== null) return why;
        await transaction.note(actBy(actor, service.name), operationAct('operation.approved', record));
        return record;
      },
      (transaction, approved) => transaction.insertSignature(signature, approved),
    );
    const decided: Decision[] = [];
    for (const { key, problem } of done) {
      const problemOfSending = problem === null ? await sendIfApproved(actor, key, notAfter) : null;
      decided.push(await decisionOf(actor, key, { recorded: problem === null, problem: problem ?? problemOfSending }));
    }
    return { data: decided };
  }

  /** Each ends as not sent, for ever. */
  async function reject(actor: Actor, { keys, reason }: Reject): Promise<Decided> {
    const { person, session } = actor;
    if (person === null || session === null) throw new TypeError('Nobody rejects payments here.');
    const done = await decide(
      actor,
      keys,
      async (transaction, record) => {
        if (record.signed?.maker === person) return 'It is your own: withdraw it instead.';
        if (!waitsForApproval(record)) return 'It waits for no approval any more.';
        const at = instantOf(actor, await transaction.facts());
        const next = step(record, { type: 'reject', who: actor.who, words: reason }, at);
        if (next.record === null) return next.rejection;
        await transaction.replace(next.record, record);
        await transaction.note(actBy(actor, service.name), operationAct('operation.rejected', next.record, reason));
        return record;
      },
      (transaction, rejected) => transaction.insertRejection({ person, session, reason }, rejected),
    );
    const decided: Decision[] = [];
    for (const { key, problem } of done)
      decided.push(await decisionOf(actor, key, { recorded: problem === null, problem }));
    return { data: decided };
  }

  /** One transaction for all. `decideOn`: the record, or why it can't be decided; `write`: keeps the decision of the others. */
  function decide(
    actor: Actor,
    keys: readonly string[],
    decideOn: (transaction: WriteTransaction, record: OperationRecord) => Promise<OperationRecord | string>,
    write: (transaction: WriteTransaction, decided: readonly OperationRecord[]) => Promise<void>,
  ): Promise<{ key: string; problem: string | null }[]> {
    const work = async (transaction: WriteTransaction) => {
      const decided: OperationRecord[] = [];
      const results: { key: string; problem: string | null }[] = [];
      for (const key of new Set(keys)) {
        const row = await transaction.byKey(key);
        const record = row !== null && isOf(row, ownerOf(actor)) ? row.record : undefined;
        const done = record === undefined ? 'There is no such payment.' : await decideOn(transaction, record);
        if (typeof done !== 'string') decided.push(done);
        results.push({ key, problem: typeof done === 'string' ? done : null });
      }
      if (decided.length > 0) await write(transaction, decided);
      return results;
    };
    return journal.writeFor(actor, 'approve', work, () => null);
  }

  /** Why a payment that has enough approvals wasn't sent; null if it was, or needs more. */
  async function sendIfApproved(actor: Sender, key: string, notAfter: number): Promise<string | null> {
    const record = (await rows.byKey(key))?.record;
    if (record === undefined || !waitsForApproval(record)) return null;
    const approved = await rows.approvalsOf([key]);
    if (approved.length < (record.approval?.needs ?? 0)) return null;
    const sent = await starting.send(actor, record, { notAfter, ability: 'approve' });
    return sent.record === null ? sent.rejection : null;
  }

  async function decisionOf(
    actor: Actor,
    key: string,
    done: Pick<Decision, 'recorded' | 'problem'>,
  ): Promise<Decision> {
    const found = await journal.find(actor, key);
    return { key, ...done, view: found.kind === 'record' ? await view(actor, found.record) : null };
  }

  async function recordsOf(actor: Actor, keys: readonly string[]): Promise<(OperationRecord | null)[]> {
    const found = await Promise.all(keys.map((key) => rows.byKey(key)));
    return found.map((row) => (row !== null && isOf(row, ownerOf(actor)) ? (row.record ?? null) : null));
  }

  async function approvalOf(actor: Actor, record: OperationRecord): Promise<Approval> {
    const facts = await rows.facts();
    const now = carriedOn(record.lastSent, instantOf(actor, facts));
    const maker = record.signed?.maker ?? '';
    const need = await rows.needOf(record, now);
    const operationView = await view(actor, record);
    const same = (await rows.byDuplicateKey(duplicateKeyOfRecord(record), null)).filter(
      (row) => keyOf(row) !== record.key,
    );
    const approvers = (await rows.approversOf(actor.account)).filter(
      ({ person }) => person !== maker && !operationView.approved.some((one) => one.person === person),
    );
    return {
      view: operationView,
      maker: { person: maker, name: (await rows.nameOf(maker)) ?? record.who ?? '' },
      why: (need?.why ?? []).map(needWords),
      unusual: unusualOf(record, same, { now, facts, policy: need?.policy ?? null }),
      expires_at: (record.recorded ?? record.firstSent).database + startableSeconds(record) * 1_000,
      approvers,
      earlier: same
        .flatMap(recordIn)
        .filter((one) => isOf({ record: one, duplicateKey: '', seq: 0n }, record) && one.state === 'succeeded')
        .slice(-MOST_EARLIER)
        .toReversed()
        .flatMap((one) => {
          const { amount, asset } = KIND[one.kind].aboutOf(one);
          return amount === null || asset === null ? [] : { key: one.key, amount, asset, at: one.firstSent.service };
        }),
    };
  }

  /** `same`: all other rows with its duplicate key. */
  function unusualOf(
    record: OperationRecord,
    same: readonly OperationRow[],
    {
      now,
      facts,
      policy,
    }: { now: OperationRecord['firstSent']; facts: Awaited<ReturnType<typeof rows.facts>>; policy: number | null },
  ): Unusual[] {
    const own = same.filter((row) => isOf(row, record)).flatMap(recordIn);
    const found = lookAlikes(
      same,
      { ...record, secondSendOf: [], now: record.recorded ?? now, separateAccounts },
      facts,
    );
    const held = same.find((row) => keyOf(row) === found.existing)?.record;
    const { amount } = KIND[record.kind].aboutOf(record);
    const refused = own.filter(
      ({ ending, body }) =>
        (ending?.by === 'reject' || ending?.by === 'discard') &&
        body === record.body &&
        now.server - ending.at < REMEMBERED_MS,
    );
    return [
      ...(own.some(({ state }) => state === 'succeeded')
        ? []
        : [unusual('first-payment', 'first-payment', 'First payment from here to this address.')]),
      ...(held === undefined
        ? []
        : [unusual(held.key, 'look-alike', 'Another payment to this address is not resolved.', held)]),
      ...found.of.map((alike) =>
        record.secondSendOf.includes(alike.id)
          ? unusual(alike.id, 'second-payment', `${alikeWords(alike)} Its maker saw that one.`, recordOf(own, alike.id))
          : unusual(alike.id, 'look-alike', alikeWords(alike), recordOf(own, alike.id)),
      ),
      ...refused.map((one) => {
        const done = one.ending?.by === 'reject' ? 'rejected' : 'withdrawn';
        const words = one.ending?.words ? `: “${one.ending.words}”` : '';
        return unusual(
          `rejected ${one.key}`,
          'rejected-before',
          `The same payment of ${amount ?? ''} was ${done} before${words}.`,
          one,
        );
      }),
      ...(record.approval !== undefined && record.approval.policy !== policy
        ? [unusual('policy-changed', 'policy-changed', 'The policy has changed since it was prepared.')]
        : []),
    ];
  }
}

function recordIn({ record }: OperationRow | { record?: OperationRecord }): OperationRecord[] {
  return record ? [record] : [];
}

function recordOf(records: readonly OperationRecord[], key: string): OperationRecord | undefined {
  return records.find((record) => record.key === key);
}

function unusual(id: string, kind: Unusual['kind'], text: string, about?: OperationRecord): Unusual {
  return { id, kind, text, operation: about?.key ?? null, at: about?.firstSent.service ?? null };
}

function alikeWords({
  source,
  amount,
  count,
  status,
}: {
  source: string;
  amount: string | null;
  count: number | null;
  status: string | null;
}): string {
  if (source === 'others') return `${counted(count ?? 1, 'payment', 'payments')} of other accounts to this address.`;
  if (source === 'set-back') return 'The database was restored: newer payments may be missing.';
  const what = amount === null ? 'Another payment' : `Another payment of ${amount}`;
  return status === 'awaiting' ? `${what} to this address waits for approval.` : `${what} to this address.`;
}

/** Why this person can't approve it; null if they can. */
function whyNotApprovable(record: OperationRecord, { person }: Actor): string | null {
  if (record.approval === undefined || record.signed === undefined) return 'It takes no approval.';
  if (record.signed.maker === person) return 'You prepared it yourself, so somebody else has to approve it.';
  if (waitsForApproval(record) || record.state === 'unconfirmed') return null;
  return 'It waits for no approval any more.';
}
