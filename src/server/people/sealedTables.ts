import type { Queries, SqlRow } from '#src/server/database/sql.ts';
import { WAITS_FOR_CODE } from './passkeyRows.ts';
import {
  columnsToSeal,
  CREDENTIAL_COLUMNS,
  type CredentialRow,
  GRANT_COLUMNS,
  type GrantRow,
  INVITE_COLUMNS,
  type InviteRow,
  PASSKEY_COLUMNS,
  type PasskeyRow,
  PERSON_COLUMNS,
  type PersonRow,
  POLICY_COLUMNS,
  type PolicyRow,
  RECIPIENT_COLUMNS,
  type RecipientRow,
} from './peopleRows.ts';
import { grantCounts } from './grantRows.ts';
import type { Seals } from './seals.ts';
import { isInForce } from './policies.ts';
import { NOW_MS, readNow } from './sessionAge.ts';

// Checks and changes of all sealed rows, of every service.

interface SealedTable {
  /** SQL condition for rows that haven't ended; people and API keys never end. */
  open: string;
  /** `where`: SQL condition for the rows to read. */
  read: (queries: Queries, seals: Seals, where: string) => Promise<SealedRow[]>;
}

interface SealedRow {
  isSealed: boolean;
  /** Seals the row with its present values. */
  seal: (tx: Queries) => Promise<void>;
  /** Ends the row at this time. A row without a valid seal doesn't get one. */
  end: (tx: Queries, now: string) => Promise<void>;
}

type Ending = { ended_at: string | null };

const EVERY = 'true';
const NOT_ENDED = 'ended_at is null';

function sealedTable<Row extends SqlRow & { seal: string }>(
  table: string,
  columns: string,
  {
    key,
    only = EVERY,
    open = EVERY,
    toSeal,
  }: {
    key: readonly (keyof Row & string)[];
    /** SQL condition for the rows that need a seal. */
    only?: string;
    open?: string;
    toSeal: (row: Row) => readonly (string | number)[];
  },
): SealedTable {
  const isRow = key.map((column, at) => `${column} = $${at + 1}`).join(' and ');
  return {
    open,
    read: async (queries, seals, where) => {
      const rows = await queries.query<Row>(`select ${columns} from ${table} where ${only} and ${where}`);
      return rows.map((row) => {
        const ids = key.map((column) => row[column] ?? null);
        const isSealed = seals.isSealed(row.seal, ...toSeal(row));
        return {
          isSealed,
          seal: async (tx) => {
            const seal = seals.sealOf(...toSeal(row));
            await tx.query(`update ${table} set seal = $${key.length + 1} where ${isRow}`, [...ids, seal]);
          },
          end: async (tx, now) => {
            const ended: Row & Ending = { ...row, ended_at: now };
            const seal = isSealed ? seals.sealOf(...toSeal(ended)) : row.seal;
            await tx.query(
              `update ${table} set ended_at = $${key.length + 1}, seal = $${key.length + 2} where ${isRow}`,
              [...ids, now, seal],
            );
          },
        };
      });
    },
  };
}

const GRANTS = sealedTable<GrantRow>('people.grants', GRANT_COLUMNS, {
  key: ['id'],
  open: NOT_ENDED,
  toSeal: columnsToSeal.grant,
});
const PASSKEYS = sealedTable<PasskeyRow>('people.passkeys', PASSKEY_COLUMNS, {
  key: ['id'],
  open: NOT_ENDED,
  toSeal: columnsToSeal.passkey,
});
const INVITES = sealedTable<InviteRow>('people.invites', INVITE_COLUMNS, {
  key: ['token_sha256'],
  open: NOT_ENDED,
  toSeal: columnsToSeal.invite,
});
const POLICIES = sealedTable<PolicyRow>('people.policies', POLICY_COLUMNS, {
  key: ['service', 'account', 'number'],
  open: NOT_ENDED,
  toSeal: columnsToSeal.policy,
});
const RECIPIENTS = sealedTable<RecipientRow>('people.recipients', RECIPIENT_COLUMNS, {
  key: ['id'],
  open: NOT_ENDED,
  toSeal: columnsToSeal.recipient,
});
const SEALED_TABLES: readonly SealedTable[] = [
  sealedTable<PersonRow>('people.people', PERSON_COLUMNS, { key: ['id'], toSeal: columnsToSeal.person }),
  GRANTS,
  PASSKEYS,
  INVITES,
  POLICIES,
  RECIPIENTS,
  sealedTable<CredentialRow>('people.credentials', CREDENTIAL_COLUMNS, {
    key: ['service', 'credential'],
    // An account's first key needs no seal.
    only: 'account <> credential',
    toSeal: columnsToSeal.credential,
  }),
];

async function brokenRows(
  queries: Queries,
  seals: Seals,
  whereOf: (table: SealedTable) => string,
): Promise<SealedRow[]> {
  const rows = await Promise.all(SEALED_TABLES.map((table) => table.read(queries, seals, whereOf(table))));
  return rows.flat().filter(({ isSealed }) => !isSealed);
}

/** How many rows that haven't ended are ignored because this secret didn't seal them. */
export async function countBrokenSeals(queries: Queries, seals: Seals): Promise<number> {
  return (await brokenRows(queries, seals, ({ open }) => open)).length;
}

/** After the secret changed: seals every row that has no valid seal, with its present values. Returns how many there were. */
export async function resealAll(tx: Queries, seals: Seals): Promise<number> {
  const broken = await brokenRows(tx, seals, () => EVERY);
  for (const row of broken) await row.seal(tx);
  return broken.length;
}

/** Ends all permissions, passkeys, invites and pending policies. */
export async function endAllPeopleIn(tx: Queries, seals: Seals): Promise<void> {
  for (const table of [GRANTS, PASSKEYS, INVITES]) await endRows(tx, await table.read(tx, seals, NOT_ENDED));
  await endPendingPolicies(tx, seals);
}

/** By the database's clock alone, as the other waits here. */
async function endPendingPolicies(tx: Queries, seals: Seals): Promise<void> {
  await endRows(tx, await POLICIES.read(tx, seals, `${NOT_ENDED} and not ${isInForce(Number.MAX_SAFE_INTEGER)}`));
}

/**
 * Ends everything pending in a restored database. It may have been ended in the lost part: an invite used or revoked, a policy
 * or role stopped, a recipient blocked while it waited.
 */
export async function endAllPendingIn(tx: Queries, seals: Seals): Promise<void> {
  await endRows(tx, await INVITES.read(tx, seals, NOT_ENDED));
  await endRows(tx, await PASSKEYS.read(tx, seals, `${NOT_ENDED} and counts_from = ${WAITS_FOR_CODE}`));
  await endPendingPolicies(tx, seals);
  // By the database's clock alone, as the other waits here.
  const isWaiting = `waits_since is not null and not ${grantCounts(Number.MAX_SAFE_INTEGER)}`;
  await endRows(tx, await GRANTS.read(tx, seals, `${NOT_ENDED} and ${isWaiting}`));
  await endRows(tx, await RECIPIENTS.read(tx, seals, `${NOT_ENDED} and not blocked and counts_from > ${NOW_MS}`));
}

async function endRows(tx: Queries, rows: readonly SealedRow[]): Promise<void> {
  const now = String(await readNow(tx));
  for (const row of rows) await row.end(tx, now);
}
