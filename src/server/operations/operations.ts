import { authorOf } from '#src/shared/author.ts';
import type { CheckNote, OperationView } from '#src/shared/contract/gatewayContract.ts';
import { groupBy } from '#src/shared/groupBy.ts';
import { waitsForApproval } from '#src/shared/operations/stateMark.ts';
import { type OperationRecord, knownResultId } from '#src/shared/operations/record.ts';
import { createAttempts } from './attempts.ts';
import { createApprovals } from './approvals/approvals.ts';
import { createBatches } from './batches/batches.ts';
import { createChecking, showsWithdrawal, withdrawalPath } from './checking.ts';
import { createClosingSetBack } from './closeSetBack.ts';
import { type Advanced, type AdvanceOptions, createJournal } from './journal.ts';
import { type OperationActor, type Ports, type Sender, instantOf } from './ports.ts';
import { watchForSetBack } from './setBack.ts';
import { createStarting } from './starting.ts';
import { isApprovalOverdue, isLeased } from './clocks.ts';
import { rejectEvent } from './events.ts';
import { viewOf } from './views.ts';
import { createWithdrawalsReader } from './withdrawalList.ts';

/** The service forgets keys after 24 h (contract 4.7). */
const FORGOTTEN_MS = 24 * 60 * 60 * 1_000;

export type Operations = ReturnType<typeof createOperations>;

export function createOperations(basePorts: Ports) {
  const history = watchForSetBack(basePorts);
  const { rows } = history;
  const ports: Ports = { ...basePorts, rows };
  const peopleSign = ports.checkSignature !== undefined;
  // The service's clock as last received per account, extrapolated by this server's.
  const serviceDates = new Map<string, { date: number; mono: number }>();
  const journal = createJournal(ports);
  const checking = createChecking(ports, journal);
  const attempts = createAttempts(ports, journal, async (actor, key) => {
    const found = await journal.find(actor, key);
    if (found.kind === 'record') await check(actor, found.record);
  });
  const readWithdrawals = createWithdrawalsReader(ports.service);
  const starting = createStarting(ports, { journal, attempts, readWithdrawals });
  const lookForOthers = createSharingWithOtherKeys(ports);
  const batches = createBatches(ports, journal, attempts);

  async function check(actor: Sender, record: OperationRecord, whole?: boolean): Promise<CheckNote | null> {
    const note = await checking.check(actor, record, whole);
    const date = note?.date ?? null;
    if (date !== null) serviceDates.set(actor.account, { date, mono: actor.clock.mono() });
    return note;
  }

  function serviceNow({ account, clock }: OperationActor): number | null {
    const last = serviceDates.get(account);
    return last === undefined ? null : last.date + Math.floor((clock.mono() - last.mono) / 1_000);
  }

  async function views(actor: OperationActor, records: readonly OperationRecord[]): Promise<OperationView[]> {
    const facts = await rows.facts();
    const keys = records.filter(({ approval }) => approval !== undefined).map(({ key }) => key);
    const approvals = groupBy(keys.length === 0 ? [] : await rows.approvalsOf(keys), ({ key }) => key);
    const sent = records.filter(({ signed, attempts }) => signed !== undefined && attempts.length > 0);
    const stopped = sent.length === 0 ? [] : await rows.stopsOf(sent.map(({ key }) => key));
    const stops = new Map(stopped.map((stop) => [stop.key, stop]));
    const common = {
      actor,
      at: instantOf(actor, facts),
      setBackAt: facts.setBackAt,
      serviceNow: serviceNow(actor),
      peopleSign,
    };
    return records.map((record) => {
      const all = approvals.get(record.key) ?? [];
      // A waiting payment needs new approvals in place of those that no longer count.
      const approved = waitsForApproval(record) ? all.filter(({ isValid }) => isValid) : all;
      const stop = stops.get(record.key) ?? null;
      return viewOf(record, { ...common, checks: checking.notesOf(record.key), approved, stopped: stop });
    });
  }

  async function view(actor: OperationActor, record: OperationRecord): Promise<OperationView> {
    const [first] = await views(actor, [record]);
    if (first === undefined) throw new Error('One record has one view.');
    return first;
  }

  async function bringUpToDate(actor: OperationActor, record: OperationRecord): Promise<OperationRecord> {
    if (record.state !== 'sending' && !waitsForApproval(record)) return record;
    const at = instantOf(actor, await rows.facts());
    const isAbandoned = record.state === 'sending' && !isLeased(record, at.database);
    const type = isApprovalOverdue(record, at) ? 'lapse' : isAbandoned ? 'demote' : null;
    if (type === null) return record;
    const settled = await journal.advance(actor, record.key, { type });
    return settled.record ?? record;
  }

  return {
    ports,
    history,
    journal,
    attempts,
    starting,
    batches,
    checking: { ...checking, check },
    setBackPayments: createClosingSetBack(ports, journal, checking),
    /** The current record, after marking an expired attempt as unconfirmed and ending a payment not approved in time. */
    bringUpToDate,
    approvals: createApprovals(ports, { journal, starting, batches, bringUpToDate, readWithdrawals, views }),
    /** Starts no more attempts or lines of batches; resolves when the running ones are over and recorded. */
    stop: async (): Promise<void> => {
      await Promise.all([batches.runs.stop(), attempts.stop()]);
    },
    views,
    view,
    confirmNotSent: async (
      actor: Sender,
      record: OperationRecord,
      words: string,
      preconditions: AdvanceOptions,
    ): Promise<Advanced> => {
      // Check again now: the result of an earlier check may be out of date.
      const note = await check(actor, record, true);
      if (note === null) return rejectEvent('There is nothing to check.');
      const { complete, date, lookAlikes, requestId } = note;
      if (!complete || date === null || lookAlikes === null) {
        return rejectEvent(
          'The provider’s list of withdrawals couldn’t be loaded to its end, so a missing entry proves nothing.',
        );
      }
      if (lookAlikes.length > 0) return rejectEvent('The provider lists a withdrawal that looks like this one.');
      const event = { type: 'absent' as const, ...authorOf(actor), words, date, requestId };
      return journal.advance(actor, record.key, event, preconditions);
    },
    /** Ends the set-back, on an operator's word that they know what was sent in the lost part. Returns why not, or null. */
    endSetBack: (words: string) =>
      rows.write(async (transaction): Promise<string | null> => {
        const { setBackAt, now } = await transaction.facts();
        if (setBackAt === null) return 'The journal was not set back.';
        if (words.trim() === '') return 'Say why: what was sent in between, and how that is known.';
        if (now - setBackAt < FORGOTTEN_MS)
          return 'Only 24 hours after it was found: until then the provider may replay.';
        await transaction.endSetBack(words);
        const onServer = { service: ports.service.name, account: null, person: null, who: null };
        await transaction.note(onServer, { kind: 'journal.set-back-ended', subject: null, facts: { words } });
        return null;
      }),
    /** From time to time, shows this key the operations recorded under another key of its account. */
    lookForOthers: (actor: Sender) => void lookForOthers(actor).catch(() => undefined),
  };
}

