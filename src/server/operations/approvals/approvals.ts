import type { Approval, ApprovalList, Unusual } from '#src/shared/contract/approvalsContract.ts';
import type { EarlierSend, LookAlike } from '#src/shared/contract/gatewayContract.ts';
import { KIND } from '#src/shared/operations/kinds.ts';
import { type OperationRecord, recordedAt } from '#src/shared/operations/record.ts';
import { waitsForApproval } from '#src/shared/operations/stateMark.ts';
import { POLICY_CHANGED, RECIPIENT_CHANGED, refusedWords } from '#src/shared/operations/approvalWords.ts';
import { needWords } from '#src/shared/policy/needWords.ts';
import { isAmount } from '#src/shared/amount.ts';
import { counted, revealHidden, visibleCode } from '#src/shared/text.ts';
import { extrapolateClocks, isApprovalOverdue, startableUntil } from '#src/server/operations/clocks.ts';
import { lookAlikes } from '#src/server/operations/lookAlikes.ts';
import { comparedSince, paidOutside } from '#src/server/operations/paidOutside.ts';
import type { WithdrawalList } from '#src/server/operations/withdrawalList.ts';
import {
  type AccountOwner,
  asSender,
  type OperationActor,
  instantOf,
  isOf,
  type JournalFacts,
  keyOf,
  type OperationRow,
  type Ports,
} from '#src/server/operations/ports.ts';
import { duplicateKeyOfRecord } from '#src/server/operations/rowText.ts';
import type { Batches } from '#src/server/operations/batches/batches.ts';
import { whyUnsendable } from './currentNeed.ts';
import { createDeciding, type DecidingParts } from './deciding.ts';
import { refusedBefore } from './refusedBefore.ts';

/** Waiting payments on one page of the list, oldest first. */
const MOST_LISTED = 200;
const MOST_DECIDED = 50;
/** How old the service's list may be on a page that reloads. Before a payment is sent, the list is always read again. */
const LIST_AGE_MS = 60_000;
const MOST_EARLIER = 3;

export interface ApprovalsParts extends DecidingParts {
  batches: Pick<Batches, 'waitingForPeople' | 'endLapsed'>;
  bringUpToDate: (actor: OperationActor, record: OperationRecord) => Promise<OperationRecord>;
}

export type Approvals = ReturnType<typeof createApprovals>;

