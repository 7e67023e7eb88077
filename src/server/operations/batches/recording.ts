import { authorOf } from '#src/shared/author.ts';
import {
  type BatchRequest,
  type BatchReviewed,
  type BatchReviewRequest,
  EARLIER_MAX,
  EARLIER_OF_LINE_MAX,
  type EarlierBatch,
  lineKey,
  type ReviewedLine,
} from '#src/shared/contract/batchContract.ts';
import type { EarlierSend } from '#src/shared/contract/gatewayContract.ts';
import { batchFingerprint, isSamePayment } from '#src/shared/batches/fingerprint.ts';
import { faultIn } from '#src/shared/operations/faultIn.ts';
import { groupBy } from '#src/shared/groupBy.ts';
import { type Clocks, type OperationRecord, recordedAt } from '#src/shared/operations/record.ts';
import { neededInWords } from '#src/shared/policy/needWords.ts';
import { readWithdrawalBody, WITHDRAWALS_PATH } from '#src/shared/operations/withdrawal.ts';
import { PASSKEY_NEEDED, signatureOver, signedContentOf } from '#src/server/operations/contentHash.ts';
import { extrapolateClocks } from '#src/server/operations/clocks.ts';
import { type Journal, lateness, MOST_AWAITING } from '#src/server/operations/journal.ts';
import { askingSince, lookAlikes } from '#src/server/operations/lookAlikes.ts';
import {
  type OperationActor,
  type Batch,
  blocksDuplicateKey,
  type CurrentNeed,
  instantOf,
  isOf,
  type JournalReads,
  type OperationRow,
  type Ports,
  type Sender,
} from '#src/server/operations/ports.ts';
import { comparedSince } from '#src/server/operations/paidOutside.ts';
import { duplicateKeyOfRecord } from '#src/server/operations/rowText.ts';
import type { Signature } from '#src/server/people/signatures.ts';
import { askDate } from '#src/server/operations/starting.ts';
import { REMEMBERED_MS, refusedBefore } from '#src/server/operations/approvals/refusedBefore.ts';
import {
  readLatestWithdrawals,
  readWithdrawalsSince,
  unknownToJournal,
  type WithdrawalList,
} from '#src/server/operations/withdrawalList.ts';

const DAY_MS = 24 * 60 * 60 * 1_000;
/** Payments of earlier batches are shown for this long. */
const EARLIER_MS = 35 * DAY_MS;

const WITHDRAWAL = { kind: 'withdrawal', path: WITHDRAWALS_PATH } as const;

type Line = BatchRequest['lines'][number];
type LineToReview = BatchReviewRequest['lines'][number];

interface ReviewedAt {
  now: Clocks;
  /** The id of a recorded batch, whose own lines aren't earlier payments; null for a new one. */
  recordedBatch: string | null;
}

export interface LineFault {
  line: number;
  message: string;
}

export type RecordedBatch =
  | { kind: 'recorded'; batch: Batch; isNew: boolean }
  /** The id has another account's batch, or one with other content. */
  | { kind: 'taken' }
  | { kind: 'faults'; faults: LineFault[] }
  | { kind: 'again'; same: EarlierBatch }
  | { kind: 'look-alikes'; lines: ReviewedLine[] }
  | { kind: 'refused'; code: 'too_late' | 'too_many' | 'not_ready' | 'passkey_refused'; why: string };

