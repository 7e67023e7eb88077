import { randomUUID } from 'node:crypto';
import type { Queries } from '#src/server/database/sql.ts';
import type { Proof } from '#src/shared/contract/proofContract.ts';
import { isObject, parseJson } from '#src/shared/answers.ts';
import { missingApprovals } from '#src/shared/operations/stateMark.ts';
import type { Permission } from '#src/shared/permissions.ts';
import { counted, isStorable } from '#src/shared/text.ts';
import { checkAssertion, type PasskeyFault } from './passkeys.ts';
import { insertRow } from './peopleRows.ts';
import type { PeopleStore } from './peopleStore.ts';
import { challengeOf, type Tickets } from './tickets.ts';

/** People sign 'send' for their own payments, and 'approve' for those of others. */
export type SignedDecision = 'send' | 'approve';

/** A person's signature over a set of payments, as people.signatures keeps it. */
export interface Signature {
  id: string;
  person: string;
  /** Null: one of the sandbox's people, who have no passkeys. */
  passkey: string | null;
  decision: SignedDecision;
  /** The content hashes of the payments, sorted. */
  items: readonly string[];
  /** Ids of the unusual findings that the approver saw. */
  seen: readonly string[];
  ticket: string;
  /** base64url, as the authenticator made them; null without a passkey. */
  assertion: Assertion | null;
  session: string;
}

/** A decision that needs no passkey, because it sends nothing. 'stop' ends the resends of a payment that may have been sent. */
export interface Rejection {
  decision: 'reject' | 'stop';
  person: string;
  session: string;
  reason: string;
}

interface Assertion {
  clientData: string;
  authenticatorData: string;
  signature: string;
}

/** A recorded payment. `contentHash` covers everything that is sent. */
export interface SignedPayment {
  key: string;
  account: string;
  /** The id of the person who recorded it. */
  maker: string;
  contentHash: string;
  /** The database's clock, ms. */
  recordedAt: number;
}

/** A set of payments to sign. */
export interface ToSign {
  decision: SignedDecision;
  /** Content hashes. */
  items: readonly string[];
  seen: readonly string[];
}

/** A person's approval of one payment, for display. */
export interface ApprovedBy {
  key: string;
  person: string;
  name: string;
  /** The database's clock, ms. */
  at: number;
  /** False if the approver's permission or the passkey has ended since. */
  isValid: boolean;
}

/** The person who ended the resends of one payment. */
export interface StoppedBy extends Omit<ApprovedBy, 'isValid'> {
  reason: string;
}

/** Why a payment may not be sent. */
export interface NotApproved {
  words: string;
  /** True if it could be sent with more approvals. */
  canBeApproved: boolean;
}

export interface SigningParts {
  /** This dashboard's origin; only passkeys of its domain count. */
  origin: string;
  tickets: Tickets;
}

type Store = Pick<PeopleStore, 'database' | 'service' | 'grants' | 'countingPasskey' | 'isDemoPerson'>;

const NO_LONGER = 'The person who prepared this payment may no longer send, or was blocked since.';
export const RESENDS_STOPPED = 'An approver stopped resending it. It can only be checked or closed.';
const UNSIGNED =
  'The signature over this payment doesn’t count any more: the passkey has ended, or its maker was blocked in between.';
/** A signature counts for this long: a payment waits up to 168 hours for approvals, and is resent for up to 23. */
const LONGEST_MS = 192 * 60 * 60 * 1_000;
/** How many of a payment's newest signatures are checked. People may sign more than once, so a limit is needed. */
const MOST_SIGNATURES = 50;
/** The permission that the person needs for the decision to count. */
const PERMISSION = { send: 'prepare', approve: 'approve' } as const satisfies Record<SignedDecision, Permission>;

/** The text that a passkey signs together with its ticket. */
export function signedStatement({ decision, items, seen }: ToSign): string {
  const sorted = items.toSorted();
  return JSON.stringify(decision === 'send' ? [decision, sorted] : [decision, sorted, seen.toSorted()]);
}

export type Signatures = ReturnType<typeof createSignatures>;

