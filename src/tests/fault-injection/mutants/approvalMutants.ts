import type * as attempting from '#src/server/operations/attempts.ts';
import type * as clocks from '#src/server/operations/clocks.ts';
import type * as sealing from '#src/server/people/seals.ts';
import type * as needs from '#src/shared/policy/approvalNeed.ts';
import type * as contentHash from '#src/server/operations/contentHash.ts';
import type * as currentNeeds from '#src/server/operations/approvals/currentNeed.ts';
import type * as batchRun from '#src/server/operations/batches/batchRun.ts';
import type * as batches from '#src/server/operations/batches/batches.ts';
import type * as deciding from '#src/server/operations/approvals/deciding.ts';
import type * as engine from '#src/server/operations/engine.ts';
import { nextState, rejectEvent } from '#src/server/operations/events.ts';
import type * as journal from '#src/server/operations/sqlRows.ts';
import type * as recipients from '#src/server/people/recipients.ts';
import type { RecipientStatus, RecipientRows } from '#src/server/people/recipients.ts';
import type * as sessionAge from '#src/server/people/sessionAge.ts';
import type * as signatures from '#src/server/people/signatures.ts';
import { RESENDS_STOPPED } from '#src/server/people/signatures.ts';
import { type Mutant, retriesOfPeople } from './mutant.ts';

// Mutants of approvals and policies, found by the runs of people.

/** A payment with approvals is sent as soon as these are enough; `counted`: SQL over its approvals, `$3` is its maker. */
const approvedBy =
  (counted: string) =>
  (original: typeof signatures): Partial<typeof signatures> => ({
    createSignatures: (...parts) => {
      const own = original.createSignatures(...parts);
      return {
        ...own,
        whyNotApproved: async (tx, payment, needs) => {
          if (needs === 0) return own.whyNotApproved(tx, payment, needs);
          const [row] = await tx.query<{ count: number }>(
            `select ${counted}::integer as count from people.signed
             where subject = $1 and content_sha256 = $2 and decision = 'approve' and $3::text is not null`,
            [payment.key, payment.contentHash, payment.maker],
          );
          return (row?.count ?? 0) >= needs ? null : { words: 'It needs more approvals.', canBeApproved: true };
        },
      };
    },
  });

const EACH_OTHER_PERSON = 'count(distinct person) filter (where person <> $3)';
const EACH_SIGNATURE = 'count(*) filter (where person <> $3)';
const EACH_PERSON = 'count(distinct person)';

/** The database counts approvals by itself, and refuses what was rejected. */
const withoutTrigger = (original: typeof journal): Partial<typeof journal> => ({
  openSqlRows: async (database, ...more) => {
    const rows = await original.openSqlRows(database, ...more);
    await database.query('drop trigger if exists check_signature on operations.operations');
    return rows;
  },
});

/** The signature of whoever prepared a payment is kept as an approval. */
const makersApprove = (original: typeof deciding): Partial<typeof deciding> => ({
  createDeciding: (ports, parts) => {
    const own = original.createDeciding(ports, parts);
    return {
      ...own,
      approve: async (actor, request) => {
        const { person, session, account } = actor;
        const items = await own.itemsOf(account, request.keys);
        if (ports.checkSignature === undefined || person === null || session === null || items === null)
          return own.approve(actor, request);
        const toSign = { decision: 'approve' as const, items, seen: request.seen };
        const signature = await ports.checkSignature({ person, session }, toSign, request.proof);
        const records = (await ports.rows.byKeys(request.keys)).flatMap(({ record }) =>
          record?.signed?.maker === person && record.state === 'awaiting' ? record : [],
        );
        if (!('fault' in signature) && records.length > 0)
          await parts.journal.writeFor(
            actor,
            'approve',
            (transaction) => transaction.insertSignature(signature, records),
            () => null,
          );
        return own.approve(actor, request);
      },
    };
  },
});

const resendsAfterStop = (original: typeof signatures): Partial<typeof signatures> => ({
  createSignatures: (...parts) => {
    const own = original.createSignatures(...parts);
    return {
      ...own,
      whyNotApproved: async (...of) => {
        const why = await own.whyNotApproved(...of);
        return why?.words === RESENDS_STOPPED ? null : why;
      },
    };
  },
});

const raisesNothing = (original: typeof engine): Partial<typeof engine> => ({
  step: (record, event, at) =>
    event.type === 'raise' ? rejectEvent('Nothing is raised.') : original.step(record, event, at),
});

const rejectsNothing = (original: typeof engine): Partial<typeof engine> => ({
  step: (record, event, at) => (event.type === 'reject' ? nextState(record, {}) : original.step(record, event, at)),
});

