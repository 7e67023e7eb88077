import type * as allowed from '#src/operations/allowed.ts';
import type * as classifying from '#src/operations/classify.ts';
import type * as engine from '#src/operations/engine.ts';
import type { Journal } from '#src/operations/journal.ts';
import type * as looks from '#src/operations/lookAlikes.ts';
import type { OperationRecord } from '#src/operations/record.ts';
import type { Verdicts } from './judge.ts';
import type { Mutation } from './scene.ts';

// The mistakes that operations.md names. Each is one module of the engine replaced, or one wrapper around the world.

export interface Mutant {
  name: string;
  /** The promise that it breaks. */
  breaks: keyof Verdicts;
  mutation?: Mutation;
  /** By path below #src/operations: what of the module is different. */
  modules?: { [path: string]: (original: never) => object };
}

/** A mutant's key is its first one with marks, so that the judge knows whose it is. */
const anew = (record: OperationRecord): OperationRecord => ({ ...record, key: `${record.key}'` });

const newKeyAfterTimeout = (original: typeof engine): Partial<typeof engine> => ({
  step: (record, event) => {
    const next = original.step(record, event);
    const isLost = event.type === 'send' && record.attempts.at(-1)?.outcome === 'no-answer';
    return isLost && next.record !== null ? { ...next, record: anew(next.record) } : next;
  },
});

const newKeyOn409 = (original: typeof engine): Partial<typeof engine> => ({
  step: (record, event) => {
    const next = original.step(record, event);
    const is409 = event.type === 'answer' && event.attempt.kind === 'answer' && event.attempt.status === 409;
    if (!is409 || next.record?.state !== 'unconfirmed') return next;
    return { ...next, record: { ...anew(next.record), reason: 'no-answer' } };
  },
});

const editWhileUnconfirmed = (original: typeof allowed): Partial<typeof allowed> => ({
  allowedActions: (record, circumstances) => {
    const offered = original.allowedActions(record, circumstances);
    return record.state === 'unconfirmed' ? { ...offered, allowed: [...offered.allowed, 'edit-as-new'] } : offered;
  },
});
const editedTakesItsPlace = (original: typeof looks): Partial<typeof looks> => ({
  lookAlikes: ({ records, damaged }, candidate) => {
    const others = records.filter(({ id }) => !candidate.secondSendOf.includes(id));
    return original.lookAlikes({ records: others, damaged }, candidate);
  },
});

const noLookAlikeCheck = (): Partial<typeof looks> => ({ lookAlikes: () => ({ existing: null, of: [] }) });

const onlyUnresolvedChecked = (original: typeof looks): Partial<typeof looks> => ({
  lookAlikes: (everything, candidate) => ({ ...original.lookAlikes(everything, candidate), of: [] }),
});

const gatewayErrorAnswers = (original: typeof classifying): Partial<typeof classifying> => ({
  classify: (record, attemptId, attempt, now) =>
    attempt.kind === 'answer' && attempt.status === 502
      ? { kind: 'refused' }
      : original.classify(record, attemptId, attempt, now),
});

const believesUnreplayed = (original: typeof classifying): Partial<typeof classifying> => ({
  classify: (record, attemptId, attempt, now) => {
    const isRefusal = attempt.kind === 'answer' && attempt.status === 422;
    return isRefusal ? { kind: 'refused' } : original.classify(record, attemptId, attempt, now);
  },
});

/** What a page holds back from the disk: the records in `states`, until its POST has had its answer. */
const writesLate = (states: readonly OperationRecord['state'][]): Mutation => ({
  world: (world) => {
    const held = new Map<string, OperationRecord>();
    const { journal, network } = world;
    const keep = (record: OperationRecord): boolean => {
      held.set(record.id, record);
      return true;
    };
    const get = async (id: string): Promise<OperationRecord | null> => held.get(id) ?? journal.get(id);
    const late: Journal = {
      ...journal,
      get,
      all: async () => {
        const { records, damaged } = await journal.all();
        return { records: [...records.filter(({ id }) => !held.has(id)), ...held.values()], damaged };
      },
      insert: async (record) => (states.includes('ready') && keep(record) ? null : journal.insert(record)),
      replace: async (next, expected) => {
        if ((await get(next.id))?.revision !== expected) return false;
        if (states.includes(next.state)) return keep(next);
        held.delete(next.id);
        const stored = await journal.get(next.id);
        if (stored === null) return (await journal.insert({ ...next, secondSendOf: await ids(journal) })) === null;
        return journal.replace(next, stored.revision);
      },
    };
    return { ...world, journal: late, network };
  },
});

async function ids(journal: Journal): Promise<string[]> {
  return (await journal.all()).records.map(({ id }) => id);
}

/** Each page has a disk of its own, and loses it. */
const memoryOnly: Mutation = {
  world: (world) => {
    const memory = new Map<string, OperationRecord>();
    const journal: Journal = {
      ...world.journal,
      all: async () => ({ records: [...memory.values()], damaged: [] }),
      get: async (id) => memory.get(id) ?? null,
      insert: async (record) => {
        memory.set(record.id, record);
        return null;
      },
      replace: async (next, expected) => {
        if (memory.get(next.id)?.revision !== expected) return false;
        memory.set(next.id, next);
        return true;
      },
    };
    return { ...world, journal };
  },
};

const bodySerialisedAgain: Mutation = {
  world: (world) => {
    const seen = new Set<string>();
    return {
      ...world,
      network: (call) => {
        const isAgain = call.method === 'POST' && seen.has(call.key ?? '');
        seen.add(call.key ?? '');
        const body = isAgain ? JSON.stringify(JSON.parse(call.body ?? ''), null, 1) : call.body;
        return world.network({ ...call, body });
      },
    };
  },
};

export const MUTANTS: readonly Mutant[] = [
  { name: 'a new key after a time-out', breaks: 'doubles', modules: { 'engine.ts': newKeyAfterTimeout } },
  { name: 'a new key on 409', breaks: 'doubles', modules: { 'engine.ts': newKeyOn409 } },
  {
    name: 'edit while unconfirmed',
    breaks: 'doubles',
    modules: { 'allowed.ts': editWhileUnconfirmed, 'lookAlikes.ts': editedTakesItsPlace },
  },
  { name: 'no look-alike check', breaks: 'doubles', modules: { 'lookAlikes.ts': noLookAlikeCheck } },
  { name: 'only unresolved ones checked', breaks: 'doubles', modules: { 'lookAlikes.ts': onlyUnresolvedChecked } },
  { name: 'record after send', breaks: 'doubles', mutation: writesLate(['ready', 'sending']) },
  { name: '`sending` written after `fetch`', breaks: 'doubles', mutation: writesLate(['sending']) },
  { name: 'memory only', breaks: 'doubles', mutation: memoryOnly },
  { name: 'resend past 24 h', breaks: 'doubles', modules: { 'record.ts': () => ({ isExpired: () => false }) } },
  { name: 'body serialised again', breaks: 'unrecorded', mutation: bodySerialisedAgain },
  { name: 'a 502 counted as answered', breaks: 'doubles', modules: { 'classify.ts': gatewayErrorAnswers } },
  {
    name: 'the account not compared',
    breaks: 'doubles',
    mutation: { gatewayForwardsAll: true },
    modules: { 'views.ts': () => ({ owns: (owner: unknown) => owner !== null }) },
  },
  {
    name: 'an unreplayed 4xx believed after another attempt',
    breaks: 'doubles',
    modules: { 'classify.ts': believesUnreplayed },
  },
];