/** Lists payments that need other people's approval, and records their decisions. */
export function createApprovals(ports: Ports, { batches, bringUpToDate, ...parts }: ApprovalsParts) {
  const { rows, service, separateAccounts } = ports;
  const { journal, readWithdrawals, views } = parts;
  const ownerOf = ({ account }: OperationActor): AccountOwner => ({ service: service.name, account });

  return {
    /** `after`: the position where the page before this one ended; 0 for the first. */
    list: async (actor: OperationActor, after: bigint): Promise<ApprovalList> => {
      const { waiting, more, decided } = await rows.approvalRows(ownerOf(actor), {
        after,
        waiting: MOST_LISTED,
        decided: MOST_DECIDED,
      });
      const at = instantOf(actor, await rows.facts());
      const upToDate: OperationRecord[] = [];
      for (const record of [...waiting, ...decided].flatMap(recordIn))
        upToDate.push(
          isApprovalOverdue(record, at) || record.state === 'sending' ? await bringUpToDate(actor, record) : record,
        );
      const over = upToDate.filter((record) => !waitsForApproval(record));
      const approvals = await approvalsOf(actor, upToDate.filter(waitsForApproval), LIST_AGE_MS);
      return {
        waiting: approvals.toSorted((a, b) => a.expires_at - b.expires_at),
        more: more === 0 ? null : { count: more, after: String(waiting.at(-1)?.seq ?? after) },
        batches: await batches.waitingForPeople(actor),
        decided: await views(actor, over.slice(0, MOST_DECIDED)),
        now: at.database,
      };
    },

    /**
     * Null if there is no such operation on this account, or if it needs no approval. `isOpened`: reads the service's list now,
     * as somebody has just opened its page.
     */
    find: async (actor: OperationActor, key: string, isOpened: boolean): Promise<Approval | null> => {
      const found = await journal.find(actor, key);
      if (found.kind !== 'record' || found.record.approval === undefined) return null;
      // An operation can be shared with another account, but the names of its people can't.
      if (found.record.account !== actor.account) return null;
      const upToDate = await bringUpToDate(actor, found.record);
      const [approval = null] = await approvalsOf(actor, [upToDate], isOpened ? 0 : LIST_AGE_MS);
      return approval;
    },

    /** Ends payments of all accounts that were not approved in time. `serverActor`: the actor for the server itself. */
    endLapsed: async (serverActor: (account: string) => OperationActor): Promise<void> => {
      for (const { key, account, batch } of await rows.overdue(MOST_LISTED)) {
        if (batch === undefined) await journal.advance(serverActor(account), key, { type: 'lapse' });
        else await batches.endLapsed(serverActor(account), batch.id);
      }
    },

    ...createDeciding(ports, parts),
  };

  /** `listAgeMs`: how old the service's list may be that waiting payments are compared with. */
  async function approvalsOf(
    actor: OperationActor,
    records: readonly OperationRecord[],
    listAgeMs: number,
  ): Promise<Approval[]> {
    const list = await withdrawalsSince(actor, records.filter(waitsForApproval), listAgeMs);
    const facts = await rows.facts();
    const able = await rows.approversOf(actor.account);
    const makers = new Map<string, string>();
    for (const maker of new Set(records.map(makerOf))) makers.set(maker, (await rows.nameOf(maker)) ?? '');
    const approvals: Approval[] = [];
    for (const [index, view] of (await views(actor, records)).entries()) {
      const record = records[index];
      if (record === undefined) continue;
      const person = makerOf(record);
      const approvers = able.filter(
        (one) => one.person !== person && !view.approved.some((approved) => approved.person === one.person),
      );
      const maker = { person, name: makers.get(person) ?? '' };
      const compared = waitsForApproval(record) ? list : null;
      const circumstances = await circumstancesOf(actor, record, { facts, list: compared });
      approvals.push({ view, maker, approvers, ...circumstances });
    }
    return approvals;
  }

  /** The service's withdrawals since the earliest of these payments was recorded; null if there are no payments. */
  async function withdrawalsSince(
    actor: OperationActor,
    waiting: readonly OperationRecord[],
    ageMs: number,
  ): Promise<WithdrawalList | null> {
    if (waiting.length === 0) return null;
    if (actor.apiKey === null) return { status: 'unreadable' };
    return readWithdrawals(asSender(actor), Math.min(...waiting.map(comparedSince)), ageMs);
  }

  /** The part of an approval that depends on other payments and on the policy. */
  async function circumstancesOf(
    actor: OperationActor,
    record: OperationRecord,
    { facts, list }: { facts: JournalFacts; list: WithdrawalList | null },
  ): Promise<Pick<Approval, 'why' | 'barred' | 'unusual' | 'listed' | 'expires_at' | 'earlier'>> {
    const now = extrapolateClocks(record.lastSent, instantOf(actor, facts));
    const need = await rows.needOf(record, now);
    const same = (await rows.byDuplicateKey(duplicateKeyOfRecord(record), null)).filter(
      (row) => keyOf(row) !== record.key,
    );
    const outside = list === null || list.status === 'unreadable' ? [] : await paidOutside(rows, record, list);
    const { asset } = KIND[record.kind].aboutOf(record);
    const accepted = same.filter((row) => isOf(row, record) && row.record?.state === 'succeeded').flatMap(recordIn);
    return {
      why: (need?.why ?? []).map(needWords),
      barred: whyUnsendable(need, record.key),
      unusual: [
        ...outside.map((paid) => ({
          ...unusual(paid.id, 'paid-outside', outsideWords(paid, asset)),
          at: paid.createdAt,
        })),
        ...(need?.keysWithChangedRecipient.includes(record.key)
          ? [unusual('recipient-changed', 'recipient-changed', RECIPIENT_CHANGED)]
          : []),
        ...unusualOf(record, same, { asset, now, facts, policy: need?.policy ?? null }),
      ],
      listed: list?.status ?? 'not-asked',
      expires_at: startableUntil(record),
      earlier: accepted.slice(-MOST_EARLIER).toReversed().flatMap(paymentIn),
    };
  }

  /** `same`: all other rows with its duplicate key. */
  function unusualOf(
    record: OperationRecord,
    same: readonly OperationRow[],
    {
      asset,
      now,
      facts,
      policy,
    }: { asset: string | null; now: OperationRecord['firstSent']; facts: JournalFacts; policy: number | null },
  ): Unusual[] {
    const own = same.filter((row) => isOf(row, record)).flatMap(recordIn);
    const found = lookAlikes(same, { ...record, secondSendOf: [], now: recordedAt(record), separateAccounts }, facts);
    const held = same.find((row) => keyOf(row) === found.existing)?.record;
    return [
      ...(own.some(({ state }) => state === 'succeeded')
        ? []
        : [unusual('first-payment', 'first-payment', 'First payment from here to this address.')]),
      ...(held === undefined
        ? []
        : [unusual(held.key, 'unresolved', 'Another payment to this address is not resolved.', held)]),
      ...found.of.map((alike) => {
        const words = alikeWords(alike, asset);
        return record.secondSendOf.includes(alike.id) && isEarlier(recordOf(own, alike.id), record)
          ? unusual(alike.id, 'second-payment', `${words} Its maker saw that one.`, recordOf(own, alike.id))
          : unusual(alike.id, 'look-alike', words, recordOf(own, alike.id));
      }),
      ...refusedBefore(own, record, now.server).map(({ record: one, ending }) =>
        unusual(`rejected ${one.key}`, 'rejected-before', refusedWords(ending), one),
      ),
      ...(record.approval !== undefined && record.approval.policy !== policy
        ? [unusual('policy-changed', 'policy-changed', POLICY_CHANGED)]
        : []),
    ];
  }
}

