import type * as people from '#src/server/people/actor.ts';
import { rightsInKeyMode } from '#src/server/people/actor.ts';
import { PERMISSIONS } from '#src/shared/permissions.ts';
import type * as answers from '#src/shared/answers.ts';
import { isObject, parseJson } from '#src/shared/answers.ts';
import type * as kinds from '#src/shared/operations/kinds.ts';
import type { OperationKind } from '#src/shared/operations/kind.ts';
import type * as records from '#src/shared/operations/record.ts';
import type * as commanding from '#src/server/operations/commands.ts';
import type * as replying from '#src/server/operations/replies.ts';
import type { OperationsContext } from '#src/server/operations/replies.ts';
import type { OperationActor } from '#src/server/operations/ports.ts';
import type * as acts from '#src/server/operations/operationActs.ts';
import type * as attempting from '#src/server/operations/attempts.ts';
import type * as checks from '#src/server/operations/checking.ts';
import type * as timing from '#src/server/operations/clocks.ts';
import type * as engine from '#src/server/operations/engine.ts';
import type * as journals from '#src/server/operations/journal.ts';
import type * as looks from '#src/server/operations/lookAlikes.ts';
import type * as rowTexts from '#src/server/operations/rowText.ts';
import type * as viewing from '#src/server/operations/views.ts';
import type { Mutation } from '#src/tests/fault-injection/scene.ts';
import { holdsFor } from './furtherMutants.ts';
import { type Mutant, rowsAre, turnsAre } from './mutant.ts';

// Mutants of the remaining rules of the journal: the record, the key, states, time, leases, the order of writes, absence
// and the check.

const DAY_SECONDS = 24 * 3_600;

/** Ignores one of the three clocks. */
const withoutClock =
  (left: 0 | 1 | 2) =>
  (original: typeof timing): Partial<typeof timing> => {
    const elapsed: typeof original.elapsedBy = (since, now) => {
      const all = original.elapsedBy(since, now);
      return all.with(left, all[(left + 1) % 3] ?? 0) as typeof all;
    };
    return {
      isInWindow: (since, now) => elapsed(since, now).every((seconds) => seconds >= -60 && seconds < 23 * 3_600),
      hasPassed: (since, now, seconds) => elapsed(since, now).every((passed) => passed >= seconds),
    };
  };

const neverSetBack = (original: typeof timing): Partial<typeof timing> => ({
  isInWindow: (since, now) => original.elapsedBy(since, now).every((seconds) => seconds < 23 * 3_600),
});

const forgottenByOneClock = (original: typeof timing): Partial<typeof timing> => ({
  hasPassed: (since, now, seconds) => original.elapsedBy(since, now).some((passed) => passed >= seconds),
});

/** Uses this server's clock if the service states no time. */
const makesUpDates: Mutation = {
  world: (world, scene, { host }) => ({
    ...world,
    service: {
      ...world.service,
      read: async (...asked) => {
        const answer = await world.service.read(...asked);
        if (answer.kind === 'no-answer' || answer.date !== null) return answer;
        return { ...answer, date: Math.floor((scene.agenda.now() + host.skew) / 1_000) };
      },
    },
  }),
};

const withoutAge = (original: typeof answers): Partial<typeof answers> => ({
  readServiceDate: (date) => original.readServiceDate(date, null),
});

/** Leases and sleeps are valid however far ahead they end. */
const holdsFromTheFuture = (): Partial<typeof timing> => ({
  isLeased: ({ state, leaseUntil = 0 }, now) => (state === 'sending' || state === 'ready') && leaseUntil > now,
});
const sleepsFromTheFuture = (): Partial<typeof timing> => ({
  cooldownUntil: ({ state, retryAt = 0, asleepUntil = 0 }, now) => {
    const until = Math.max(retryAt, asleepUntil);
    return state === 'unconfirmed' && until > now ? until : null;
  },
  isWaiting: ({ state, retryAt = 0 }, now) => state === 'unconfirmed' && retryAt > now,
});

/** Treats a COMMIT without a response as successful. */
const trustsUnsureCommits = rowsAre((rows) => ({
  write: async <T>(work: Parameters<typeof rows.write<T>>[0]): Promise<T> => {
    const done: T[] = [];
    try {
      return await rows.write(async (transaction) => {
        const value = await work(transaction);
        done.push(value);
        return value;
      });
    } catch (error) {
      const [value] = done.slice(-1);
      // By name: a reloaded module has a different class.
      if (!(error instanceof Error) || error.name !== 'JournalUnsure' || done.length === 0) throw error;
      return value as T;
    }
  },
}));