const MOST_READS = 20;
const LOOK_AGAIN_MS = 5 * 60_000;

/**
 * Tests whether a key can read withdrawals recorded under other accounts. If it can, both keys belong to one account, and
 * the operation is shared with it, to check only. Each record is tested once per account and process. Nothing is sent here.
 */
function createSharingWithOtherKeys({ rows, service, separateAccounts }: Ports) {
  const tested = new Map<string, Set<string>>();
  const lastLook = new Map<string, number>();

  return async (actor: Sender): Promise<void> => {
    const last = lastLook.get(actor.account);
    if (separateAccounts || (last !== undefined && actor.clock.mono() - last < LOOK_AGAIN_MS)) return;
    lastLook.set(actor.account, actor.clock.mono());
    const owner = { service: service.name, account: actor.account };
    const testedKeys = tested.get(actor.account) ?? new Set();
    tested.set(actor.account, testedKeys);
    for (const record of await rows.operationsOfOtherAccounts(owner, MOST_READS)) {
      const id = knownResultId(record);
      const path = id === null ? null : withdrawalPath(id);
      if (id === null || path === null || testedKeys.has(record.key) || testedKeys.size >= MOST_READS) continue;
      const answer = await service.read(actor.apiKey, path);
      // If the service doesn't respond, stop here; the next request continues.
      if (answer.kind === 'no-answer' || answer.status >= 429) return;
      testedKeys.add(record.key);
      if (showsWithdrawal(answer, record, id))
        await rows.write((transaction) => transaction.shareWith(record.key, actor.account));
    }
  };
}
