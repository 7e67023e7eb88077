import type { Permission } from '#src/shared/permissions.ts';
import { createPaymentJudge } from './paymentJudge.ts';
import { type PeopleScene, type RightsThen, databaseNow } from './peopleScene.ts';
import { createRecipientJudge } from './recipientJudge.ts';

const MINUTE_MS = 60_000;
/** A server may serve reads of a session that it knows for as long as the database is away. */
const READS_LINGER_MS = 6 * MINUTE_MS;
/** 30 minutes, and the minute in which a person's activity isn't written again. */
const IDLE_MS = 31 * MINUTE_MS;
const LONGEST_MS = 12 * 60 * MINUTE_MS;
/** Approving needs a more recent sign-in than this. */
const APPROVING_MS = 4 * 60 * MINUTE_MS;

interface KnownKey {
  person: string;
  /** Its code was typed by an admin who may, or it needed none. */
  mayCount: boolean;
  hasEnded: boolean;
}

interface KnownSession {
  person: string;
  /** When it certainly ended, by the true clock; null if it may be open. */
  endedAt: number | null;
  beganAt: number;
  usedAt: number;
  /** Number of clock jumps when it was last used. */
  jumps: number;
  /** The same number when the session began. */
  jumpsBefore: number;
}

interface Truth {
  /** The permissions that people may have at most: an unanswered request may have given some. */
  mayHave: Map<string, Set<Permission>>;
  keys: Map<string, KnownKey>;
}

export interface JudgedUse {
  person: string;
  token: string;
  needs: readonly Permission[];
  /** The passkey that signed the request. */
  signer?: string;
  /** When the request began. */
  at: number;
  what: string;
  /** The rights at the server's commit: the server may have been frozen after it. */
  rightsThen?: RightsThen;
}

export type PeopleJudge = ReturnType<typeof createPeopleJudge>;