/** Reviews and records batches. Nothing here sends. */
export function createRecording(ports: Ports, journal: Journal) {
  const { rows, service, separateAccounts } = ports;

  return { review, reviewRecorded, record };

  /** Writes nothing. */
  async function review(
    actor: Sender,
    { lines }: BatchReviewRequest,
  ): Promise<BatchReviewed | { faults: LineFault[] } | { noDate: string }> {
    const faults = faultsIn(lines);
    if (faults.length > 0) return { faults };
    const list = await readLatestWithdrawals(service, actor);
    const date = await askDate(service, actor);
    if ('reason' in date) return { noDate: date.reason };
    const now: Clocks = { service: date.date, ...instantOf(actor, await rows.facts()) };
    const alike = await findLookAlikesOfLines(rows, actor, lines, { now, recordedBatch: null });
    const tooMany = tooManyEarlier(alike);
    if (tooMany.length > 0) return { faults: tooMany };
    const found = await addHistory(actor, { lines, found: alike, list }, { now, recordedBatch: null });
    const same = await rows.batches.sameBatch(ownerOf(actor), batchFingerprint(fieldsOf(lines)));
    const payments = lines.map(({ line, body, recipient }) => {
      const batch = { id: '', line, reference: null, recipient };
      return { ...ownerOf(actor), ...WITHDRAWAL, key: `${line}`, body, batch };
    });
    const need = await rows.needOfBatch(payments, now);
    const unsendable = unsendableLines(need, lines, (line) => `${line}`);
    if (unsendable.length > 0) return { faults: unsendable };
    return {
      same: same && earlierOf(same),
      lines: withChangedRecipients(found, need, (line) => `${line}`).filter(hasSomething),
      now: now.database,
      listed: list.status,
      approval: neededInWords(need),
      policy_changed: false,
      barred: [],
    };
  }

  /**
   * The same for a recorded batch as it is now, compared with all payments but its own, from a day before it was recorded: as
   * each of its lines is when it is sent. Writes nothing.
   */
  async function reviewRecorded(actor: Sender, { id }: Batch): Promise<BatchReviewed> {
    const records = (await rows.batches.linesOf(id)).flatMap(({ record }) => record ?? []);
    const [first] = records;
    const list = await (first === undefined
      ? readLatestWithdrawals(service, actor)
      : readWithdrawalsSince(service, actor, comparedSince(first)));
    const instant = instantOf(actor, await rows.facts());
    if (first === undefined)
      return {
        same: null,
        lines: [],
        now: instant.database,
        listed: list.status,
        approval: null,
        policy_changed: false,
        barred: [],
      };
    // The service's clock isn't needed exactly: nothing is decided here.
    const now = extrapolateClocks(first.lastSent, instant);
    const lines = records.flatMap(({ body, batch }) => (batch === undefined ? [] : { body, ...batch }));
    const alike = await findLookAlikesOfLines(rows, actor, lines, { now: recordedAt(first), recordedBatch: id });
    const found = await addHistory(actor, { lines, found: alike, list }, { now, recordedBatch: id });
    const need = await rows.needOf(first, now);
    const waiting = records.filter(({ state }) => state === 'awaiting');
    const waitingLines = lines.filter(({ line }) => waiting.some(({ batch }) => batch?.line === line));
    return {
      same: null,
      lines: withChangedRecipients(found, need, (line) => lineKey(id, line)).filter(hasSomething),
      now: now.database,
      listed: list.status,
      approval: neededInWords(need),
      policy_changed: waiting.some(({ approval }) => approval && approval.policy !== (need?.policy ?? null)),
      barred: unsendableLines(need, waitingLines, (line) => lineKey(id, line)),
    };
  }

  /** Adds what only a review reads: earlier batches, equal payments that were rejected, and the service's list. */
  async function addHistory(
    actor: Sender,
    { lines, found, list }: { lines: readonly LineToReview[]; found: readonly ReviewedLine[]; list: WithdrawalList },
    reviewed: ReviewedAt,
  ): Promise<ReviewedLine[]> {
    const withBatches = await addEarlierBatches(actor, lines, found, reviewed);
    return addPaidOutside(await addRefused(actor, lines, withBatches, reviewed), lines, list);
  }

  /** Adds withdrawals to the same destination that this journal doesn't know. */
  async function addPaidOutside(
    found: readonly ReviewedLine[],
    lines: readonly LineToReview[],
    list: WithdrawalList,
  ): Promise<ReviewedLine[]> {
    if (list.status === 'unreadable') return [...found];
    const added: ReviewedLine[] = [];
    for (const [index, reviewed] of found.entries()) {
      const payment = readWithdrawalBody(lines[index]?.body ?? '');
      const unknown = payment === null ? [] : await unknownToJournal(rows, service.name, list.paidTo(payment));
      const outside = unknown.map((facts): EarlierSend => ({ source: 'service', count: null, ...facts }));
      added.push({ ...reviewed, of: [...reviewed.of, ...outside] });
    }
    return added;
  }

  /** Records the batch and all its lines, or nothing. The same request again finds what the first one recorded. */
  async function record(actor: Sender, id: string, request: BatchRequest): Promise<RecordedBatch> {
    const before = await rows.batches.batch(id);
    if (before !== null) return asRecorded(rows, before, actor, request);
    const faults = faultsIn(request.lines);
    if (faults.length > 0) return { kind: 'faults', faults };
    const date = await askDate(service, actor);
    if ('reason' in date) return { kind: 'refused', code: 'not_ready', why: date.reason };
    const payments = request.lines.map(({ line, body, second_send_of: secondSendOf }) => {
      const batch = { id, line };
      return { key: lineKey(id, line), path: WITHDRAWAL.path, body, secondSendOf, batch };
    });
    const signature = await signatureOver(ports, actor, payments, request.proof);
    if (signature !== null && 'fault' in signature)
      return { kind: 'refused', code: 'passkey_refused', why: signature.fault };
    return journal.writeFor(
      actor,
      'prepare',
      (transaction) => recordIn(transaction, { serviceDate: date.date, signature }),
      (done) =>
        done.kind === 'recorded' && done.isNew
          ? { kind: 'batch.recorded', subject: id, facts: { payments: String(done.batch.lines) } }
          : null,
    );

    async function recordIn(
      transaction: Parameters<Parameters<Journal['writeFor']>[2]>[0],
      { serviceDate, signature }: { serviceDate: number; signature: Signature | null },
    ): Promise<RecordedBatch> {
      const existing = await transaction.batches.batch(id);
      if (existing !== null) return asRecorded(transaction, existing, actor, request);
      const now: Clocks = { service: serviceDate, ...instantOf(actor, await transaction.facts()) };
      const late = lateness(request.not_after, now.database);
      if (late !== null) return { kind: 'refused', code: 'too_late', why: late.words };
      const owner = ownerOf(actor);
      const batch = newBatch(actor, id, request, now);
      const same = await transaction.batches.sameBatch(owner, batch.fingerprint);
      if (same !== null && request.again === null) return { kind: 'again', same: earlierOf(same) };
      const found = await findLookAlikesOfLines(transaction, actor, request.lines, { now, recordedBatch: null });
      const tooMany = tooManyEarlier(found);
      if (tooMany.length > 0) return { kind: 'faults', faults: tooMany };
      const unseen = withEarlierLinesOfFile(id, request.lines, found).filter((line) =>
        mustBeConfirmed(line, request.lines),
      );
      if (unseen.length > 0) return { kind: 'look-alikes', lines: unseen };
      if ((await transaction.batches.awaitingCount(owner)) + batch.lines > MOST_AWAITING) {
        const why = `More than ${MOST_AWAITING} payments of batches wait to be sent. Nothing was recorded.`;
        return { kind: 'refused', code: 'too_many', why };
      }
      const lines = request.lines.map((line) => newLine(actor, batch, line, now));
      const records = lines.map(({ record }) => record);
      const need = await transaction.needOfBatch(records, now);
      const unsendable = unsendableLines(need, request.lines, (line) => lineKey(id, line));
      if (unsendable.length > 0) return { kind: 'faults', faults: unsendable };
      if (need !== null && actor.person !== null) {
        const needs = Math.max(need.needs, request.needs ?? 0);
        if (needs === 0 && signature === null) return { kind: 'refused', code: 'passkey_refused', why: PASSKEY_NEEDED };
        for (const record of records) {
          record.approval = { needs, policy: need.policy, hours: need.hours };
          record.signed = signedContentOf(actor.person, record);
        }
      }
      await transaction.batches.insertBatch(batch, request.file.text, lines);
      if (signature !== null) await transaction.insertSignature(signature, records);
      return { kind: 'recorded', batch, isNew: true };
    }
  }

  /** Finds what a person must see about each line before it is recorded: earlier payments, and a reference in use. */
  async function findLookAlikesOfLines(
    reads: Pick<JournalReads, 'batches' | 'facts'>,
    actor: OperationActor,
    lines: readonly LineToReview[],
    { now, recordedBatch }: ReviewedAt,
  ): Promise<ReviewedLine[]> {
    const owner = ownerOf(actor);
    const candidate = { ...owner, kind: WITHDRAWAL.kind, now, secondSendOf: [], separateAccounts };
    const keyed = lines.map((line) => ({ line, duplicateKey: duplicateKeyOf(line) }));
    const byKey = groupBy(await reads.batches.byDuplicateKeys(keysOf(lines), askingSince(candidate)), keyIn);
    const references = lines.flatMap(({ reference }) => reference ?? []);
    const used = await reads.batches.referencesUsed(owner, references);
    const facts = await reads.facts();
    return keyed.map(({ line, duplicateKey }) => {
      const rowsOfKey = (byKey.get(duplicateKey) ?? []).filter((row) => !isOfBatch(row, recordedBatch));
      const { existing } = lookAlikes(rowsOfKey, candidate, facts);
      // An open payment would hide the finished ones, and both must be confirmed.
      const others = rowsOfKey.filter((row) => !(isOf(row, owner) && blocksDuplicateKey(row)));
      const { of } = lookAlikes(others, candidate, facts);
      const key = line.reference === null ? null : (used.get(line.reference) ?? null);
      const reference = key === (recordedBatch === null ? null : lineKey(recordedBatch, line.line)) ? null : key;
      return { line: line.line, existing, of, batches: [], reference, refused_before: [], recipient_changed: false };
    });
  }

  /** Adds the batches of the last weeks that have the same payment. */
  async function addEarlierBatches(
    actor: OperationActor,
    lines: readonly LineToReview[],
    found: readonly ReviewedLine[],
    { now, recordedBatch }: ReviewedAt,
  ): Promise<ReviewedLine[]> {
    const since = await rows.batches.linesSince(ownerOf(actor), keysOf(lines), now.database - EARLIER_MS);
    const earlier = groupBy(
      since.filter((row) => !isOfBatch(row, recordedBatch)),
      keyIn,
    );
    const ids = [...earlier.values()].flat().flatMap(({ record }) => record?.batch?.id ?? []);
    const batches = new Map((await rows.batches.batchesOf([...new Set(ids)])).map((batch) => [batch.id, batch]));
    return found.map((reviewed, index) => {
      const line = lines[index];
      if (line === undefined) return reviewed;
      const same = (earlier.get(duplicateKeyOf(line)) ?? []).filter(
        ({ record }) => record !== undefined && isSamePayment(record, line),
      );
      const sameBatches = new Set(same.flatMap(({ record }) => batches.get(record?.batch?.id ?? '') ?? []));
      return { ...reviewed, batches: [...sameBatches].map(earlierOf) };
    });
  }

  /** Adds equal payments that were rejected or withdrawn lately. */
  async function addRefused(
    actor: OperationActor,
    lines: readonly LineToReview[],
    found: readonly ReviewedLine[],
    { now, recordedBatch }: ReviewedAt,
  ): Promise<ReviewedLine[]> {
    const since = {
      service: now.service - REMEMBERED_MS / 1_000,
      server: now.server - REMEMBERED_MS,
      database: now.database - REMEMBERED_MS,
    };
    const all = { proven: since, unproven: since };
    const ended = (await rows.batches.byDuplicateKeys(keysOf(lines), all)).filter(
      (row) => isOf(row, ownerOf(actor)) && !isOfBatch(row, recordedBatch),
    );
    const byKey = groupBy(ended, keyIn);
    return found.map((reviewed, index) => {
      const line = lines[index];
      if (line === undefined) return reviewed;
      const records = (byKey.get(duplicateKeyOf(line)) ?? []).flatMap(({ record }) => record ?? []);
      const refused = refusedBefore(records, line, now.server);
      return { ...reviewed, refused_before: refused.map(({ record: { key }, ending }) => ({ key, ...ending })) };
    });
  }

  function ownerOf({ account }: Pick<OperationActor, 'account'>) {
    return { service: service.name, account };
  }

  async function asRecorded(
    reads: Pick<JournalReads, 'batches'>,
    batch: Batch,
    actor: OperationActor,
    request: BatchRequest,
  ): Promise<RecordedBatch> {
    const isSame =
      batch.service === service.name &&
      batch.account === actor.account &&
      batch.fingerprint === batchFingerprint(fieldsOf(request.lines)) &&
      (await reads.batches.fileOf(batch.id)) === request.file.text;
    return isSame ? { kind: 'recorded', batch, isNew: false } : { kind: 'taken' };
  }

  function newBatch(actor: Sender, id: string, { file, again, lines }: BatchRequest, now: Clocks): Batch {
    return {
      ...ownerOf(actor),
      id,
      credential: actor.credential,
      ...authorOf(actor),
      at: now.database,
      fileName: file.name,
      fingerprint: batchFingerprint(fieldsOf(lines)),
      lines: lines.length,
      again,
      state: 'waiting',
      why: null,
      whyLine: null,
      run: null,
      revision: 0,
    };
  }

  function newLine(actor: Sender, { id }: Batch, line: Line, now: Clocks) {
    const { body, reference, recipient, second_send_of: secondSendOf } = line;
    const record: OperationRecord = {
      ...ownerOf(actor),
      ...WITHDRAWAL,
      credential: actor.credential,
      key: lineKey(id, line.line),
      body,
      firstSent: now,
      lastSent: now,
      batch: { id, line: line.line, reference, recipient },
      recorded: now,
      ...authorOf(actor),
      attempts: [],
      state: 'awaiting',
      secondSendOf: [...secondSendOf],
      revision: 0,
    };
    return { record, duplicateKey: duplicateKeyOfRecord(record) };
  }
}