/** Signatures over payments. Checked when they are made, and again as read from the database before each send. */
export function createSignatures(
  { database, service, grants, countingPasskey, isDemoPerson }: Store,
  { origin, tickets }: SigningParts,
) {
  const rpId = new URL(origin).hostname;

  return {
    check,
    insert,
    insertRejection,
    whyNotApproved,
    approvalsOf,
    stopsOf,
    approversOf,
    findingsLastApproverSaw,
  };

  /** Checks a signature that was just made over exactly these payments. */
  async function check(
    { person, session }: { person: string; session: string },
    { decision, items, seen }: ToSign,
    { ticket, response }: Proof,
  ): Promise<Signature | { fault: PasskeyFault }> {
    const statement = signedStatement({ decision, items, seen });
    const challenge = tickets.challenge(ticket, { purpose: 'sign', binding: session, statement });
    if (challenge === null) return { fault: 'This was signed for something else, or more than five minutes ago.' };
    const signed = { decision, items: items.toSorted(), seen: seen.toSorted(), ticket, session };
    const made = { id: randomUUID(), person, ...signed };
    if (isDemoPerson(person)) return { ...made, passkey: null, assertion: null };
    const id = typeof response['id'] === 'string' && isStorable(response['id']) ? response['id'] : '';
    const passkey = await countingPasskey(database, id);
    if (passkey?.person !== person) return { fault: 'This passkey isn’t yours, or has ended.' };
    const checked = await checkAssertion({
      response,
      challenge,
      origin,
      rpId,
      passkey: { id, publicKey: passkey.public_key },
    });
    if ('fault' in checked) return checked;
    return { ...made, passkey: id, assertion: assertionIn(response) };
  }

  /** `at`: the database's clock, ms. */
  async function insert(
    tx: Queries,
    { id, person, passkey, decision, items, seen, ticket, assertion, session }: Signature,
    payments: readonly SignedPayment[],
    at: number,
  ): Promise<void> {
    await insertRow(tx, 'people.signatures', {
      id,
      service,
      person,
      passkey,
      decision,
      items: JSON.stringify(items),
      seen: JSON.stringify(seen),
      ticket,
      client_data: assertion?.clientData ?? null,
      authenticator_data: assertion?.authenticatorData ?? null,
      signature: assertion?.signature ?? null,
      session,
      at: String(at),
    });
    await insertSigned(tx, { id, person, decision }, payments);
    await tx.query('update people.passkeys set used_at = $2 where id = $1', [passkey, String(at)]);
  }

  /** After this, none of these payments is sent or resent. `at`: the database's clock, ms. */
  async function insertRejection(
    tx: Queries,
    { decision, person, session, reason }: Rejection,
    payments: readonly SignedPayment[],
    at: number,
  ): Promise<void> {
    const id = randomUUID();
    const items = JSON.stringify(payments.map(({ contentHash }) => contentHash).toSorted());
    const row = { id, service, person, decision, items, reason, session, at: String(at) };
    await insertRow(tx, 'people.signatures', row);
    await insertSigned(tx, { id, person, decision }, payments);
  }

  async function insertSigned(
    tx: Queries,
    { id, person, decision }: { id: string; person: string; decision: string },
    payments: readonly SignedPayment[],
  ): Promise<void> {
    await tx.query(
      `insert into people.signed (signature, subject, content_sha256, person, decision)
       select $1, one ->> 'key', one ->> 'contentHash', $2, $3 from jsonb_array_elements($4::text::jsonb) one`,
      [id, person, decision, JSON.stringify(payments.map(({ key, contentHash }) => ({ key, contentHash })))],
    );
  }

  /**
   * Why the payment may not be sent; null if enough signatures count now. Call it in the transaction that begins the send. A
   * payment that needs no approvals (`needs` 0) needs its maker's own signature.
   */
  async function whyNotApproved(tx: Queries, payment: SignedPayment, needs: number): Promise<NotApproved | null> {
    const { account, maker, key } = payment;
    const person = await grants.readPerson(tx, { person: maker, account, lock: true });
    if (!person?.permissions.includes('prepare') || !(await couldPrepare(tx, payment)))
      return beyondApproval(NO_LONGER);
    const [refused] = await tx.query<{ decision: string }>(
      "select decision from people.signed where subject = $1 and decision in ('reject', 'stop') limit 1",
      [key],
    );
    if (refused !== undefined)
      return beyondApproval(refused.decision === 'stop' ? RESENDS_STOPPED : 'It was rejected.');
    if (needs === 0) return (await countingSigners(tx, payment, 'send')).has(maker) ? null : beyondApproval(UNSIGNED);
    const missing = missingApprovals({ approval: { needs } }, (await countingSigners(tx, payment, 'approve')).size);
    return missing > 0
      ? { words: `It needs ${counted(missing, 'more approval', 'more approvals')}.`, canBeApproved: true }
      : null;
  }

  /**
   * Whether the maker has had the permission without interruption since before the payment was recorded. A block ends
   * everything that the person prepared before it, even if they get the permission back.
   */
  async function couldPrepare(tx: Queries, { maker, account, recordedAt }: SignedPayment): Promise<boolean> {
    const found = await tx.query(
      `select 1 as one from people.grants where person = $1 and account = $2 and permission = 'prepare'
         and ended_at is null and counts_from <= $3 limit 1`,
      [maker, account, Math.ceil(recordedAt)],
    );
    return found.length > 0;
  }

  /** The people whose signatures over this payment count now. The maker never counts as an approver. */
  async function countingSigners(tx: Queries, payment: SignedPayment, decision: SignedDecision): Promise<Set<string>> {
    const signers = new Set<string>();
    for (const row of await signaturesOf(tx, payment, decision)) {
      if (!signers.has(row.person) && (await countsNow(tx, row, payment))) signers.add(row.person);
    }
    return signers;
  }

  async function countsNow(tx: Queries, row: SignatureRow, payment: SignedPayment): Promise<boolean> {
    const { person } = row;
    const decision = decisionIn(row);
    if ((decision === 'approve') === (person === payment.maker)) return false;
    const permitted = await grants.readPerson(tx, { person, account: payment.account, lock: true });
    return permitted?.permissions.includes(PERMISSION[decision]) === true && counts(tx, row, payment);
  }

  /**
   * Signatures whose person has had the permission ever since they signed: a block ends earlier signatures for good. Newest
   * first.
   */
  async function signaturesOf(
    tx: Queries,
    { key, account, contentHash }: SignedPayment,
    decision: SignedDecision,
  ): Promise<SignatureRow[]> {
    return tx.query<SignatureRow>(
      `select s.person, s.passkey, s.decision, s.items, s.seen, s.ticket, s.client_data, s.authenticator_data, s.signature
       from people.signed d join people.signatures s on s.id = d.signature
       where d.subject = $1 and d.content_sha256 = $2 and s.service = $3 and s.decision = $4
         and exists (select 1 from people.grants g where g.person = s.person and g.account = $5
           and g.permission = $6 and g.ended_at is null and g.counts_from <= s.at)
       order by s.at desc limit ${MOST_SIGNATURES}`,
      [key, contentHash, service, decision, account, PERMISSION[decision]],
    );
  }

  async function counts(tx: Queries, row: SignatureRow, { contentHash }: SignedPayment): Promise<boolean> {
    const { person, ticket } = row;
    const decision = decisionIn(row);
    const items = textsIn(row.items);
    const seen = textsIn(row.seen ?? '[]');
    if (items === null || seen === null || !items.includes(contentHash)) return false;
    if (tickets.age(ticket) > LONGEST_MS) return false;
    if (isDemoPerson(person)) return true;
    const { passkey: id, client_data: clientDataJSON, authenticator_data: authenticatorData, signature } = row;
    const passkey = id === null ? null : await countingPasskey(tx, id);
    if (id === null || passkey?.person !== person) return false;
    const checked = await checkAssertion({
      response: {
        id,
        rawId: id,
        type: 'public-key',
        clientExtensionResults: {},
        response: { clientDataJSON, authenticatorData, signature },
      },
      challenge: challengeOf({ purpose: 'sign', statement: signedStatement({ decision, items, seen }) }, ticket),
      origin,
      rpId,
      passkey: { id, publicKey: passkey.public_key },
    });
    return 'ok' in checked;
  }

  /** People with the approve permission, sorted by name. */
  async function approversOf(queries: Queries, account: string): Promise<{ person: string; name: string }[]> {
    const rows = await queries.query<{ person: string }>(
      `select distinct person from people.grants where account = $1 and permission = 'approve' and ended_at is null`,
      [account],
    );
    const found = await Promise.all(rows.map(({ person }) => grants.readPerson(queries, { person, account })));
    return found
      .flatMap((one) => (one?.permissions.includes('approve') ? { person: one.id, name: one.name } : []))
      .toSorted((a, b) => a.name.localeCompare(b.name, 'en'));
  }

  /** Ids of the unusual findings that the approver of the newest counting approval saw. */
  async function findingsLastApproverSaw(tx: Queries, payment: SignedPayment): Promise<string[]> {
    for (const row of await signaturesOf(tx, payment, 'approve'))
      if (await countsNow(tx, row, payment)) return textsIn(row.seen ?? '[]') ?? [];
    return [];
  }

  /** The people who ended the resends of these operations, oldest first. */
  async function stopsOf(queries: Queries, keys: readonly string[]): Promise<StoppedBy[]> {
    const rows = await queries.query<{ key: string; person: string; name: string; at: string; reason: string | null }>(
      `select d.subject as key, s.person, p.name, s.at::text, s.reason
       from people.signed d join people.signatures s on s.id = d.signature join people.people p on p.id = s.person
       where d.subject in (select jsonb_array_elements_text($1::text::jsonb)) and s.decision = 'stop' and s.service = $2
       order by s.at`,
      [JSON.stringify(keys), service],
    );
    return rows.map(({ at, reason, ...row }) => ({ ...row, at: Number(at), reason: reason ?? '' }));
  }

  /** Approvals of these operations, oldest first. For display only: a send checks by itself which ones count. */
  async function approvalsOf(queries: Queries, keys: readonly string[]): Promise<ApprovedBy[]> {
    const rows = await queries.query<{ key: string; person: string; name: string; at: string; counts: boolean }>(
      `select d.subject as key, s.person, p.name, min(s.at)::text as at, bool_or(
         (s.passkey is null or exists (select 1 from people.passkeys k where k.id = s.passkey and k.ended_at is null))
         and exists (select 1 from people.grants g join operations.operations o on o.account_id = g.account
           where o.key = d.subject and g.person = s.person and g.permission = 'approve' and g.ended_at is null
             and g.counts_from <= s.at)) as counts
       from people.signed d join people.signatures s on s.id = d.signature join people.people p on p.id = s.person
       where d.subject in (select jsonb_array_elements_text($1::text::jsonb)) and s.decision = 'approve' and s.service = $2
       group by d.subject, s.person, p.name order by min(s.at)`,
      [JSON.stringify(keys), service],
    );
    return rows.map(({ at, counts, ...row }) => ({ ...row, at: Number(at), isValid: counts }));
  }
}

/** A reason that no approval changes; null for null. */
export function beyondApproval(words: string | null): NotApproved | null {
  return words === null ? null : { words, canBeApproved: false };
}

type SignatureRow = {
  person: string;
  passkey: string | null;
  decision: string;
  items: string;
  seen: string | null;
  ticket: string;
  client_data: string | null;
  authenticator_data: string | null;
  signature: string | null;
};

function decisionIn({ decision }: SignatureRow): SignedDecision {
  return decision === 'approve' ? 'approve' : 'send';
}

/** Null if the JSON isn't an array of strings. */
function textsIn(json: string): string[] | null {
  const value = parseJson(json);
  return Array.isArray(value) && value.every((one) => typeof one === 'string') ? value : null;
}

/** Call it only with a response that was checked. */
function assertionIn({ response }: Record<string, unknown>): Assertion {
  const text = (name: string): string => {
    const value = isObject(response) ? response[name] : null;
    return typeof value === 'string' ? value : '';
  };
  return {
    clientData: text('clientDataJSON'),
    authenticatorData: text('authenticatorData'),
    signature: text('signature'),
  };
}
