import { authorOf } from '#src/shared/author.ts';
import type { EarlierSends, NotSent, StartRequest } from '#src/shared/contract/gatewayContract.ts';
import { faultIn } from '#src/shared/operations/faultIn.ts';
import { KIND } from '#src/shared/operations/kinds.ts';
import { type Clocks, type OperationRecord, recordedAt } from '#src/shared/operations/record.ts';
import { waitsForApproval } from '#src/shared/operations/stateMark.ts';
import { holdsDuplicateKey } from '#src/shared/operations/states.ts';
import { needWords } from '#src/shared/policy/needWords.ts';
import type { Ability } from '#src/shared/permissions.ts';
import { counted } from '#src/shared/text.ts';
import type { Act } from '#src/server/activity/activityLog.ts';
import type { Signature } from '#src/server/people/signatures.ts';
import { requireAbility } from '#src/server/people/actor.ts';
import { whyUnsendable } from './approvals/currentNeed.ts';
import { isOwnApproved, ONLY_MAKER, OWN_APPROVED, SET_BACK } from './views.ts';
import { withdrawalIdIn } from './classify.ts';
import { extrapolateClocks, ATTEMPT_LEASE_MS } from './clocks.ts';
import { PASSKEY_NEEDED, signedContentOf } from './contentHash.ts';
import { step } from './engine.ts';
import { type Instant, type OperationEvent, type Transition, rejectEvent, nextState } from './events.ts';
import { askingSince, lookAlikes } from './lookAlikes.ts';
import { actBy, operationAct, PERSON_EVENTS } from './operationActs.ts';
import { duplicateKeyOfRecord } from './rowText.ts';
import { isLive, RUN_LEASE_MS, wasSentByRun } from './batches/batchRun.ts';
import { endBatch, endUnmadeLine } from './batches/endBatch.ts';
import {
  type AccountOwner,
  type OperationRow,
  type RecordChange,
  type Tombstone,
  type WriteTransaction,
  type UnreadableRow,
  type OperationActor,
  type JournalFacts,
  type Ports,
  instantOf,
  blocksDuplicateKey,
  isOf,
  keyOf,
} from './ports.ts';

/** A `not_after` further ahead of the database's clock is invalid; in ms. */
const AHEAD_MS = 130_000;
const MOST_UNRESOLVED = 500;
/** Most payments of one account that may wait for a batch or for approvals. */
export const MOST_AWAITING = 2_000;

export const OTHER_KEY_MESSAGE = 'It was recorded under another API key.';

const UNSEEN = 'There is another payment to this destination that the last approver did not see. Approve it again.';
const UNSEEN_OUTSIDE =
  'Its recipient was paid outside this dashboard, and the last approver did not see that. An approver must look at it again, confirm that it isn’t a duplicate, and approve it.';

const END_OF_TIME = {
  service: Number.MAX_SAFE_INTEGER,
  server: Number.MAX_SAFE_INTEGER,
  database: Number.MAX_SAFE_INTEGER,
};
/** Matches no finished row, only unresolved ones. */
const UNRESOLVED_ONLY = { proven: END_OF_TIME, unproven: END_OF_TIME };

export type Found =
  | { kind: 'record'; record: OperationRecord }
  | { kind: 'unreadable'; unreadable: UnreadableRow }
  | { kind: 'tombstone'; notSent: NotSent }
  /** The key will never send. Whether it did in the lost part of the journal is unknown. */
  | { kind: 'spent' }
  | { kind: 'taken' }
  | { kind: 'nothing'; setBack: boolean };

type SpentKey = Extract<Found, { kind: 'tombstone' | 'spent' }>;

export type Inserted =
  | { kind: 'inserted'; record: OperationRecord }
  | Exclude<Found, { kind: 'nothing' }>
  | { kind: 'too-many' }
  /** The key is spent without a record. */
  | { kind: 'rejected'; notSent: NotSent; why: string; lookAlikes?: EarlierSends };

export interface AdvanceOptions {
  /** The revision that the person saw. */
  revision?: number;
  /** By the database's clock, milliseconds. */
  notAfter?: number;
  /** For a line of a batch: the run that sends it. Once this run is over it neither sends the line nor retries it. */
  run?: string;
  /**
   * For a single payment that waits for approvals: ids of withdrawals to its destination that the service listed just now,
   * and that neither the journal nor its maker knew. Without them it isn't sent for the first time.
   */
  paidOutside?: readonly string[];
  /** Replaces the ability that the event usually requires: the last approval sends, too. */
  ability?: Ability;
}

