import type { AttemptResult } from '#src/shared/answers.ts';
import type * as records from '#src/shared/operations/record.ts';
import type * as viewing from '#src/server/operations/views.ts';
import type * as timing from '#src/server/operations/clocks.ts';
import type * as engine from '#src/server/operations/engine.ts';
import type * as looks from '#src/server/operations/lookAlikes.ts';
import { memoryRows } from '#src/server/operations/testMemoryRows.ts';
import { emptyJournal } from '#src/server/operations/testMemoryJournal.ts';
import type { Connection, Ports } from '#src/server/operations/ports.ts';
import type { Mutation } from '#src/tests/fault-injection/scene.ts';
import { type Mutant, answered, mistaking } from './mutant.ts';

// Mistakes that the first design's simulation had to find, and mutants of its rules that still apply.

/** POSTs under a new key, derived from the first one so that the judge knows its intent. */
const anew = (after: (attempt: AttemptResult) => boolean): Mutation => ({
  world: (world) => {
    const marks = new Map<string, string>();
    return posting(world, async (post, sent) => {
      const mark = marks.get(sent.key) ?? '';
      const attempt = await post({ ...sent, key: `${sent.key}${mark}` });
      if (after(attempt)) marks.set(sent.key, `${mark}'`);
      return attempt;
    });
  },
});

type Post = Connection['post'];

function posting(world: Ports, post: (post: Post, sent: Parameters<Post>[0]) => Promise<AttemptResult>): Ports {
  const connect: Ports['service']['connect'] = async (apiKey) => {
    const connection = await world.service.connect(apiKey);
    return { ...connection, post: (sent) => post(connection.post, sent) };
  };
  return { ...world, service: { ...world.service, connect } };
}

const editWhileUnconfirmed = (original: typeof viewing): Partial<typeof viewing> => ({
  viewOf: (record, seen) => {
    const view = original.viewOf(record, seen);
    return record.state === 'unconfirmed' ? { ...view, allowed: [...view.allowed, 'edit-as-new'] } : view;
  },
});
const editedHasTheSameKey = (original: typeof looks): Partial<typeof looks> => ({
  lookAlikes: (rows, candidate, facts) => {
    const others = rows.filter(({ record }) => !record || !candidate.secondSendOf.includes(record.key));
    const found = original.lookAlikes(others, candidate, facts);
    return candidate.secondSendOf.length > 0 ? found : { ...found, existing: null };
  },
});

const noLookAlikeCheck = (): Partial<typeof looks> => ({ lookAlikes: () => ({ existing: null, of: [] }) });
const onlyUnresolvedChecked = (original: typeof looks): Partial<typeof looks> => ({
  lookAlikes: (rows, candidate, facts) => ({ ...original.lookAlikes(rows, candidate, facts), of: [] }),
});
const ownAccountOnly = (original: typeof looks): Partial<typeof looks> => ({
  lookAlikes: (rows, candidate, facts) => original.lookAlikes(rows, { ...candidate, separateAccounts: true }, facts),
});
const unreadableDoNotBlock = (original: typeof looks): Partial<typeof looks> => ({
  lookAlikes: (rows, candidate, facts) =>
    original.lookAlikes(
      rows.filter(({ record }) => record !== undefined),
      candidate,
      facts,
    ),
});

/** Each process has its own journal in memory, which is lost with it. */
const memoryOnly: Mutation = {
  world: (world, scene) => {
    const journal = emptyJournal(scene.name('jnl_'));
    return {
      ...world,
      rows: memoryRows(
        () => journal,
        () => scene.agenda.now() + scene.database.skew,
      ),
    };
  },
};

const bodySerialisedAgain: Mutation = {
  world: (world) => {
    const seen = new Set<string>();
    return posting(world, (post, sent) => {
      const isAgain = seen.has(sent.key);
      seen.add(sent.key);
      return post(isAgain ? { ...sent, body: JSON.stringify(JSON.parse(sent.body), null, 1) } : sent);
    });
  },
};