function makerOf({ signed }: OperationRecord): string {
  return signed?.maker ?? '';
}

function paymentIn(record: OperationRecord): Approval['earlier'] {
  const { amount, asset } = KIND[record.kind].aboutOf(record);
  return amount === null || asset === null ? [] : [{ key: record.key, amount, asset, at: record.firstSent.service }];
}

function recordIn({ record }: OperationRow | { record?: OperationRecord }): OperationRecord[] {
  return record ? [record] : [];
}

function recordOf(records: readonly OperationRecord[], key: string): OperationRecord | undefined {
  return records.find((record) => record.key === key);
}

/** Whether `one` was recorded no later than `other`. True for undefined: then it isn't a payment of this account. */
function isEarlier(one: OperationRecord | undefined, other: OperationRecord): boolean {
  return one === undefined || recordedAt(one).database <= recordedAt(other).database;
}

function unusual(id: string, kind: Unusual['kind'], text: string, about?: OperationRecord): Unusual {
  return { id, kind, text, operation: about?.key ?? null, at: about?.firstSent.service ?? null };
}

/** `asset`: that of the payment to approve, which is also the look-alike's. */
function outsideWords({ amount, status }: LookAlike, asset: string | null): string {
  const figure = isAmount(amount) ? amountOf(amount, asset) : 'an amount that can’t be read';
  return `Paid outside this dashboard, and not seen by its maker: ${figure} (${revealHidden(status.slice(0, 60))}, listed by the provider).`;
}

function amountOf(amount: string, asset: string | null): string {
  return asset === null ? amount : `${amount} ${visibleCode(asset)}`;
}

function alikeWords({ source, amount, count, status }: EarlierSend, asset: string | null): string {
  if (source === 'others') return `${counted(count ?? 1, 'payment', 'payments')} of other accounts to this address.`;
  if (source === 'set-back') return 'The database was restored: newer payments may be missing.';
  const what = amount === null ? 'Another payment' : `Another payment of ${amountOf(amount, asset)}`;
  return status === 'awaiting' ? `${what} to this address waits for approval.` : `${what} to this address.`;
}