/** What a recorded payment needs is not computed again. */
const needsOfRow = (original: typeof currentNeeds): Partial<typeof currentNeeds> => ({
  currentNeed: async (queries, payment, now) => {
    const need = await original.currentNeed(queries, payment, now);
    const recorded = await queries.query('select 1 as one from operations.operations where key = $1', [payment.key]);
    return recorded.length === 0 ? need : { ...need, needs: 0 };
  },
});

/** Whether a recorded payment can be sent to its recipient is not asked again. */
const recipientsOfRow = (original: typeof currentNeeds): Partial<typeof currentNeeds> => ({
  currentNeed: async (queries, payment, asked) => {
    const need = await original.currentNeed(queries, payment, asked);
    const recorded = await queries.query('select 1 as one from operations.operations where key = $1', [payment.key]);
    return recorded.length === 0 ? need : { ...need, unsendable: [] };
  },
});

const recipientsAre =
  (change: (own: RecipientRows) => Partial<RecipientRows>) =>
  (original: typeof recipients): Partial<typeof recipients> => ({
    createRecipientRows: (parts) => {
      const own = original.createRecipientRows(parts);
      return { ...own, ...change(own) };
    },
  });

const listingsAre = (change: (listing: RecipientStatus) => Partial<RecipientStatus>) =>
  recipientsAre((own) => ({
    listingsOf: async (...of) => {
      const listings = await own.listingsOf(...of);
      return new Map([...listings].map(([key, listing]) => [key, { ...listing, ...change(listing) }]));
    },
  }));

/** Doesn't look for a name that was confirmed for another address. */
const newAddressesAreUnchanged = recipientsAre((own) => ({
  listingsOf: async (queries, account, recipients) => {
    const listings = await own.listingsOf(queries, account, recipients);
    const decisions = await own.decisionsOn(queries, account, [...listings.keys()]);
    const decided = new Set(decisions.map(({ address_key: key }) => key));
    return new Map(
      [...listings].map(([key, listing]) => [key, decided.has(key) ? listing : { ...listing, changedAt: null }]),
    );
  },
}));

const addedByNobody = recipientsAre((own) => ({
  namedRecipients: async (...of) => (await own.namedRecipients(...of)).map((one) => ({ ...one, addedBy: null })),
}));

const namedByNobody = recipientsAre((own) => ({
  namedRecipients: async (...of) =>
    (await own.namedRecipients(...of)).map((one) => ({ ...one, person: null, addedBy: null })),
}));

/** A batch needs what the one of its payments that needs most would need alone. */
const needOfLine = (original: typeof currentNeeds): Partial<typeof currentNeeds> => {
  const { batchNeed } = original;
  return {
    currentNeed: (queries, payment, asked) => batchNeed(queries, [payment], asked),
    batchNeed: async (queries, lines, asked) => {
      const needs = await Promise.all(lines.map((line) => batchNeed(queries, [line], asked)));
      const [most] = needs.toSorted((a, b) => b.needs - a.needs);
      return most ?? batchNeed(queries, lines, asked);
    },
  };
};

/** Stop says that it was done, and writes nothing. */
const stopsNothing = (original: typeof batches): Partial<typeof batches> => ({
  createBatches: (...parts) => {
    const own = original.createBatches(...parts);
    return {
      ...own,
      stop: async (actor, id) => {
        const batch = await own.find(actor, id);
        return batch && { batch, why: null };
      },
    };
  },
});

/** Only some of what left within 24 hours counts for the limits. */
const sumsOf =
  (which: (needs: number) => boolean) =>
  (original: typeof needs): Partial<typeof needs> => ({
    approvalNeed: (policy, payment, spent) =>
      original.approvalNeed(
        policy,
        payment,
        spent.filter((one) => which(one.needs)),
      ),
  });

/** Any run of a batch that says it is running goes on, also one that was stopped and started again elsewhere. */
const anyRun = ({ isLeaseAlive }: typeof batchRun): Partial<typeof batchRun> => ({
  isLive: ({ state, run }, _id, now) => state === 'running' && run !== null && isLeaseAlive(run, now),
});

/** From its second attempt on a line has the attempt's key, not that of its batch and line. */
const newLineKeys = (original: typeof attempting): Partial<typeof attempting> => ({
  createAttempts: (ports, ...more) => {
    const sent = new Set<string>();
    const connect: typeof ports.service.connect = async (apiKey) => {
      const { post, ...connection } = await ports.service.connect(apiKey);
      return {
        ...connection,
        post: (request) => {
          const { key, attempt } = request;
          const isAgain = sent.has(key);
          if (LINE_KEY.test(key)) sent.add(key);
          return post({ ...request, key: isAgain ? `${key}-${attempt}` : key });
        },
      };
    };
    return original.createAttempts({ ...ports, service: { ...ports.service, connect } }, ...more);
  },
});
const LINE_KEY = /\.\d+$/;