const demotesToReady = (original: typeof engine): Partial<typeof engine> => ({
  step: (record, event, at) => {
    const next = original.step(record, event, at);
    if (event.type !== 'demote' || next.record === null) return next;
    const { reason: _, ...rest } = next.record;
    return { ...next, record: { ...rest, state: 'ready' } };
  },
});

const neverTooLate = (): Partial<typeof timing> => ({ isInWindow: () => true });
const provesAtOnce = (): Partial<typeof records> => ({ ABSENCE_PROVES_SECONDS: 0 });

export const MUTANTS: readonly Mutant[] = [
  {
    name: 'a new key after a time-out',
    breaks: 'doubles',
    mutation: anew(({ kind }) => kind === 'no-answer'),
  },
  {
    name: 'a new key on 409',
    breaks: 'unrecorded',
    mutation: anew(answered(({ status }) => status === 409)),
  },
  {
    name: 'edit while unconfirmed',
    breaks: 'doubles',
    mutation: { noUniqueIndexes: true },
    modules: {
      'server/operations/views.ts': editWhileUnconfirmed,
      'server/operations/lookAlikes.ts': editedHasTheSameKey,
    },
  },
  {
    name: 'no look-alike check',
    breaks: 'doubles',
    modules: { 'server/operations/lookAlikes.ts': noLookAlikeCheck },
  },
  {
    name: 'only unresolved ones checked',
    breaks: 'doubles',
    modules: { 'server/operations/lookAlikes.ts': onlyUnresolvedChecked },
  },
  {
    name: 'look-alikes of the own account only',
    breaks: 'doubles',
    modules: { 'server/operations/lookAlikes.ts': ownAccountOnly },
  },
  {
    name: 'a row that cannot be read blocks nothing',
    breaks: 'doubles',
    mutation: { noUniqueIndexes: true },
    modules: { 'server/operations/lookAlikes.ts': unreadableDoNotBlock },
  },
  { name: 'memory only', breaks: 'doubles', mutation: memoryOnly },
  { name: 'resend past 24 h', breaks: 'late', modules: { 'server/operations/clocks.ts': neverTooLate } },
  { name: 'body serialised again', breaks: 'unrecorded', mutation: bodySerialisedAgain },
  {
    name: 'a 502 counted as answered',
    breaks: 'falseNotSent',
    modules: {
      'server/operations/classify.ts': mistaking(
        answered(({ status }) => status === 502),
        { kind: 'refused' },
      ),
    },
  },
  { name: 'the account not compared', breaks: 'astray', mutation: { skipsAccountCheck: true } },
  {
    name: 'an unreplayed 4xx believed after another attempt',
    breaks: 'falseNotSent',
    modules: {
      'server/operations/classify.ts': mistaking(
        answered(({ status }) => status === 422),
        { kind: 'refused' },
      ),
    },
  },
  {
    name: 'what died while sending is ready again',
    breaks: 'falseNotSent',
    modules: { 'server/operations/engine.ts': demotesToReady },
  },
  {
    name: 'absence proves at once',
    breaks: 'falseNotSent',
    modules: { 'shared/operations/record.ts': provesAtOnce },
  },
  {
    name: 'a timer that wakes late sends',
    breaks: 'unasked',
    modules: {
      'server/operations/clocks.ts': () => ({ LATEST_WAKE_MS: Number.POSITIVE_INFINITY, mayRetry: () => true }),
    },
  },
  {
    name: 'a broken connection counts as not sent',
    breaks: 'falseNotSent',
    modules: { 'server/operations/classify.ts': mistaking(({ kind }) => kind === 'no-answer', { kind: 'not-made' }) },
  },
  {
    name: 'a stored failure counts as refused',
    breaks: 'falseNotSent',
    modules: {
      'server/operations/classify.ts': mistaking(
        answered(({ status, replayed }) => status === 500 && replayed),
        { kind: 'refused' },
      ),
    },
  },
  {
    name: 'any 2xx counts as accepted',
    breaks: 'falseSent',
    modules: {
      'server/operations/classify.ts': mistaking(
        answered(({ status }) => status < 300),
        { kind: 'success', id: null, confirmed: [] },
      ),
    },
  },
];
