import { randomUUID } from 'node:crypto';
import type * as people from '#src/server/people/people.ts';
import type { People } from '#src/server/people/people.ts';
import type * as grants from '#src/server/people/grants.ts';
import type * as signatures from '#src/server/people/signatures.ts';
import type * as secrets from '#src/server/people/secrets.ts';
import type * as sealedTables from '#src/server/people/sealedTables.ts';
import type * as actors from '#src/server/people/actor.ts';
import type * as journal from '#src/server/operations/sqlRows.ts';
import { JOURNAL_VERSION } from '#src/server/operations/sqlRows.ts';
import type { Database } from '#src/server/database/sql.ts';
import type { Mutant } from './mutant.ts';

// Mutants of sign-in and permissions, found by the runs of people.

/** The functions that change or look up people, with some in their place. */
const peopleAre =
  (change: (own: People, database: Database) => Partial<People>) =>
  (original: typeof people): Partial<typeof people> => ({
    openPeople: (parts) => {
      const own = original.openPeople(parts);
      return { ...own, ...change(own, parts.database) };
    },
  });

const anyPasskey = peopleAre((_, database) => ({
  findPasskey: async (id) => {
    const [row] = await database.query<{ person: string; public_key: string }>(
      'select person, public_key from people.passkeys where id = $1 and ended_at is null',
      [id],
    );
    return row === undefined ? null : { person: row.person, publicKey: row.public_key };
  },
}));

const anyCode = peopleAre((own, database) => ({
  confirm: async (actor, person, code) => {
    const [row] = await database.query<{ code: string }>(
      'select code from people.invites where person = $1 and ended_at is null and code is not null',
      [person],
    );
    return own.confirm(actor, person, row?.code ?? code);
  },
}));

/** A used invite gives its permissions before its code is typed. */
const permissionsAtJoin = (original: typeof grants): Partial<typeof grants> => ({
  createGrants: (...parts) => {
    const own = original.createGrants(...parts);
    return {
      ...own,
      readPerson: async (queries, of) => {
        const found = await own.readPerson(queries, of);
        if (found === null || found.permissions.length > 0) return found;
        const used = await queries.query(
          'select 1 as one from people.invites where person = $1 and code is not null and ended_at is null',
          [of.person],
        );
        return used.length === 0 ? found : { ...found, permissions: ['view', 'prepare', 'admin'] };
      },
    };
  },
});

const noCodeFromConsole = peopleAre((own, database) => ({
  join: async (account, more) => {
    const joined = await own.join(account, more);
    if (typeof joined !== 'string' && joined.code !== null && 'passkey' in more)
      await database.query('update people.passkeys set counts_from = created_at where id = $1', [more.passkey.id]);
    return joined;
  },
}));

const adminsAreNotBlocked = peopleAre((own) => ({
  block: async (actor, person) => {
    const { permissions = [] } = (await own.findPerson(actor.account, person)) ?? {};
    return permissions.includes('admin') ? 'not_found' : own.block(actor, person);
  },
}));

/** Each sign-in writes to the journal. */
const refusalsTakeTurns = peopleAre((own, database) => ({
  findPasskey: async (id) => {
    await database.query('update operations.journal set position = position + 1');
    await database.query(
      `insert into operations.marks (position, nonce) select position, md5(position::text) from operations.journal
       on conflict do nothing`,
    );
    return own.findPasskey(id);
  },
}));

const passkeysOutliveEndPeople = (): Partial<typeof sealedTables> => ({
  endAllPeopleIn: async (transaction) => {
    await transaction.query('update people.invites set ended_at = 1 where ended_at is null');
  },
});

const tokensAsTheyAre = (): Partial<typeof secrets> => ({ tokenHash: (token) => token });

const blockLeavesSessions = peopleAre((own, database) => ({
  block: async (actor, person) => {
    const open = await database.query<{ id: string; seal: string }>(
      'select id from people.sessions where person = $1 and ended_at is null',
      [person],
    );
    const given = await database.query<{ id: string; seal: string }>(
      'select id, seal from people.grants where person = $1 and ended_at is null',
      [person],
    );
    const done = await own.block(actor, person);
    for (const { id } of open)
      await database.query('update people.sessions set ended_at = null, ended_why = null where id = $1', [id]);
    for (const { id, seal } of given)
      await database.query('update people.grants set ended_at = null, ended_by = null, seal = $2 where id = $1', [
        id,
        seal,
      ]);
    return done;
  },
}));

const knownRightsAreEnough = (): Partial<typeof actors> => ({ requireAbility: () => undefined });