/** Keeps its own record of what happened, and compares what servers did with it. */
export function createPeopleJudge(scene: PeopleScene) {
  let truth: Truth = { mayHave: new Map(), keys: new Map() };
  let kept: Truth | null = null;
  const sessions = new Map<string, KnownSession>();
  const secrets = new Map<string, string>();
  let jumps = 0;
  /** In a restored database people may only view. */
  let isFrozen = false;

  const blame = scene.blame;

  function permissionsOf(person: string): ReadonlySet<Permission> {
    const own = truth.mayHave.get(person) ?? new Set();
    return isFrozen ? new Set([...own].filter((one) => one === 'view')) : own;
  }

  function isEnded(token: string, at: number): boolean {
    const session = sessions.get(token);
    if (session === undefined) return true;
    if (session.endedAt !== null && session.endedAt < at) return true;
    // A clock jump may have kept it open, or ended it.
    if (session.jumps !== jumps) return false;
    return at - session.usedAt > IDLE_MS || at - session.beganAt > LONGEST_MS;
  }

  const recipients = createRecipientJudge(scene);
  const payments = createPaymentJudge({
    scene,
    recipients,
    hasEnded: (token) => (sessions.get(token)?.endedAt ?? null) !== null,
    permissionsOf,
    mayCount: (person, passkey) => {
      const known = truth.keys.get(passkey);
      return known?.person === person && known.mayCount && !known.hasEnded;
    },
  });

  return {
    payments,
    recipients,
    secret: (value: string, what: string) => void secrets.set(value, what),
    searched: (text: string, where: string) => {
      scene.count('textsSearched');
      for (const [secret, what] of secrets) if (text.includes(secret)) blame('leaks', `${where} has ${what}`);
    },

    hasSession: (token: string | null) => token !== null && !isEnded(token, scene.now),
    /** Whether the sign-in is too old to approve; false if a clock jump may have changed its age. */
    isOldSignIn: (token: string | null): boolean => {
      const session = sessions.get(token ?? '');
      return session !== undefined && session.jumpsBefore === jumps && scene.now - session.beganAt >= APPROVING_MS;
    },
    clockJumped: () => void (jumps += 1),
    permissionsOf,
    mayAct: (person: string, token: string | null, signer: string, permission: Permission): boolean => {
      const key = truth.keys.get(signer);
      if (token === null || isEnded(token, scene.now)) return false;
      return key?.person === person && key.mayCount && !key.hasEnded && permissionsOf(person).has(permission);
    },
    waits: (key: string): boolean => truth.keys.get(key)?.mayCount === false,

    /** Somebody is about to create a passkey. */
    registers: (key: string, person: string, mayCount: boolean) => {
      const before = truth.keys.get(key);
      truth.keys.set(key, { person, mayCount: mayCount || before?.mayCount === true, hasEnded: false });
    },
    /** Somebody with the permission is about to type the right code. */
    typesCode: (key: string) => {
      const known = truth.keys.get(key);
      if (known !== undefined) known.mayCount = true;
    },
    /** Somebody with the permission is about to give permissions. */
    gives: (person: string, permissions: readonly Permission[]) => {
      truth.mayHave.set(person, new Set([...(truth.mayHave.get(person) ?? []), ...permissions]));
    },
    /** An answer says that the person now has exactly these permissions. */
    gave: (person: string, permissions: readonly Permission[]) => {
      truth.mayHave.set(person, new Set(permissions));
      payments.rightsAre(person, permissions);
    },
    keyEnded: (key: string) => {
      const known = truth.keys.get(key);
      if (known !== undefined) known.hasEnded = true;
    },
    otherKeysEnded: (person: string, key: string) => {
      for (const [id, known] of truth.keys) if (known.person === person && id !== key) known.hasEnded = true;
    },
    sessionsEnded: (person: string | null) => {
      for (const session of sessions.values())
        if (person === null || session.person === person) session.endedAt ??= scene.now;
    },
    sessionEnded: (token: string) => {
      const session = sessions.get(token);
      if (session !== undefined) session.endedAt ??= scene.now;
    },

    signedIn: (token: string, person: string, key: string) => {
      const known = truth.keys.get(key);
      if (known?.mayCount !== true) blame('tooEarly', `${person} is signed in with a passkey whose code nobody typed`);
      else if (known.hasEnded) blame('withoutRight', `${person} is signed in with a passkey that has ended`);
      if (permissionsOf(person).size === 0) blame('withoutRight', `${person} is signed in without any permission`);
      sessions.set(token, { person, endedAt: null, beganAt: scene.now, usedAt: scene.now, jumps, jumpsBefore: jumps });
    },

    /** A server carried out a request. */
    used: ({ person, token, needs, signer, at, what, rightsThen }: JudgedUse) => {
      if (isEnded(token, at)) blame('withoutSession', `${what} for a session of ${person} that had ended`);
      const own = rightsThen?.permissions.get(person) ?? permissionsOf(person);
      if (!needs.some((one) => own.has(one)))
        blame('withoutRight', `${what} for ${person}, who has ${[...own].join()}`);
      const key = signer === undefined ? undefined : truth.keys.get(signer);
      if (signer !== undefined && key?.mayCount !== true) blame('tooEarly', `${what} with a passkey that waits`);
      const hasEnded = rightsThen === undefined ? key?.hasEnded : rightsThen.endedKeys.has(signer ?? '');
      if (hasEnded === true) blame('withoutRight', `${what} with a passkey that has ended`);
    },
    /** The rights at a server's commit, for an answer that comes later. */
    rightsNow: (): RightsThen => ({
      permissions: new Map([...truth.mayHave.keys()].map((person) => [person, new Set(permissionsOf(person))])),
      endedKeys: new Set([...truth.keys].flatMap(([id, { hasEnded }]) => (hasEnded ? id : []))),
    }),
    /** A server showed something to a session. */
    read: (token: string, at: number) => {
      const session = sessions.get(token);
      if (session === undefined) return;
      const endedAt = session.endedAt ?? Number.POSITIVE_INFINITY;
      if (at - endedAt > READS_LINGER_MS)
        blame('withoutSession', `something is shown to a session of ${session.person}`);
    },
    /** A person's request arrived in an open session. */
    active: (token: string) => {
      const session = sessions.get(token);
      if (session === undefined || session.endedAt !== null) return;
      session.usedAt = scene.now;
      session.jumps = jumps;
    },

    /** Checks that everything in force in the database was given according to this record. */
    compare: async () => {
      const now = String(databaseNow(scene));
      const { database } = scene.tables;
      const grants = await database.query<{ person: string; permission: string }>(
        `select person, permission from people.grants where ended_at is null and counts_from <= $1::bigint`,
        [now],
      );
      for (const { person, permission } of grants) {
        const own: ReadonlySet<string> = truth.mayHave.get(person) ?? new Set();
        if (!own.has(permission)) blame('tooEarly', `${permission} of ${person} counts, and nobody gave it`);
      }
      const passkeys = await database.query<{ id: string; person: string }>(
        `select id, person from people.passkeys where ended_at is null and counts_from <= $1::bigint`,
        [now],
      );
      for (const { id, person } of passkeys)
        if (truth.keys.get(id)?.mayCount !== true) blame('tooEarly', `a passkey of ${person} counts before its code`);
    },

    backedUp: () => {
      kept = structuredClone(truth);
      payments.policiesBackedUp();
      recipients.backedUp();
    },
    /** The truth is that of the backup again. Until the set-back is ended, people may only view. */
    restored: () => {
      if (kept !== null) truth = kept;
      payments.policiesRestored();
      recipients.restored();
      kept = null;
      isFrozen = true;
      for (const session of sessions.values()) session.endedAt ??= scene.now;
    },
    setBackEnded: () => {
      isFrozen = false;
    },
    isFrozen: () => isFrozen,
    everythingEnded: () => {
      for (const person of truth.mayHave.keys()) payments.rightsAre(person, []);
      truth.mayHave.clear();
      for (const known of truth.keys.values()) known.hasEnded = true;
      for (const session of sessions.values()) session.endedAt ??= scene.now;
    },
  };
}