const keepsLastAttemptOnly = (original: typeof engine): Partial<typeof engine> => ({
  step: (record, event, at) => {
    const next = original.step(record, event, at);
    return next.record === null
      ? next
      : { ...next, record: { ...next.record, attempts: next.record.attempts.slice(-1) } };
  },
});

const comparesNoRevision = (original: typeof journals): Partial<typeof journals> => ({
  createJournal: (world) => {
    const journal = original.createJournal(world);
    return {
      ...journal,
      advance: (actor, key, event, guard) => {
        const { revision: _, ...rest } = guard ?? {};
        return journal.advance(actor, key, event, rest);
      },
    };
  },
});

const dropsUnwritten = (original: typeof attempting): Partial<typeof attempting> => ({
  createAttempts: (...parts) => ({ ...original.createAttempts(...parts), unwritten: () => [] }),
});

/** Reopens a record although another open one has its duplicate key. */
const opensTwice = turnsAre((transaction) => ({
  byDuplicateKey: async (duplicateKey, since) =>
    since?.proven.service === Number.MAX_SAFE_INTEGER ? [] : transaction.byDuplicateKey(duplicateKey, since),
}));

const asWritten = (original: typeof rowTexts): Partial<typeof rowTexts> => ({
  duplicateKeyOfRecord: ({ kind, path, body }) => original.sha256(JSON.stringify([kind, path, body])),
});

const closedAsksNothing = (original: typeof looks): Partial<typeof looks> => ({
  lookAlikes: (rows, candidate, facts) =>
    original.lookAlikes(
      rows.filter(({ record }) => record?.state !== 'closed'),
      candidate,
      facts,
    ),
});

const confirmingOneConfirmsAll = (original: typeof looks): Partial<typeof looks> => ({
  lookAlikes: (rows, candidate, facts) => {
    const found = original.lookAlikes(rows, candidate, facts);
    return candidate.secondSendOf.length > 0 ? { ...found, of: [] } : found;
  },
});

const othersAreConfirmedForGood = (original: typeof looks): Partial<typeof looks> => ({
  lookAlikes: (rows, candidate, facts) => {
    const { existing, of } = original.lookAlikes(rows, candidate, facts);
    const named = of.map((one) => (one.source === 'others' ? { ...one, id: 'others' } : one));
    return { existing, of: named.filter(({ id }) => !candidate.secondSendOf.includes(id)) };
  },
});

const asksFor =
  (seconds: number, ...which: OperationKind[]) =>
  ({ KIND }: typeof kinds): Partial<typeof kinds> => {
    const changed = which.map((kind) => [
      kind,
      { ...KIND[kind], asksAgainWithin: seconds, asksAgainIfClosed: seconds },
    ]);
    return { KIND: { ...KIND, ...Object.fromEntries(changed) } };
  };

/** Ignores the service's list. */
const readsNoList = (original: typeof checks): Partial<typeof checks> => ({
  readServiceList: async (...asked) => {
    const list = await original.readServiceList(...asked);
    return list.status === 'listed' ? { ...list, rows: [] } : list;
  },
});

const writesNoTombstones = turnsAre(() => ({ writeTombstone: async () => undefined }));

/** The request as another actor would make it. */
function withActor(c: OperationsContext, change: Partial<OperationActor>): OperationsContext {
  c.env = { ...c.env, actor: { ...c.env.actor, ...change } };
  return c;
}

const anyContentIsTheSame = (original: typeof replying): Partial<typeof replying> => ({
  createReplies: (...parts) => {
    const replies = original.createReplies(...parts);
    return {
      ...replies,
      existing: (c, found, sent) => {
        if (found.kind !== 'record' || sent === undefined) return replies.existing(c, found, sent);
        const { kind, path, body, secondSendOf } = found.record;
        return replies.existing(c, found, { ...sent, kind, path, body, second_send_of: secondSendOf });
      },
    };
  },
});

const readOnlySends = (original: typeof replying): Partial<typeof replying> => ({
  createReplies: (...parts) => {
    const replies = original.createReplies(...parts);
    return {
      ...replies,
      senderOf: (c, ability) =>
        replies.senderOf(withActor(c, { rights: { ...c.env.actor.rights, readOnly: false } }), ability),
    };
  },
});

