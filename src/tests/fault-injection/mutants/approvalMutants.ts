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
import type { Mutant } from './mutant.ts';

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
          return (row?.count ?? 0) >= needs ? null : 'It needs more approvals.';
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
        return why === RESENDS_STOPPED ? null : why;
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

const namedByNobody = recipientsAre((own) => ({
  namedRecipients: async (...of) => (await own.namedRecipients(...of)).map((one) => ({ ...one, person: null })),
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

/** Whatever a run sent is taken for sent by a person, so that a retry isn't compared with its batch. */
const retriesOfPeople = (): Partial<typeof batchRun> => ({ wasSentByRun: () => false });

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
    modules: { 'server/operations/approvals/currentNeed.ts': recipientsOfRow },
  },
  {
    name: 'blocked recipients are paid',
    breaks: 'barredRecipient',
    modules: { 'server/people/recipients.ts': listingsAre(() => ({ blockedBecause: null })) },
  },
  {
    name: 'a confirmed recipient counts before its wait is over',
    breaks: 'recipientTooEarly',
    modules: {
      'server/people/recipients.ts': listingsAre(({ confirmedFrom }) => ({ confirmedFrom: confirmedFrom && 0 })),
    },
  },
  {
    name: 'a recipient with another name is paid like before',
    breaks: 'recipientTooEarly',
    modules: { 'server/people/recipients.ts': listingsAre(() => ({ changedAt: null })) },
  },
  {
    name: 'whoever named a recipient confirms it',
    breaks: 'recipientTooEarly',
    modules: { 'server/people/recipients.ts': namedByNobody },
  },
  {
    name: 'a batch needs no more approvals than its payments',
    breaks: 'overLimit',
    modules: { 'server/operations/approvals/currentNeed.ts': needOfLine },
  },
  {
    name: 'a batch goes on after Stop',
    breaks: 'afterNo',
    modules: { 'server/operations/batches/batches.ts': stopsNothing },
  },
  {
    name: 'an automatic retry of a line isn’t checked against its batch',
    breaks: 'afterNo',
    modules: { 'server/operations/batches/batchRun.ts': retriesOfPeople },
  },
  {
    name: 'approving takes no newer sign-in',
    breaks: 'withoutSession',
    modules: { 'server/people/sessionAge.ts': approvingForLong },
  },
  {
    name: 'what was signed is compared with a column of the row',
    breaks: 'unsigned',
    modules: { 'server/operations/contentHash.ts': hashOfColumn },
  },
];
