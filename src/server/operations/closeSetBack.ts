import { authorOf } from '#src/shared/author.ts';
import type { ClosedSetBack, SetBackPayments } from '#src/shared/contract/gatewayContract.ts';
import type { OperationRecord } from '#src/shared/operations/record.ts';
import { isUnsentBeforeRestore } from '#src/shared/operations/unsettled.ts';
import { withdrawalFieldsOf } from '#src/shared/operations/withdrawal.ts';
import { totalsIn } from './batches/views.ts';
import type { createChecking } from './checking.ts';
import { step } from './engine.ts';
import type { Journal } from './journal.ts';
import { actBy, operationAct } from './operationActs.ts';
import {
  instantOf,
  type OperationActor,
  type Ports,
  type RecordChange,
  type Sender,
  type WriteTransaction,
} from './ports.ts';
import { isOwnApproved } from './views.ts';

/** Operations read at once, and closed in one write transaction, so that none takes long. */
const AT_ONCE = 100;

/**
 * Closes together what waited to be sent when the database was restored. As with one closed by a person, its outcome isn't
 * proven here; the provider's list only shows that nothing looks like it.
 */
export function createClosingSetBack(
  { rows, service }: Pick<Ports, 'rows' | 'service'>,
  journal: Pick<Journal, 'writeFor'>,
  { keysWithoutLookAlike }: Pick<ReturnType<typeof createChecking>, 'keysWithoutLookAlike'>,
) {
  return { list, close };

  async function list(actor: OperationActor): Promise<SetBackPayments> {
    const { closable, own } = await findUnsent(actor);
    const totals = totalsIn(closable.map(({ body }) => body));
    return {
      payments: closable.length,
      totals: totals.map(({ asset, chain, amount }) => ({ asset, chain, amount })),
      own: own.length,
    };
  }

  /** Null, and closes nothing, if the provider's list isn't complete. */
  async function close(actor: Sender, reason: string): Promise<ClosedSetBack | null> {
    const { closable, own } = await findUnsent(actor);
    if (closable.length === 0) return { closed: 0, left: [], own: own.length };
    const absent = await keysWithoutLookAlike(actor, closable);
    if (absent === null) return null;
    const closed = new Set<string>();
    const keys = [...absent];
    for (let at = 0; at < keys.length; at += AT_ONCE)
      for (const key of await closeSome(actor, keys.slice(at, at + AT_ONCE), reason)) closed.add(key);
    const left = closable
      .filter(({ key }) => !closed.has(key))
      .flatMap((record) => leftOut(record, absent.has(record.key) ? 'changed' : 'look-alike'));
    return { closed: closed.size, left, own: own.length };
  }

  /** The account's, divided by whether this person may end them. */
  async function findUnsent(actor: OperationActor): Promise<{ closable: OperationRecord[]; own: OperationRecord[] }> {
    const query = {
      service: service.name,
      account: actor.account,
      states: ['unconfirmed'],
      kind: 'withdrawal',
      about: null,
      limit: AT_ONCE,
    } as const;
    const unsent: OperationRecord[] = [];
    for (let cursor: string | null = null, isMore = true; isMore;) {
      const { rows: page, next } = await rows.list({ ...query, cursor });
      unsent.push(...page.flatMap(({ record }) => (record && isUnsentBeforeRestore(record) ? record : [])));
      cursor = next;
      isMore = next !== null;
    }
    return {
      closable: unsent.filter((record) => !isOwnApproved(record, actor)),
      own: unsent.filter((record) => isOwnApproved(record, actor)),
    };
  }

  /** Returns the keys of those closed. */
  function closeSome(actor: Sender, keys: readonly string[], reason: string): Promise<string[]> {
    const closeIn = async (transaction: WriteTransaction): Promise<string[]> => {
      const at = instantOf(actor, await transaction.facts());
      const event = { type: 'close', ...authorOf(actor), words: reason } as const;
      const changes = (await transaction.byKeys(keys)).flatMap(({ record: before }): RecordChange | [] => {
        // One that was sent since isn't covered by the list.
        const next = before && isUnsentBeforeRestore(before) ? step(before, event, at).record : null;
        return before && next ? { next, before } : [];
      });
      await transaction.replaceAll(changes);
      for (const { next } of changes)
        await transaction.note(actBy(actor, service.name), operationAct('operation.closed', next, reason));
      return changes.map(({ next }) => next.key);
    };
    return journal.writeFor(actor, 'close', closeIn, () => null);
  }
}

function leftOut(record: OperationRecord, why: 'look-alike' | 'changed'): ClosedSetBack['left'] {
  const sent = withdrawalFieldsOf(record);
  if (sent === null) return [];
  const { asset, chain, amount, address } = sent;
  return [{ key: record.key, why, asset, chain, amount, address }];
}