/** The journal takes the key that recorded an operation for the actor's. */
const anyKeyMaySend = (original: typeof journals): Partial<typeof journals> => ({
  createJournal: (ports) => {
    const journal = original.createJournal(ports);
    const advance: typeof journal.advance = async (actor, key, event, guard) => {
      const { credential = actor.credential } = (await ports.rows.byKey(key))?.record ?? {};
      return journal.advance({ ...actor, credential }, key, event, guard);
    };
    return { ...journal, advance };
  },
});

/** Sends a record of another API key with the viewer's own key. */
const anyKeySends = (original: typeof commanding): Partial<typeof commanding> => ({
  createCommands: (operations, replies) => {
    const commands = original.createCommands(operations, replies);
    const asRecorded =
      (command: typeof commands.send): typeof commands.send =>
      async (c, key) => {
        const found = await operations.journal.find(c.env.actor, key);
        if (found.kind !== 'record') return command(c, key);
        const { account, credential } = found.record;
        return command(withActor(c, { account, credential }), key);
      };
    return {
      ...commands,
      send: asRecorded(commands.send),
      check: asRecorded(commands.check),
      close: asRecorded(commands.close),
      confirmNotSent: asRecorded(commands.confirmNotSent),
    };
  },
});
const offersAll = (original: typeof viewing): Partial<typeof viewing> => ({
  viewOf: (record, seen) => original.viewOf(record, { ...seen, actor: { ...seen.actor, account: record.account } }),
});

const offersDiscard = (original: typeof viewing): Partial<typeof viewing> => ({
  viewOf: (record, seen) => {
    const view = original.viewOf(record, seen);
    return record.state === 'unconfirmed' ? { ...view, allowed: [...view.allowed, 'discard'] } : view;
  },
});
const discardsUnconfirmed = (original: typeof engine): Partial<typeof engine> => ({
  step: (record, event, at) => {
    const isDiscarded = event.type === 'discard' && record.state === 'unconfirmed';
    return original.step(isDiscarded ? { ...record, state: 'ready' } : record, event, at);
  },
});

/** Accepts limits too far ahead. */
const holdsAsLongAsAsked: Mutation = {
  readBody: ({ agenda, database }, { body }) => {
    const asked = body !== undefined && 'not_after' in body ? Number(body.not_after) : 0;
    const now = agenda.now() + database.skew;
    return asked - now > 130_000 ? { ...body, not_after: now + 60_000 } : undefined;
  },
};

const aLookAlikeProves = (original: typeof checks): Partial<typeof checks> => ({
  createChecking: (world, journal) => {
    const checking = original.createChecking(world, journal);
    return {
      ...checking,
      check: async (actor, record, whole) => {
        const note = await checking.check(actor, record, whole);
        const [same] = whole === true ? [] : (note?.lookAlikes ?? []);
        if (same === undefined) return note;
        const object = { id: same.id, text: PROOF, requestId: null, date: null };
        await journal.advance(actor, record.key, { type: 'checked', object, taken: false });
        return note;
      },
    };
  },
});
const PROOF = 'a look-alike';
const takesProof = (original: typeof engine): Partial<typeof engine> => ({
  step: (record, event, at) => {
    if (event.type !== 'checked' || event.object.text !== PROOF || record.state !== 'unconfirmed') {
      return original.step(record, event, at);
    }
    const { reason: _, retryAt: __, asleepUntil: ___, ...rest } = record;
    const result = { id: event.object.id, text: '{}', requestId: null, by: 'check' as const, confirmed: [] };
    const revision = record.revision + 1;
    return { record: { ...rest, state: 'succeeded', result, ended: record.lastSent, revision }, effects: [] };
  },
});

const checksWithoutComparing = (original: typeof engine): Partial<typeof engine> => ({
  step: (record, event, at) => {
    if (event.type !== 'checked') return original.step(record, event, at);
    const { object } = event;
    const stated = parseJson(object.text);
    const idAlone = { ...object, text: JSON.stringify({ id: isObject(stated) ? stated['id'] : null }) };
    const next = original.step(record, { ...event, object: idAlone }, at);
    const { result } = next.record ?? {};
    return result === undefined || next.record === null
      ? next
      : { ...next, record: { ...next.record, result: { ...result, text: object.text } } };
  },
});

/** Changes the check of one record. */
const checksAs =
  (around: (check: Check) => Check) =>
  (original: typeof checks): Partial<typeof checks> => ({
    createChecking: (world, journal) => {
      const checking = original.createChecking(world, journal);
      return { ...checking, check: around(checking.check) };
    },
  });
