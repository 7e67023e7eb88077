import { authorOf } from '#src/shared/author.ts';
import type { ReviewRequest, Reviewed, EarlierSend, StartRequest } from '#src/shared/contract/gatewayContract.ts';
import { faultIn } from '#src/shared/operations/faultIn.ts';
import { KIND } from '#src/shared/operations/kinds.ts';
import type { OperationRecord } from '#src/shared/operations/record.ts';
import { waitsForApproval } from '#src/shared/operations/stateMark.ts';
import { neededInWords } from '#src/shared/policy/needWords.ts';
import { readWithdrawalBody } from '#src/shared/operations/withdrawal.ts';
import { whyUnsendable } from './approvals/currentNeed.ts';
import type { AttemptRunner } from './attempts.ts';
import { rejectEvent } from './events.ts';
import { type Advanced, type AdvanceOptions, type Inserted, type Journal, lateness } from './journal.ts';
import { askingSince, lookAlikes } from './lookAlikes.ts';
import { isSignedKind, signatureOver } from './contentHash.ts';
import { duplicateKeyOfRecord } from './rowText.ts';
import { askServiceDate } from './checking.ts';
import { comparedSince, paidOutside } from './paidOutside.ts';
import { type Ports, type Sender, type ServicePort, instantOf } from './ports.ts';
import {
  readLatestWithdrawals,
  reviewedStatus,
  type WithdrawalList,
  type WithdrawalsReader,
} from './withdrawalList.ts';

/** Short, because a person waits for it. */
const DATE_MS = 10_000;

/** The service's time, just read. */
export function askDate(service: ServicePort, { apiKey }: Sender) {
  return askServiceDate((target) => service.read(apiKey, target, DATE_MS));
}

export type Starting = ReturnType<typeof createStarting>;

export type Started = Inserted | { kind: 'no-date'; reason: string };

const LIST_UNREADABLE =
  'The provider’s list of withdrawals couldn’t be loaded, so it may have been paid outside this dashboard. Nothing was sent now. Try again.';

export interface StartingParts {
  journal: Journal;
  attempts: AttemptRunner;
  readWithdrawals: WithdrawalsReader;
}

export function createStarting(ports: Ports, { journal, attempts, readWithdrawals }: StartingParts) {
  const { service, rows, separateAccounts } = ports;
  const dateFor = (actor: Sender) => askDate(service, actor);

  /** `listFor`: reads the service's list, to compare the payment with. */
  async function send(
    actor: Sender,
    record: OperationRecord,
    preconditions: AdvanceOptions,
    listFor = (since: number): Promise<WithdrawalList> => readWithdrawals(actor, since, 0),
  ): Promise<Advanced> {
    const list = waitsForApproval(record) ? await listFor(comparedSince(record)) : null;
    if (list?.status === 'unreadable') return rejectEvent(LIST_UNREADABLE);
    const outside = list && (await paidOutside(rows, record, list)).map(({ id }) => id);
    const read = await dateFor(actor);
    if ('reason' in read) return rejectEvent(`${read.reason} Nothing was sent now.`);
    return begin(actor, record.key, read.date, { ...preconditions, ...(outside && { paidOutside: outside }) });
  }

  function begin(actor: Sender, key: string, date: number, preconditions: AdvanceOptions): Promise<Advanced> {
    return attempts.begin(
      actor,
      key,
      { type: 'send', attemptId: ports.newAttemptId(), date, ...authorOf(actor) },
      preconditions,
    );
  }

  /** The service's latest withdrawals to the same destination, also those of this journal. */
  async function latestToSame(
    actor: Sender,
    { kind, body }: ReviewRequest,
  ): Promise<[Reviewed['listed'], EarlierSend[]]> {
    const payment = KIND[kind].isCompared ? readWithdrawalBody(body) : null;
    if (payment === null) return ['not-asked', []];
    const list = await readLatestWithdrawals(service, actor);
    const paid = list.status === 'unreadable' ? [] : list.paidTo(payment);
    return [reviewedStatus(list), paid.map((facts) => ({ source: 'service', count: null, ...facts }))];
  }

  return {
    send,
    /** Records and sends once, however often it is called. */
    start: async (actor: Sender, key: string, request: StartRequest): Promise<Started> => {
      // An existing operation needs no date, as the same PUT may be repeated.
      const found = await journal.find(actor, key);
      if (found.kind !== 'nothing') return found;
      const read = await dateFor(actor);
      if ('reason' in read) return { kind: 'no-date', reason: read.reason };
      if (attempts.isStopping()) return { kind: 'no-date', reason: 'This server is stopping.' };
      const { path, body, second_send_of: secondSendOf, proof } = request;
      const payment = { key, path, body, secondSendOf };
      const signature = isSignedKind(request) ? await signatureOver(ports, actor, [payment], proof) : null;
      if (signature !== null && 'fault' in signature) {
        const late = lateness(request.not_after, instantOf(actor, await rows.facts()).database);
        const spent = await journal.writeTombstone(actor, key, late?.why ?? 'invalid');
        if (spent.kind !== 'tombstone') return spent.kind === 'nothing' ? { kind: 'spent' } : spent;
        return { ...spent, kind: 'rejected', why: late?.words ?? signature.fault };
      }
      const inserted = await journal.insert(actor, key, request, { date: read.date, signature });
      if (inserted.kind !== 'inserted') return inserted;
      const { record } = inserted;
      ports.crashPoint?.('recorded');
      if (record.state === 'awaiting') return inserted;
      // If this fails it is recorded and provably not sent, so a person may send or discard it.
      const step = await begin(actor, key, read.date, { revision: record.revision, notAfter: request.not_after });
      if (step.record !== null) return { kind: 'inserted', record: step.record };
      // Read it again: the attempt may have recorded that it needs more approvals.
      if (record.approval === undefined) return inserted;
      const now = await journal.find(actor, key);
      return { kind: 'inserted', record: now.kind === 'record' ? now.record : record };
    },

    /** Writes nothing. Returns what blocks or must be confirmed, here and in the service's own list. */
    review: async (
      actor: Sender,
      request: ReviewRequest,
    ): Promise<Reviewed | { fault: string } | { noDate: string }> => {
      const fault = faultIn(request);
      if (fault !== null) return { fault };
      const [listed, same] = await latestToSame(actor, request);
      const read = await dateFor(actor);
      if ('reason' in read) return { noDate: read.reason };
      const facts = await rows.facts();
      const { kind } = request;
      const now = { service: read.date, ...instantOf(actor, facts) };
      const candidate = {
        service: service.name,
        account: actor.account,
        kind,
        now,
        secondSendOf: [],
        separateAccounts,
      };
      const { existing, of } = lookAlikes(
        await rows.byDuplicateKey(duplicateKeyOfRecord(request), askingSince(candidate)),
        candidate,
        facts,
      );
      const unknown: EarlierSend[] = [];
      for (const one of same) {
        const key = await rows.keyOfResult(service.name, one.id);
        const known = of.find(({ id }) => id === key);
        if (known) known.status = one.status ?? known.status;
        else if (key === null) unknown.push(one);
      }
      const { account } = actor;
      const isPeopleMode = ports.checkSignature !== undefined;
      const need = isPeopleMode
        ? await rows.needOf({ ...request, service: service.name, account, key: '' }, now)
        : null;
      const unsendable = whyUnsendable(need, '');
      if (unsendable !== null) return { fault: unsendable };
      return { existing, of: [...of, ...unknown], now: now.database, listed, approval: neededInWords(need) };
    },
  };
}
