import type { Approval, ApprovalList, Unusual } from '#src/shared/contract/approvalsContract.ts';
import { KIND } from '#src/shared/operations/kinds.ts';
import type { OperationRecord } from '#src/shared/operations/record.ts';
import { waitsForApproval } from '#src/shared/operations/stateMark.ts';
import { needWords } from '#src/shared/policy/needWords.ts';
import { counted } from '#src/shared/text.ts';
import type { OperationView } from '#src/shared/contract/gatewayContract.ts';
import { carriedOn, startableSeconds } from '#src/server/operations/clocks.ts';
import { lookAlikes } from '#src/server/operations/lookAlikes.ts';
import {
  type AccountOwner,
  type Actor,
  instantOf,
  isOf,
  keyOf,
  type OperationRow,
  type Ports,
} from '#src/server/operations/ports.ts';
import { duplicateKeyOfRecord } from '#src/server/operations/rowText.ts';
import type { Batches } from '#src/server/operations/batches/batches.ts';
import { createDeciding, type DecidingParts } from './deciding.ts';

/** Of the list: those that wait, and those decided lately. */
const MOST_LISTED = 200;
const MOST_DECIDED = 50;
const MOST_EARLIER = 3;
/** A payment that was rejected or withdrawn is shown beside the same one this long. */
const REMEMBERED_MS = 30 * 24 * 60 * 60 * 1_000;

export interface ApprovalsParts extends DecidingParts {
  batches: Pick<Batches, 'unapproved'>;
  settle: (actor: Actor, record: OperationRecord) => Promise<OperationRecord>;
  view: (actor: Actor, record: OperationRecord) => Promise<OperationView>;
}

export type Approvals = ReturnType<typeof createApprovals>;

/** Payments that wait for other people, and what these decide. */
export function createApprovals(ports: Ports, { journal, starting, batches, settle, view, views }: ApprovalsParts) {
  const { rows, service, separateAccounts } = ports;
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
      return {
        waiting: approvals.toSorted((a, b) => a.expires_at - b.expires_at),
        batches: await batches.unapproved(actor),
        decided: views,
      };
    },

    /** Null: no such operation here, or one that nobody approves. */
    find: async (actor: Actor, key: string): Promise<Approval | null> => {
      const found = await journal.find(actor, key);
      if (found.kind !== 'record' || found.record.approval === undefined) return null;
      return approvalOf(actor, await settle(actor, found.record));
    },

    /** Ends what was not approved in time, of every account. `serverActor`: the server itself, on an account. */
    endLapsed: async (serverActor: (account: string) => Actor): Promise<void> => {
      for (const { key, account } of await rows.overdue(MOST_LISTED))
        await journal.advance(serverActor(account), key, { type: 'lapse' });
    },

    ...createDeciding(ports, { journal, starting, views }),
  };

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