/** Approvals whose people and passkeys still count aren't verified: only the rows are counted. */
const unverified = approvedBy(`(select count(distinct s.person) from people.signed d
  join people.signatures s on s.id = d.signature join people.passkeys k on k.id = s.passkey and k.ended_at is null
  where d.subject = $1 and d.content_sha256 = $2 and d.decision = 'approve' and s.person <> $3
    and exists (select 1 from people.grants g where g.person = s.person and g.permission = 'approve'
      and g.ended_at is null and g.counts_from <= s.at))`);

const anySeal = (original: typeof sealing): Partial<typeof sealing> => ({
  createSeals: (key) => ({ ...original.createSeals(key), isSealed: () => true }),
});

/** It is enough that one clock says that a payment may still be approved. */
const startableByOneClock = ({ elapsedBy, startableSeconds }: typeof clocks): Partial<typeof clocks> => ({
  isStartable: (operation, now) =>
    operation.recorded !== undefined &&
    elapsedBy(operation.recorded, now).some((seconds) => seconds < startableSeconds(operation)),
});

/** It is enough that one clock says that the time to approve is over. */
const overdueByOneClock = (original: typeof clocks): Partial<typeof clocks> => ({
  isApprovalOverdue: (operation, at) => {
    const { state, approval, recorded } = operation;
    if (state !== 'awaiting' || approval === undefined || recorded === undefined) return false;
    return original
      .elapsedBy(recorded, original.extrapolateClocks(operation.lastSent, at))
      .some((seconds) => seconds >= original.startableSeconds(operation));
  },
});

/** A wait is over when one of the clocks says so. */
const waitsByOneClock = (original: typeof currentNeeds): Partial<typeof currentNeeds> => {
  const latest = (input: currentNeeds.NeedInput): currentNeeds.NeedInput => {
    const { service, server, database } = input.now;
    const ms = Math.max(service * 1_000, server, database);
    return { ...input, now: { service: Math.floor(ms / 1_000), server: ms, database: ms } };
  };
  return {
    currentNeed: (queries, payment, input) => original.currentNeed(queries, payment, latest(input)),
    batchNeed: (queries, lines, input) => original.batchNeed(queries, lines, latest(input)),
  };
};

const hashOfColumn = (): Partial<typeof contentHash> => ({
  signedPaymentOf: ({ signed, key, account, recorded, firstSent }) =>
    signed === undefined ? null : { key, account, ...signed, recordedAt: (recorded ?? firstSent).database },
});

/** Whoever has an open session may approve. */
const approvingForLong = ({ LONGEST_MS }: typeof sessionAge): Partial<typeof sessionAge> => ({
  APPROVING_MS: LONGEST_MS,
});