type Check = ReturnType<typeof checks.createChecking>['check'];

const anyListIsWhole = checksAs((check) => async (actor, record, whole) => {
  const note = await check(actor, record, whole);
  return note && { ...note, complete: true };
});

const noDayFurtherBack = checksAs((check) => (actor, record, whole) => {
  const { service, server, database } = record.firstSent;
  const ms = DAY_SECONDS * 1_000;
  const firstSent = { service: service + DAY_SECONDS, server: server + ms, database: database + ms };
  return check(actor, { ...record, firstSent }, whole);
});

const cutSuccessIsNone = (original: typeof records): Partial<typeof records> => ({
  mayBeAbsent: (record) => record.kind === 'withdrawal' && original.knownResultId(record) === null,
});

const absentSinceTheFirst = (original: typeof engine): Partial<typeof engine> => ({
  step: (record, event, at) => {
    if (event.type !== 'absent') return original.step(record, event, at);
    const next = original.step({ ...record, lastSent: record.firstSent }, event, at);
    return next.record === null ? next : { ...next, record: { ...next.record, lastSent: record.lastSent } };
  },
});
const offersAbsenceSinceTheFirst = (original: typeof viewing): Partial<typeof viewing> => ({
  viewOf: (record, seen) => original.viewOf({ ...record, lastSent: record.firstSent }, seen),
});

const everybodyMayWrite = (original: typeof people): Partial<typeof people> => ({
  requireAbility: (actor, ability, session) =>
    original.requireAbility(actor, ability, session && { ...session, permissions: PERMISSIONS }),
});

const retriesArePresses = (original: typeof acts): Partial<typeof acts> => ({
  PERSON_EVENTS: { ...original.PERSON_EVENTS, retry: { ability: 'read-operations', act: 'operation.sent' } },
});