/** Lines whose recipients can't be paid. `keyOf`: the payment's key by line number. */
function unsendableLines(
  need: CurrentNeed | null,
  lines: readonly LineToReview[],
  keyOf: (line: number) => string,
): LineFault[] {
  const why = new Map((need?.unsendable ?? []).map((one) => [one.key, one.why]));
  return lines.flatMap(({ line }) => {
    const message = why.get(keyOf(line));
    return message === undefined ? [] : [{ line, message }];
  });
}

function withChangedRecipients(
  found: readonly ReviewedLine[],
  need: CurrentNeed | null,
  keyOf: (line: number) => string,
): ReviewedLine[] {
  const changed = new Set(need?.keysWithChangedRecipient);
  return found.map((reviewed) => ({ ...reviewed, recipient_changed: changed.has(keyOf(reviewed.line)) }));
}

/** Invalid lines, and line numbers or references that occur twice in the file. */
function faultsIn(lines: readonly LineToReview[]): LineFault[] {
  const references = new Set<string>();
  const numbers = new Set<number>();
  return lines.flatMap(({ line, body, reference }) => {
    const messages: string[] = [];
    const fault = faultIn({ ...WITHDRAWAL, body });
    if (fault !== null) messages.push(fault);
    if (numbers.has(line)) messages.push('The line is there twice.');
    if (reference !== null && references.has(reference)) messages.push('The reference is there twice.');
    numbers.add(line);
    if (reference !== null) references.add(reference);
    return messages.map((message) => ({ line, message }));
  });
}