export const APPROVAL_MUTANTS: readonly Mutant[] = [
  {
    name: 'rights of approvers are not read again when a payment is sent',
    breaks: 'unsigned',
    modules: { 'server/people/signatures.ts': approvedBy(EACH_OTHER_PERSON) },
  },
  {
    name: 'one person counts twice, and the database has no trigger',
    breaks: 'selfApproved',
    modules: {
      'server/people/signatures.ts': approvedBy(EACH_SIGNATURE),
      'server/operations/sqlRows.ts': withoutTrigger,
    },
  },
  {
    name: 'the approval of its maker counts, and the database has no trigger',
    breaks: 'selfApproved',
    modules: {
      'server/operations/approvals/deciding.ts': makersApprove,
      'server/people/signatures.ts': approvedBy(EACH_PERSON),
      'server/operations/sqlRows.ts': withoutTrigger,
    },
  },
  {
    name: 'a rejection changes nothing, and the database has no trigger',
    breaks: 'afterNo',
    modules: {
      'server/operations/engine.ts': rejectsNothing,
      'server/people/signatures.ts': approvedBy(EACH_OTHER_PERSON),
      'server/operations/sqlRows.ts': withoutTrigger,
    },
  },
  {
    name: 'a stop of resends changes nothing, and the database has no trigger',
    breaks: 'afterNo',
    world: 'stops',
    modules: { 'server/people/signatures.ts': resendsAfterStop, 'server/operations/sqlRows.ts': withoutTrigger },
  },
  {
    name: 'a payment needs no more approvals when the policy became stricter',
    breaks: 'unsigned',
    modules: { 'server/operations/approvals/currentNeed.ts': needsOfRow },
  },
  {
    name: 'that more approvals are needed now is not recorded',
    breaks: 'unsigned',
    world: 'stricterPolicy',
    modules: { 'server/operations/engine.ts': raisesNothing },
  },
  {
    name: 'limits of 24 hours are ignored',
    breaks: 'overLimit',
    modules: { 'shared/policy/approvalNeed.ts': sumsOf(() => false) },
  },
  {
    name: 'limits of 24 hours count only payments without approvals',
    breaks: 'overLimit',
    modules: { 'shared/policy/approvalNeed.ts': sumsOf((needs) => needs === 0) },
  },
  {
    name: 'blocked and unconfirmed recipients are not looked up again when a payment is sent',
    breaks: 'barredRecipient',
    world: 'recipients',
    modules: { 'server/operations/approvals/currentNeed.ts': recipientsOfRow },
  },
  {
    name: 'blocked recipients are paid',
    breaks: 'barredRecipient',
    world: 'recipients',
    modules: { 'server/people/recipients.ts': listingsAre(() => ({ blockedBecause: null })) },
  },
  {
    name: 'a confirmed recipient counts before its wait is over',
    breaks: 'recipientTooEarly',
    world: 'recipients',
    modules: {
      'server/people/recipients.ts': listingsAre(({ confirmedFrom }) => ({ confirmedFrom: confirmedFrom && 0 })),
    },
  },
  {
    name: 'a recipient with another name is paid like before',
    breaks: 'recipientTooEarly',
    world: 'recipients',
    modules: { 'server/people/recipients.ts': listingsAre(() => ({ changedAt: null })) },
  },
  {
    name: 'a new address of a confirmed name is paid like the one before',
    breaks: 'recipientTooEarly',
    world: 'recipients',
    modules: { 'server/people/recipients.ts': newAddressesAreUnchanged },
  },
  {
    name: 'whoever added a recipient confirms it once a colleague has renamed it',
    breaks: 'recipientTooEarly',
    world: 'recipients',
    modules: { 'server/people/recipients.ts': addedByNobody },
  },
  {
    name: 'whoever named a recipient confirms it',
    breaks: 'recipientTooEarly',
    world: 'recipients',
    modules: { 'server/people/recipients.ts': namedByNobody },
  },
  {
    name: 'a batch needs no more approvals than its payments',
    breaks: 'overLimit',
    world: 'batches',
    modules: { 'server/operations/approvals/currentNeed.ts': needOfLine },
  },
  {
    name: 'a batch goes on after Stop',
    breaks: 'afterNo',
    world: 'batches',
    modules: { 'server/operations/batches/batches.ts': stopsNothing },
  },
  {
    name: 'an automatic retry of a line isn’t checked against its batch',
    breaks: 'afterNo',
    world: 'batches',
    modules: { 'server/operations/batches/batchRun.ts': retriesOfPeople },
  },
  {
    name: 'a run of a batch that was stopped or replaced goes on when the batch is started again',
    breaks: 'unasked',
    world: 'batches',
    modules: { 'server/operations/batches/batchRun.ts': anyRun },
  },
  {
    name: 'a line is sent again under another key than that of its batch and line',
    breaks: 'unrecorded',
    world: 'batches',
    modules: { 'server/operations/attempts.ts': newLineKeys },
  },
  {
    name: 'stored signatures are not verified again when a payment is sent',
    breaks: 'unsigned',
    world: 'forgery',
    modules: { 'server/people/signatures.ts': unverified },
  },
  {
    name: 'seals of stored rows are not verified',
    breaks: 'unsigned',
    world: 'forgery',
    modules: { 'server/people/seals.ts': anySeal },
  },
  {
    name: 'a payment that was not approved in time by one clock is sent because another says that it was',
    breaks: 'afterNo',
    world: 'wrongClocks',
    modules: { 'server/operations/clocks.ts': startableByOneClock },
  },
  {
    name: 'a payment lapses by one clock',
    breaks: 'lockedOut',
    world: 'wrongClocks',
    modules: { 'server/operations/clocks.ts': overdueByOneClock },
  },
  {
    name: 'the wait of a confirmed recipient is over by one clock',
    breaks: 'recipientTooEarly',
    world: 'wrongClocks',
    modules: { 'server/operations/approvals/currentNeed.ts': waitsByOneClock },
  },
  {
    name: 'approving takes no newer sign-in',
    breaks: 'withoutSession',
    world: 'longDays',
    modules: { 'server/people/sessionAge.ts': approvingForLong },
  },
  {
    name: 'what was signed is compared with a column of the row',
    breaks: 'unsigned',
    modules: { 'server/operations/contentHash.ts': hashOfColumn },
  },
];
