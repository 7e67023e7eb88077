import { randomUUID } from 'node:crypto';
import type { Queries } from '#src/server/database/sql.ts';
import type { Proof } from '#src/shared/contract/proofContract.ts';
import { isObject, parseJson } from '#src/shared/answers.ts';
import { isStorable } from '#src/shared/text.ts';
import { checkAssertion, type PasskeyFault } from './passkeys.ts';
import { insertRow } from './peopleRows.ts';
import type { PeopleStore } from './peopleStore.ts';
import { challengeOf, type Tickets } from './tickets.ts';

/** What a signature says about payments. */
export type Decision = 'send';

/** A person's signature over a set of payments, as people.signatures keeps it. */
export interface Signature {
  id: string;
  person: string;
  /** Null: one of the sandbox's people, who have no passkeys. */
  passkey: string | null;
  decision: Decision;
  /** The content hashes of the payments, sorted. */
  items: readonly string[];
  ticket: string;
  /** base64url, as the authenticator made them; null without a passkey. */
  assertion: Assertion | null;
  session: string;
}

interface Assertion {
  clientData: string;
  authenticatorData: string;
  signature: string;
}

/** A payment as it was recorded: `contentHash` covers everything that is sent. */
export interface SignedPayment {
  key: string;
  account: string;
  /** The id of the person who recorded it. */
  maker: string;
  contentHash: string;
}

export interface SigningParts {
  /** Of this dashboard: its passkeys sign here. */
  origin: string;
  tickets: Tickets;
}

type Store = Pick<PeopleStore, 'database' | 'service' | 'grants' | 'countingPasskey' | 'isDemoPerson'>;

const NO_LONGER = 'Whoever signed this payment may no longer send.';
const UNSIGNED =
  'The signature over this payment doesn’t count any more: the passkey has ended, or its maker was blocked in between.';
/** No signed payment is sent later: the lines of a batch begin within 72 hours, and are sent again within 23. */
const LONGEST_MS = 96 * 60 * 60 * 1_000;

/** What a passkey signs, beside its ticket. */
export function signedStatement(decision: Decision, items: readonly string[]): string {
  return JSON.stringify([decision, items.toSorted()]);
}

export type Signatures = ReturnType<typeof createSignatures>;

/** Signatures over payments: checked when they are made, and again from the database each time something is sent. */
export function createSignatures(
  { database, service, grants, countingPasskey, isDemoPerson }: Store,
  { origin, tickets }: SigningParts,
) {
  const rpId = new URL(origin).hostname;

  return { check, insert, whyUnsigned };

  /** A signature just made, over exactly these payments; or why it isn't one. */
  async function check(
    { person, session }: { person: string; session: string },
    items: readonly string[],
    { ticket, response }: Proof,
  ): Promise<Signature | { fault: PasskeyFault }> {
    const statement = signedStatement('send', items);
    const challenge = tickets.challenge(ticket, { purpose: 'sign', binding: session, statement });
    if (challenge === null) return { fault: 'This was signed for something else, or more than five minutes ago.' };
    const made = { id: randomUUID(), person, decision: 'send' as const, items: items.toSorted(), ticket, session };
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
    { id, person, passkey, decision, items, ticket, assertion, session }: Signature,
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
      ticket,
      client_data: assertion?.clientData ?? null,
      authenticator_data: assertion?.authenticatorData ?? null,
      signature: assertion?.signature ?? null,
      session,
      at: String(at),
    });
    await tx.query(
      `insert into people.signed (signature, subject, content_sha256, person, decision)
       select $1, one ->> 'key', one ->> 'contentHash', $2, $3 from jsonb_array_elements($4::text::jsonb) one`,
      [id, person, decision, JSON.stringify(payments.map(({ key, contentHash }) => ({ key, contentHash })))],
    );
    await tx.query('update people.passkeys set used_at = $2 where id = $1', [passkey, String(at)]);
  }

  /** In the transaction that begins to send it: why no signature of its maker counts now; null if one does. */
  async function whyUnsigned(tx: Queries, payment: SignedPayment): Promise<string | null> {
    const { account, maker } = payment;
    const person = await grants.readPerson(tx, { person: maker, account, lock: true });
    if (!person?.permissions.includes('prepare')) return NO_LONGER;
    for (const row of await signaturesOf(tx, payment)) if (await counts(tx, row, payment)) return null;
    return UNSIGNED;
  }

  /** Those that its maker made with the right that they have now: what they signed before a block ended with it. */
  async function signaturesOf(
    tx: Queries,
    { key, account, contentHash, maker }: SignedPayment,
  ): Promise<SignatureRow[]> {
    return tx.query<SignatureRow>(
      `select s.passkey, s.decision, s.items, s.ticket, s.client_data, s.authenticator_data, s.signature
       from people.signed d join people.signatures s on s.id = d.signature
       where d.subject = $1 and d.content_sha256 = $2 and s.person = $3 and s.service = $4 and s.decision = 'send'
         and exists (select 1 from people.grants g where g.person = s.person and g.account = $5
           and g.permission = 'prepare' and g.ended_at is null and g.counts_from <= s.at)`,
      [key, contentHash, maker, service, account],
    );
  }

  async function counts(tx: Queries, row: SignatureRow, { contentHash, maker }: SignedPayment): Promise<boolean> {
    const items = parseJson(row.items);
    if (!isTexts(items) || !items.includes(contentHash)) return false;
    if (tickets.age(row.ticket) > LONGEST_MS) return false;
    if (isDemoPerson(maker)) return true;
    const { passkey: id, client_data: clientDataJSON, authenticator_data: authenticatorData, signature } = row;
    const passkey = id === null ? null : await countingPasskey(tx, id);
    if (id === null || passkey?.person !== maker) return false;
    const checked = await checkAssertion({
      response: {
        id,
        rawId: id,
        type: 'public-key',
        clientExtensionResults: {},
        response: { clientDataJSON, authenticatorData, signature },
      },
      challenge: challengeOf({ purpose: 'sign', statement: signedStatement('send', items) }, row.ticket),
      origin,
      rpId,
      passkey: { id, publicKey: passkey.public_key },
    });
    return 'ok' in checked;
  }
}

type SignatureRow = {
  passkey: string | null;
  decision: string;
  items: string;
  ticket: string;
  client_data: string | null;
  authenticator_data: string | null;
  signature: string | null;
};

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((one) => typeof one === 'string');
}

/** Of a response that was checked. */
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