/** If the person didn't see all earlier lines to the same destination, adds the last of them. */
function withEarlierLinesOfFile(id: string, lines: readonly Line[], found: readonly ReviewedLine[]): ReviewedLine[] {
  const earlier = new Map<string, { count: number; last: EarlierSend }>();
  return found.map((reviewed, index) => {
    const { body = '', line = 0, earlier_lines: seen = 0 } = lines[index] ?? {};
    const duplicateKey = duplicateKeyOf({ body });
    const before = earlier.get(duplicateKey);
    const amount = readWithdrawalBody(body)?.amount ?? null;
    const none = { count: null, createdAt: null, status: null };
    const last = { ...none, source: 'journal' as const, id: lineKey(id, line), amount };
    earlier.set(duplicateKey, { count: (before?.count ?? 0) + 1, last });
    return before === undefined || before.count === seen
      ? reviewed
      : { ...reviewed, of: [...reviewed.of, before.last] };
  });
}

/** Too many to review, and the request that confirms them would be too large. */
function tooManyEarlier(found: readonly ReviewedLine[]): LineFault[] {
  let all = 0;
  return found.flatMap(({ line, of }) => {
    all += of.length;
    if (of.length <= EARLIER_OF_LINE_MAX && all <= EARLIER_MAX) return [];
    const message =
      'Too many payments to the recipients of this file would have to be confirmed. Send a shorter file, or one larger payment.';
    return [{ line, message }];
  });
}