const withoutLines = (original: typeof journal): Partial<typeof journal> => ({
  createActivityWriter: (...parts) => ({ ...original.createActivityWriter(...parts), note: async () => undefined }),
});

const blockLeavesPayments = (original: typeof journal): Partial<typeof journal> => ({
  createActivityWriter: (...parts) => ({
    ...original.createActivityWriter(...parts),
    endUnsentOf: async () => undefined,
  }),
});

const anyVersionWrites = (original: typeof journal): Partial<typeof journal> => ({
  createActivityWriter: (...parts) => ({
    ...original.createActivityWriter(...parts),
    begin: async (tx) => {
      const [row] = await tx.query<{ mode: 'key' | 'people'; version: number }>(
        'select mode, version from operations.journal for update',
      );
      await tx.query('update operations.journal set mode = $1, version = $2', ['people', JOURNAL_VERSION]);
      const begun = await original.createActivityWriter(...parts).begin(tx);
      await tx.query('update operations.journal set mode = $1, version = $2', [
        row?.mode ?? 'key',
        row?.version ?? JOURNAL_VERSION,
      ]);
      return begun;
    },
  }),
});

/** Signatures are checked when a payment is recorded, and not again when it is sent. */
const signedOnceIsEnough = (original: typeof signatures): Partial<typeof signatures> => ({
  createSignatures: (...parts) => ({ ...original.createSignatures(...parts), whyNotApproved: async () => null }),
});

/** Whoever has the session's cookie signs. */
const anySignature = (original: typeof signatures): Partial<typeof signatures> => ({
  createSignatures: (store, parts) => ({
    ...original.createSignatures(store, parts),
    check: async ({ person, session }, toSign, { ticket }) => {
      const [row] = await store.database.query<{ id: string }>('select id from people.passkeys where person = $1', [
        person,
      ]);
      const assertion = { clientData: '', authenticatorData: '', signature: '' };
      const made = { id: randomUUID(), person, ...toSign, ticket, session };
      return { ...made, passkey: row?.id ?? null, assertion };
    },
    whyNotApproved: async () => null,
  }),
});

export const PEOPLE_MUTANTS: readonly Mutant[] = [
  {
    name: 'a passkey signs in before its code is typed',
    breaks: 'tooEarly',
    modules: { 'server/people/people.ts': anyPasskey },
  },
  { name: 'any code will do', breaks: 'tooEarly', modules: { 'server/people/people.ts': anyCode } },
  {
    name: 'whoever joins has permissions before the code is typed',
    breaks: 'tooEarly',
    modules: { 'server/people/people.ts': noCodeFromConsole, 'server/people/grants.ts': permissionsAtJoin },
  },
  {
    name: 'an admin can’t be blocked',
    breaks: 'lockedOut',
    modules: { 'server/people/people.ts': adminsAreNotBlocked },
  },
  {
    name: 'a refused sign-in takes the turn',
    breaks: 'lockedOut',
    modules: { 'server/people/people.ts': refusalsTakeTurns },
  },
  {
    name: 'passkeys and roles outlive --end-people',
    breaks: 'lockedOut',
    modules: { 'server/people/sealedTables.ts': passkeysOutliveEndPeople },
  },
  { name: 'tokens are stored as they are', breaks: 'leaks', modules: { 'server/people/secrets.ts': tokensAsTheyAre } },
  {
    name: 'whoever is blocked keeps sessions and roles',
    breaks: 'withoutSession',
    modules: { 'server/people/people.ts': blockLeavesSessions },
  },
  {
    name: 'what a blocked person prepared goes on waiting',
    breaks: 'unresolved',
    modules: { 'server/operations/sqlRows.ts': blockLeavesPayments },
  },
  {
    name: 'people: a write asks only what the server knows',
    breaks: 'withoutRight',
    modules: { 'server/people/actor.ts': knownRightsAreEnough },
  },
  {
    name: 'acts on people have no line',
    breaks: 'withoutLine',
    modules: { 'server/operations/sqlRows.ts': withoutLines },
  },
  {
    name: 'a server of another version or sign-in changes people',
    breaks: 'withoutRight',
    modules: { 'server/operations/sqlRows.ts': anyVersionWrites },
  },
  {
    name: 'signatures are not checked again when a payment is sent',
    breaks: 'unsigned',
    modules: { 'server/people/signatures.ts': signedOnceIsEnough },
  },
  {
    name: 'a payment takes any signature',
    breaks: 'unsigned',
    modules: { 'server/people/signatures.ts': anySignature },
  },
];