/**
 * Why a payment was not sent. run: the run of its batch is over; held: another payment to the same destination isn't
 * resolved; look-alike: nobody confirmed another payment to it; unapproved: it needs more approvals; unsigned: it was
 * rejected, or its maker may not send or has no valid signature.
 */
export type SendBlock = 'run' | 'held' | 'look-alike' | 'set-back' | 'unapproved' | 'unsigned';

export type Advanced = Transition & { moved?: true; blockedBy?: SendBlock };

export type Journal = ReturnType<typeof createJournal>;

type JournalPorts = Pick<Ports, 'rows' | 'service' | 'separateAccounts' | 'crashPoint'>;

export function createJournal({ rows, service, separateAccounts, crashPoint }: JournalPorts) {
  const ownerOf = (actor: OperationActor): AccountOwner => ({ service: service.name, account: actor.account });

  async function findIn(
    reads: Pick<WriteTransaction, 'byKey' | 'tombstone' | 'facts'>,
    actor: OperationActor,
    key: string,
    isShared = false,
  ): Promise<Found> {
    const row = await reads.byKey(key);
    if (row !== null) {
      const owner = row.record ?? row.unreadable;
      const isOwn = owner.service === service.name && (owner.account === actor.account || isShared);
      if (!isOwn) return { kind: 'taken' };
      return row.record ? { kind: 'record', record: row.record } : { kind: 'unreadable', unreadable: row.unreadable };
    }
    const tombstone = await reads.tombstone(key);
    if (tombstone === null) return { kind: 'nothing', setBack: false };
    if (tombstone.service !== service.name || tombstone.account !== actor.account) return { kind: 'taken' };
    return spentKeyOf(tombstone, await reads.facts());
  }

  /**
   * Performs a person's command and logs it in the activity, in one transaction. Throws SessionEnded or NotPermitted, and
   * changes nothing, if the person may no longer do it. `actIn` returns null if nothing was done.
   */
  const writeFor = <T>(
    actor: OperationActor,
    ability: Ability,
    work: (transaction: WriteTransaction) => Promise<T>,
    actIn: (result: T) => Act | null,
  ): Promise<T> =>
    rows.write(async (transaction) => {
      await requireAbilityNow(transaction, actor, ability);
      const result = await work(transaction);
      const act = actIn(result);
      if (act !== null) await transaction.note(actBy(actor, service.name), act);
      return result;
    });

  /** After a set-back the tombstone is no proof: an earlier copy of the request may have been sent in the lost part. */
  async function writeTombstone(
    transaction: WriteTransaction,
    actor: OperationActor,
    key: string,
    why: NotSent['why'],
  ): Promise<SpentKey> {
    const facts = await transaction.facts();
    const provenWhy = facts.setBackAt === null ? why : 'nobody-knows';
    const tombstone: Tombstone = { key, ...ownerOf(actor), why: provenWhy, at: facts.now + actor.clock.shift() };
    await transaction.writeTombstone(tombstone);
    return spentKeyOf(tombstone, facts);
  }

  return {
    find: async (actor: OperationActor, key: string): Promise<Found> => {
      const isShared = await rows.isSharedWith(key, actor.account);
      const found = await findIn(rows, actor, key, isShared);
      if (found.kind !== 'nothing') return found;
      return { kind: 'nothing', setBack: (await rows.facts()).setBackAt !== null };
    },

    /**
     * Checks everything that decides whether a key may be used, in the transaction that records it. `date`: the service's,
     * just read; `signature`: over this payment, if people sign.
     */
    insert: (
      actor: OperationActor,
      key: string,
      request: StartRequest,
      { date, signature }: { date: number; signature: Signature | null },
    ) => {
      return writeFor(actor, 'prepare', record, (inserted) =>
        inserted.kind === 'inserted' ? operationAct('operation.recorded', inserted.record) : null,
      );

      async function record(transaction: WriteTransaction): Promise<Inserted> {
        const before = await findIn(transaction, actor, key);
        if (before.kind !== 'nothing') return before;
        const facts = await transaction.facts();
        const now: Clocks = { service: date, ...instantOf(actor, facts) };
        const reject = async (why: NotSent['why'], words: string, found?: EarlierSends): Promise<Inserted> => {
          const as = await writeTombstone(transaction, actor, key, why);
          if (as.kind === 'spent') return as;
          return { ...as, kind: 'rejected', why: words, ...(found ? { lookAlikes: found } : {}) };
        };
        const late = lateness(request.not_after, now.database);
        if (late !== null) return reject(late.why, late.words);
        const fault = faultIn(request);
        if (fault !== null) return reject('invalid', fault);
        const { kind, second_send_of: secondSendOf } = request;
        const duplicateKey = duplicateKeyOfRecord(request);
        const candidate = { ...ownerOf(actor), kind, now, secondSendOf, separateAccounts };
        const found = lookAlikes(
          await transaction.byDuplicateKey(duplicateKey, askingSince(candidate)),
          candidate,
          facts,
        );
        if (found.existing !== null || found.of.length > 0) {
          return reject('look-alike', 'Something stands in the way of this.', found);
        }
        if ((await transaction.unresolvedCount(ownerOf(actor))) >= MOST_UNRESOLVED) return { kind: 'too-many' };
        const inserted = newRecord(actor, key, request, now);
        const need = await transaction.needOf(inserted, now);
        if (need !== null && actor.person !== null) {
          const unsendable = whyUnsendable(need, key);
          if (unsendable !== null) return reject('invalid', unsendable);
          const needs = Math.max(need.needs, request.needs ?? 0);
          if (needs === 0 && signature === null) return reject('invalid', PASSKEY_NEEDED);
          if (needs > 0 && (await transaction.batches.awaitingCount(ownerOf(actor))) >= MOST_AWAITING)
            return { kind: 'too-many' };
          inserted.recorded = now;
          inserted.approval = { needs, policy: need.policy, hours: need.hours };
          inserted.signed = signedContentOf(actor.person, inserted);
          if (needs > 0) {
            inserted.state = 'awaiting';
            delete inserted.leaseUntil;
          }
        }
        await transaction.insert(inserted, duplicateKey);
        if (signature !== null) await transaction.insertSignature(signature, [inserted]);
        crashPoint?.('recording');
        return { kind: 'inserted', record: inserted };
      }
    },

    /** From now on the key sends nothing; an existing record is returned instead. */
    writeTombstone: (actor: OperationActor, key: string, why: NotSent['why']) =>
      writeFor(
        actor,
        why === 'discarded' ? 'discard' : 'prepare',
        async (transaction): Promise<{ found: Found; isNew: boolean }> => {
          const found = await findIn(transaction, actor, key);
          if (found.kind !== 'nothing') return { found, isNew: false };
          return { found: await writeTombstone(transaction, actor, key, why), isNew: true };
        },
        ({ isNew }) => (isNew && why === 'discarded' ? { kind: 'operation.discarded', subject: key, facts: {} } : null),
      ).then(({ found }): Found => found),

    /** Records that a person closed a row that this version can't read. */
    closeUnreadable: (actor: OperationActor, key: string, words: string) =>
      writeFor(
        actor,
        'close',
        (transaction) => transaction.closeUnreadable(key, { words, who: actor.who, at: actor.clock.wall() }),
        () => ({ kind: 'operation.closed', subject: key, facts: { words } }),
      ),

    writeFor,

    advance: (actor: OperationActor, key: string, event: OperationEvent, options: AdvanceOptions = {}) => {
      // A press of Send counts even if the connection failed.
      const isPress = event.type === 'not-connected' && !event.automatic;
      const rule = PERSON_EVENTS[isPress ? 'send' : event.type];
      if (rule === undefined) return rows.write(apply);
      const words = 'words' in event ? event.words : undefined;
      return writeFor(
        actor,
        options.ability ?? rule.ability,
        apply,
        ({ record }) => record && operationAct(rule.act, record, words),
      );

      async function apply(transaction: WriteTransaction): Promise<Advanced> {
        const row = await transaction.byKey(key);
        const record = row?.record;
        if (row === null || record === undefined) return rejectEvent('This operation cannot be read.');
        const isSend = event.type === 'send' || event.type === 'retry';
        if (isSend && record.credential !== actor.credential) return rejectEvent(OTHER_KEY_MESSAGE);
        if (options.revision !== undefined && options.revision !== record.revision) {
          return { ...rejectEvent('Meanwhile it went on.'), moved: true };
        }
        const facts = await transaction.facts();
        const at = instantOf(actor, facts);
        // Compare positions, because the clocks of the two databases may differ.
        const isFromBefore = facts.setBackPosition !== null && row.seq < facts.setBackPosition;
        if (isSend && isFromBefore) return { ...rejectEvent(SET_BACK), blockedBy: 'set-back' };
        const late = options.notAfter === undefined ? null : lateness(options.notAfter, at.database);
        if (late !== null) return rejectEvent(late.words);
        if (event.type === 'discard' && record.state === 'awaiting' && isOfOther(record, actor))
          return rejectEvent(ONLY_MAKER);
        if ((event.type === 'close' || event.type === 'absent') && isOwnApproved(record, actor))
          return rejectEvent(OWN_APPROVED);
        // A run never resends a line; it only retries what it has just sent.
        if (options.run !== undefined && event.type === 'send' && record.state !== 'awaiting')
          return { ...rejectEvent('Meanwhile it went on.'), moved: true };
        let current = record;
        if (isSend) {
          const { run } = options;
          const unrun = await whyRunCannotSend(transaction, row, { record, event, actor, run, now: at.database });
          if (unrun !== null) return unrun;
          const approved = await checkApprovals(transaction, record, { event, at });
          if (approved.blocked !== undefined) return approved.blocked;
          current = approved.record;
          const alike = waitsForApproval(current)
            ? await whyLookAlikesPreventSending(transaction, row, {
                record: current,
                outside: options.paidOutside,
              })
            : null;
          if (alike !== null) return alike;
        }
        const next = await keepingDuplicateKey(
          transaction,
          row.duplicateKey,
          current,
          step(current, await withOwnerOfId(transaction, current, event), at),
        );
        if (next.record !== null) {
          if (event.type === 'not-made') next.record = await endUnmadeLine(transaction, next.record, at);
          await transaction.replace(next.record, record);
          await endBatchOfLine(transaction, next.record, { before: record, at });
        }
        if (event.type === 'lapse' && next.record !== null) {
          const onServer = { service: record.service, account: record.account, person: null, who: null };
          await transaction.note(onServer, operationAct('operation.lapsed', next.record));
        }
        if (event.type === 'demote') crashPoint?.('sweeping');
        return next;
      }
    },
  };

  /** An ended operation can't reopen while another one holds its duplicate key: then only the contradiction is recorded. */
  async function keepingDuplicateKey(
    transaction: WriteTransaction,
    duplicateKey: string,
    record: OperationRecord,
    next: Transition,
  ): Promise<Transition> {
    if (next.record === null || holdsDuplicateKey(record.state) || !holdsDuplicateKey(next.record.state)) return next;
    const others = await transaction.byDuplicateKey(duplicateKey, UNRESOLVED_ONLY);
    const isHeld = others.some((row) => isOf(row, record) && blocksDuplicateKey(row) && keyOf(row) !== record.key);
    return isHeld ? nextState(record, { contradiction: next.record.contradiction }) : next;
  }

  /**
   * Applies the policy in force, with the payments made meanwhile. Returns the record with the approvals it needs now, or why
   * it can't be sent. A higher number is recorded, and never lowered again.
   */
  async function checkApprovals(
    transaction: WriteTransaction,
    record: OperationRecord,
    { event, at }: { event: OperationEvent; at: Instant },
  ): Promise<{ record: OperationRecord; blocked?: undefined } | { blocked: Advanced }> {
    const now = event.type === 'send' ? { ...at, service: event.date } : extrapolateClocks(record.lastSent, at);
    const need = await transaction.needOf(record, now);
    const unsendable = whyUnsendable(need, record.key);
    if (unsendable !== null) return { blocked: rejectEvent(unsendable) };
    const before = record.approval?.needs ?? 0;
    const needs = Math.max(before, need?.needs ?? 0);
    const missing = await transaction.whyNotApproved(record, needs);
    const isRaised = need !== null && needs > before;
    const raise = { type: 'raise' as const, needs, policy: need?.policy ?? null };
    const next = isRaised ? step(record, raise, at).record : null;
    if (missing === null) return { record: next ?? record };
    if (next !== null) await raiseWithBatch(transaction, { next, before: record }, raise, at);
    if (!missing.canBeApproved) return { blocked: { ...rejectEvent(missing.words), blockedBy: 'unsigned' } };
    if (!isRaised) return { blocked: { ...rejectEvent(missing.words), blockedBy: 'unapproved' } };
    const words = `It needs ${counted(needs, 'approval', 'approvals')} now: ${need.why.map(needWords).join(', ')}.`;
    return { blocked: { ...rejectEvent(words), blockedBy: 'unapproved' } };
  }

  /** Raises the waiting lines of its batch too: all need the same number, and people approve them together. */
  async function raiseWithBatch(
    transaction: WriteTransaction,
    { next, before }: RecordChange,
    raise: OperationEvent,
    at: Instant,
  ): Promise<void> {
    await transaction.replace(next, before);
    if (before.batch === undefined) return;
    const others = (await transaction.batches.linesOf(before.batch.id)).flatMap(({ record }) =>
      record?.state === 'awaiting' && record.key !== before.key ? record : [],
    );
    await transaction.replaceAll(
      others.flatMap((line) => {
        const raised = step(line, raise, at).record;
        return raised === null ? [] : { next: raised, before: line };
      }),
    );
  }

  /** Other payments to the same destination, from here or `outside`, that neither its maker nor the newest approver saw. */
  async function whyLookAlikesPreventSending(
    transaction: WriteTransaction,
    row: OperationRow,
    { record, outside }: { record: OperationRecord; outside: readonly string[] | undefined },
  ): Promise<Advanced | null> {
    const seen = await transaction.findingsLastApproverSaw(record);
    const found = await unseenLookAlikes(transaction, row, { record, seen });
    if (found.existing !== null)
      return { ...rejectEvent('Another payment to this destination is not resolved.'), blockedBy: 'held' };
    if (found.of.length > 0) return { ...rejectEvent(UNSEEN), blockedBy: 'look-alike' };
    if (outside === undefined) return rejectEvent('It was not compared with the provider’s list of withdrawals.');
    for (const id of outside)
      if (!seen.includes(id) && (await transaction.keyOfResult(record.service, id)) === null)
        return { ...rejectEvent(UNSEEN_OUTSIDE), blockedBy: 'look-alike' };
    return null;
  }

  /**
   * Look-alikes of an operation that waited, since 24 hours before it was recorded (35 days for closed ones), without those
   * that people saw. Its maker can have seen only what was recorded before it. `seen`: ids that an approver saw.
   */
  async function unseenLookAlikes(
    transaction: WriteTransaction,
    { duplicateKey, seq }: OperationRow,
    { record, seen }: { record: OperationRecord; seen: readonly string[] },
  ): Promise<EarlierSends> {
    const candidate = { ...record, now: recordedAt(record), separateAccounts };
    const rows = await transaction.byDuplicateKey(duplicateKey, askingSince(candidate));
    const facts = await transaction.facts();
    const before = rows.filter((row) => row.seq <= seq);
    const wereThere = new Set(lookAlikes(before, { ...candidate, secondSendOf: [] }, facts).of.map(({ id }) => id));
    const { existing, of } = lookAlikes(rows, { ...candidate, secondSendOf: seen }, facts);
    const earlierLines = new Set(rows.filter((one) => isEarlierLine(one, record)).map(keyOf));
    const isConfirmed = (id: string): boolean => wereThere.has(id) && record.secondSendOf.includes(id);
    return { existing, of: of.filter(({ id }) => !earlierLines.has(id) && !isConfirmed(id)) };
  }

  /**
   * Why the run of a line's batch can't send or retry it now; null if it can, or if a person sends it. If it can, its lease is
   * renewed.
   */
  async function whyRunCannotSend(
    transaction: WriteTransaction,
    row: OperationRow,
    line: {
      record: OperationRecord;
      event: OperationEvent;
      actor: OperationActor;
      run: string | undefined;
      now: number;
    },
  ): Promise<Advanced | null> {
    const { record, event, actor, run, now } = line;
    const isFirstSend = record.state === 'awaiting' && record.batch !== undefined;
    if (!isFirstSend && !(event.type === 'retry' && wasSentByRun(record))) return null;
    // A run ends when the session of the person who started it ends.
    if (!isFirstSend) await requireAbilityNow(transaction, actor, 'send');
    const batch = await transaction.batches.batch(record.batch?.id ?? '');
    if (batch === null || !isLive(batch, run, now))
      return { ...rejectEvent('Its batch is not being sent.'), blockedBy: 'run' };
    const alike = isFirstSend ? await whyLookAlikesHoldLine(transaction, row, record) : null;
    if (alike === null) await transaction.batches.renewRun(batch.id, batch.run?.id ?? '', now + RUN_LEASE_MS);
    return alike;
  }

  /** Other payments to a line's destination. */
  async function whyLookAlikesHoldLine(
    transaction: WriteTransaction,
    row: OperationRow,
    record: OperationRecord,
  ): Promise<Advanced | null> {
    const found = await unseenLookAlikes(transaction, row, { record, seen: [] });
    // A look-alike that waits for approvals may still be rejected, so the line isn't skipped for good.
    if (found.existing !== null || found.of.some(({ status }) => status === 'awaiting'))
      return { ...rejectEvent('Another payment to this destination is not resolved.'), blockedBy: 'held' };
    if (found.of.length > 0)
      return { ...rejectEvent('Another payment to this destination was made meanwhile.'), blockedBy: 'look-alike' };
    return null;
  }

  function newRecord(actor: OperationActor, key: string, request: StartRequest, now: Clocks): OperationRecord {
    const { kind, path, body, second_send_of } = request;
    return {
      ...ownerOf(actor),
      credential: actor.credential,
      key,
      kind,
      path,
      body,
      firstSent: now,
      lastSent: now,
      ...authorOf(actor),
      attempts: [],
      state: 'ready',
      secondSendOf: [...second_send_of],
      // The server that recorded it is about to send it.
      leaseUntil: now.database + ATTEMPT_LEASE_MS,
      revision: 0,
    };
  }
}