function duplicateKeyOf({ body }: Pick<LineToReview, 'body'>): string {
  return duplicateKeyOfRecord({ ...WITHDRAWAL, body });
}

function keysOf(lines: readonly LineToReview[]): string[] {
  return [...new Set(lines.map(duplicateKeyOf))];
}

/** False if `batch` is null. */
function isOfBatch({ record }: OperationRow, batch: string | null): boolean {
  return batch !== null && record?.batch?.id === batch;
}

function hasSomething(reviewed: ReviewedLine): boolean {
  const { existing, of, batches, reference, refused_before: refused, recipient_changed: isChanged } = reviewed;
  const hasEarlier = of.length > 0 || batches.length > 0 || refused.length > 0;
  return existing !== null || hasEarlier || reference !== null || isChanged;
}

/** Whether something is left to confirm. A reference in use can't be confirmed. */
function mustBeConfirmed(found: ReviewedLine, lines: readonly Line[]): boolean {
  const line = lines.find((one) => one.line === found.line);
  const seen = new Set(line?.second_send_of);
  const isUnseen = found.of.some(({ id }) => !seen.has(id)) || (found.existing !== null && !seen.has(found.existing));
  return isUnseen || found.reference !== null;
}

function fieldsOf(lines: readonly LineToReview[]) {
  return lines.flatMap(({ body }) => readWithdrawalBody(body) ?? []);
}

function earlierOf({ id, at, ...batch }: Batch): EarlierBatch {
  return { id, at, ...authorOf(batch) };
}

function keyIn({ duplicateKey }: OperationRow): string {
  return duplicateKey;
}