export const RULE_MUTANTS: readonly Mutant[] = [
  // Sessions.
  {
    name: 'a session that has ended meanwhile still writes',
    breaks: 'withoutSession',
    mutation: turnsAre(() => ({ sessionRights: async () => rightsInKeyMode({ journalOnly: false }) })),
  },
  {
    name: 'a right that was lost meanwhile still writes',
    breaks: 'withoutRight',
    modules: { 'server/people/actor.ts': everybodyMayWrite },
  },
  {
    name: 'an act without its line',
    breaks: 'withoutLine',
    mutation: turnsAre(({ note }) => ({
      note: async (by, act) => (act.kind === 'operation.closed' ? undefined : note(by, act)),
    })),
  },
  {
    name: 'an automatic retry leaves the line of a press',
    breaks: 'withoutLine',
    modules: { 'server/operations/operationActs.ts': retriesArePresses },
  },
  // Time.
  {
    name: "the service's clock is not compared",
    breaks: 'late',
    modules: { 'server/operations/clocks.ts': withoutClock(0) },
  },
  {
    name: "the server's clock is not compared",
    breaks: 'late',
    modules: { 'server/operations/clocks.ts': withoutClock(1) },
  },
  {
    name: "the database's clock is not compared",
    breaks: 'late',
    modules: { 'server/operations/clocks.ts': withoutClock(2) },
  },
  {
    name: 'a clock that went back is believed',
    breaks: 'late',
    modules: { 'server/operations/clocks.ts': neverSetBack },
  },
  {
    name: 'forgotten after 24 h by one clock',
    breaks: 'doubles',
    modules: { 'server/operations/clocks.ts': forgottenByOneClock },
  },
  { name: 'a Date is made up where none is stated', breaks: 'late', mutation: makesUpDates },
  { name: 'Age is not taken off', breaks: 'late', modules: { 'shared/answers.ts': withoutAge } },
  {
    name: 'a lease from the future holds',
    breaks: 'unresolved',
    modules: { 'server/operations/clocks.ts': holdsFromTheFuture },
  },
  {
    name: 'a sleep from the future holds',
    breaks: 'unresolved',
    modules: { 'server/operations/clocks.ts': sleepsFromTheFuture },
  },
  // The record, and the order of writes.
  { name: 'a COMMIT without an answer is taken for one', breaks: 'unrecorded', mutation: trustsUnsureCommits },
  {
    name: 'only the last attempt is kept',
    breaks: 'unrecorded',
    modules: { 'server/operations/engine.ts': keepsLastAttemptOnly },
  },
  {
    name: 'the revision that was seen is not compared',
    breaks: 'unasked',
    modules: { 'server/operations/journal.ts': comparesNoRevision },
  },
  {
    name: 'what could not be written is dropped at a stop',
    breaks: 'unresolved',
    modules: { 'server/operations/attempts.ts': dropsUnwritten },
  },
  { name: 'a duplicate key is held twice', breaks: 'crashes', mutation: opensTwice },
  // The key.
  {
    name: 'places are compared as they are written',
    breaks: 'doubles',
    modules: { 'server/operations/rowText.ts': asWritten },
  },
  {
    name: 'what was closed asks nothing',
    breaks: 'doubles',
    modules: { 'server/operations/lookAlikes.ts': closedAsksNothing },
  },
  {
    name: 'confirming one confirms all',
    breaks: 'doubles',
    modules: { 'server/operations/lookAlikes.ts': confirmingOneConfirmsAll },
  },
  {
    name: 'others are confirmed once for all',
    breaks: 'doubles',
    modules: { 'server/operations/lookAlikes.ts': othersAreConfirmedForGood },
  },
  {
    name: 'a withdrawal is asked about for an hour',
    breaks: 'doubles',
    modules: { 'shared/operations/kinds.ts': asksFor(3_600, 'withdrawal') },
  },
  {
    name: 'a charge is asked about for a minute',
    breaks: 'doubles',
    modules: { 'shared/operations/kinds.ts': asksFor(60, 'charge') },
  },
  {
    name: 'a deposit address is asked about for a minute',
    breaks: 'doubles',
    modules: { 'shared/operations/kinds.ts': asksFor(60, 'deposit-address') },
  },
  {
    name: 'a replay is asked about for a day',
    breaks: 'doubles',
    modules: { 'shared/operations/kinds.ts': asksFor(DAY_SECONDS, 'webhook-replay') },
  },
  {
    name: "the service's own list is not read",
    breaks: 'doubles',
    modules: { 'server/operations/checking.ts': readsNoList },
  },
  // The server's own interface.
  { name: 'no tombstone is written', breaks: 'falseNotSent', mutation: writesNoTombstones },
  {
    name: 'other content under a key is the same',
    breaks: 'unrecorded',
    modules: { 'server/operations/replies.ts': anyContentIsTheSame },
  },
  {
    name: "another account's key answers",
    breaks: 'astray',
    mutation: rowsAre(() => ({ isSharedWith: async () => true })),
  },
  { name: 'a PUT without not_after', breaks: 'unasked', mutation: holdsFor('PUT', '') },
  { name: 'a press holds for as long as a page likes', breaks: 'unasked', mutation: holdsAsLongAsAsked },
  { name: 'READ_ONLY sends', breaks: 'unasked', modules: { 'server/operations/replies.ts': readOnlySends } },
  {
    name: 'resent under another key of the account',
    breaks: 'unrecorded',
    // The rule above must be removed too: it hides records that no key has proved it may read.
    mutation: rowsAre(() => ({ isSharedWith: async () => true })),
    modules: {
      'server/operations/commands.ts': anyKeySends,
      'server/operations/journal.ts': anyKeyMaySend,
      'server/operations/views.ts': offersAll,
    },
  },
  // States, check and absence.
  {
    name: 'discard while unconfirmed',
    breaks: 'falseNotSent',
    modules: { 'server/operations/views.ts': offersDiscard, 'server/operations/engine.ts': discardsUnconfirmed },
  },
  {
    name: 'a look-alike in the list proves success',
    breaks: 'falseSent',
    modules: { 'server/operations/checking.ts': aLookAlikeProves, 'server/operations/engine.ts': takesProof },
  },
  {
    name: 'a check does not compare',
    breaks: 'falseSent',
    modules: { 'server/operations/engine.ts': checksWithoutComparing },
  },
  {
    name: 'any list proves absence',
    breaks: 'falseNotSent',
    modules: { 'server/operations/checking.ts': anyListIsWhole },
  },
  {
    name: 'the list is not read a day further back',
    breaks: 'falseNotSent',
    modules: { 'server/operations/checking.ts': noDayFurtherBack },
  },
  {
    name: 'a success that was cut short is no success',
    breaks: 'falseNotSent',
    modules: { 'shared/operations/record.ts': cutSuccessIsNone },
  },
  {
    name: 'absence counts from the first send',
    breaks: 'falseNotSent',
    modules: {
      'server/operations/engine.ts': absentSinceTheFirst,
      'server/operations/views.ts': offersAbsenceSinceTheFirst,
    },
  },
];