/** Whether it is an earlier line of the same batch: the person who recorded the batch saw both. Its key proves nothing. */
function isEarlierLine({ record: other }: OperationRow, { batch }: OperationRecord): boolean {
  return batch !== undefined && other?.batch?.id === batch.id && other.batch.line < batch.line;
}

/** Whether a person other than the actor prepared it. */
function isOfOther({ signed }: OperationRecord, { person }: OperationActor): boolean {
  return signed !== undefined && signed.maker !== person;
}

async function requireAbilityNow(
  transaction: WriteTransaction,
  actor: OperationActor,
  ability: Ability,
): Promise<void> {
  const session = actor.session === null ? actor.rights : await transaction.sessionRights(actor.session);
  requireAbility(actor, ability, session);
}

/** Ends the batch of a line that has just ended unsent, if that was its last. */
async function endBatchOfLine(
  transaction: WriteTransaction,
  { state, batch }: OperationRecord,
  { before, at }: { before: OperationRecord; at: Instant },
): Promise<void> {
  if (batch === undefined || before.state !== 'awaiting' || state !== 'not-sent') return;
  await endBatch(transaction, batch.id, { why: null, at });
}

/** Any tombstone may have been written between the restore and its discovery, for a key that was sent in the lost part. */
function spentKeyOf({ why, at }: Tombstone, { setBackAt }: JournalFacts): SpentKey {
  const isProof = why !== 'nobody-knows' && setBackAt === null;
  return isProof ? { kind: 'tombstone', notSent: { why, at } } : { kind: 'spent' };
}

/** Why a press of Send has expired or is invalid; null if neither. `now`: the database's clock. */
export function lateness(notAfter: number, now: number): { why: 'too-late' | 'invalid'; words: string } | null {
  if (now > notAfter) return { why: 'too-late', words: 'More than two minutes passed since Send was pressed.' };
  if (notAfter - now > AHEAD_MS) return { why: 'invalid', words: 'The time limit lies too far ahead.' };
  return null;
}

/** Adds `taken`: another operation already has this withdrawal id. Read in the same transaction. */
async function withOwnerOfId(
  transaction: WriteTransaction,
  { kind, key, service }: OperationRecord,
  event: OperationEvent,
): Promise<OperationEvent> {
  if (!KIND[kind].isCompared || (event.type !== 'answer' && event.type !== 'checked')) return event;
  const id = event.type === 'answer' ? withdrawalIdIn(event.attempt) : event.object.id;
  const holder = id === null ? null : await transaction.keyOfResult(service, id);
  return { ...event, taken: holder !== null && holder !== key };
}
