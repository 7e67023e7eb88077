import type { Activity, ActKind } from '#src/shared/contract/activityContract.ts';
import { amountText } from '#src/shared/operations/kinds.ts';
import { paths } from '#src/shared/paths.ts';
import { capital, shorten } from '#src/shared/text.ts';

export interface ActivityText {
  /** "Pressed Send for 12 USDT to TXab…9f2c" */
  text: string;
  /** The page of what it is about. */
  to?: string;
  /** What the person typed as a reason. */
  words?: string;
}

const OPERATIONS: Record<string, string> = {
  withdrawal: 'a withdrawal',
  'deposit-address': 'a deposit address',
  charge: 'a charge',
  'webhook-replay': 'a webhook replay',
};

/** "12 USDT to TXab…9f2c", or what else it was. */
function operationOf({ operation = '', amount, asset = '', address }: Activity['facts'], hidden: boolean): string {
  if (amount === undefined || address === undefined) return OPERATIONS[operation] ?? 'an operation';
  return `${amountText({ amount, asset, destination: null }, hidden)} to ${shorten(address)}`;
}

const PEOPLE_ACTS: Partial<Record<ActKind, (name: string, facts: Activity['facts']) => string>> = {
  'person.invited': (name, { roles = '' }) => `Invited ${name} as ${roles}`,
  'person.invited-again': (name) => `Made a new invite for ${name}`,
  'person.invite-ended': (name) => `Revoked the invite of ${name}`,
  'person.joined': () => 'Joined with a passkey',
  'person.confirmed': (name) => `Confirmed the code of ${name}`,
  'person.wrong-code': (name) => `Typed a wrong code for ${name}`,
  'person.changed': (name, { roles = '' }) => `Changed the roles of ${name} to ${roles}`,
  'person.blocked': (name) => `Blocked ${name}`,
  'person.signed-out': (name) => `Signed ${name} out everywhere`,
  'passkey.added': () => 'Added a passkey',
  'passkey.removed': () => 'Removed a passkey',
  'session.ended': () => 'Ended another session',
};

const OPERATION_ACTS: Partial<Record<ActKind, (what: string) => string>> = {
  'operation.recorded': (what) => `Prepared ${what}`,
  'operation.sent': (what) => `Pressed Send for ${what}`,
  'operation.discarded': (what) => `Discarded ${what}`,
  'operation.closed': (what) => `Closed ${what}`,
  'operation.confirmed-not-sent': (what) => `Confirmed as not sent: ${what}`,
};

const SERVER_ACTS: Partial<Record<ActKind, string>> = {
  'account.key-added': 'A new API key was added to this account',
  'journal.set-back': 'An older copy of the database was found',
  'journal.set-back-ended': 'Said that what was sent in between is known',
};

const ENDINGS: Record<string, string> = {
  'signed-out': 'Signed out',
  'signed-out-everywhere': 'Was signed out everywhere',
  replaced: 'Signed in again in the same browser',
  'key-refused': 'Was signed out: the provider refused the API key',
  blocked: 'Was signed out: blocked',
  'passkey-lost': 'Was signed out: a passkey ended',
  idle: 'Was signed out after 30 minutes without activity',
  'too-old': 'Was signed out: the session was too old',
  'set-back': 'Was signed out: an older copy of the database was found',
  'mode-changed': 'Was signed out: sign-in changed',
};

const CHANGES: Record<string, string> = { added: 'Added', changed: 'Changed', removed: 'Removed' };

/** What was done, in words. A kind of a later version is named as it is. `hidden`: the person hides amounts. */
export function activityText({ kind, subject, subject_name: name, facts }: Activity, hidden: boolean): ActivityText {
  const words = facts['words'] === undefined ? {} : { words: facts['words'] };
  const person = name ?? 'a person';
  const onPerson = lookUp(PEOPLE_ACTS, kind)?.(person, facts);
  if (onPerson !== undefined) return { text: onPerson, ...words };
  const onOperation = lookUp(OPERATION_ACTS, kind)?.(operationOf(facts, hidden));
  if (onOperation !== undefined)
    return { text: onOperation, ...(subject === null ? {} : { to: paths.operation(subject) }), ...words };
  if (kind === 'sign-in.changed')
    return { text: facts['to'] === 'key' ? 'Sign-in changed to API keys' : 'Sign-in changed to passkeys', ...words };
  const onServer = lookUp(SERVER_ACTS, kind);
  if (onServer !== undefined) return { text: onServer, ...words };
  if (kind === 'signed-in') return { text: 'Signed in' };
  if (kind === 'signed-out') return { text: ENDINGS[facts['why'] ?? ''] ?? 'Session ended' };
  const [collection = '', change = ''] = kind.split('.');
  const verb = CHANGES[change];
  return verb === undefined ? { text: kind } : ofTeam(collection, verb, { subject, facts });
}

function ofTeam(
  collection: string,
  verb: string,
  { subject, facts }: Pick<Activity, 'subject' | 'facts'>,
): ActivityText {
  const { kind = '', id = '', name, mark } = facts;
  const to = pageOf(kind, id);
  const payment = `${kind} ${shorten(id)}`;
  switch (collection) {
    case 'recipients':
      return { text: `${verb} recipient ${name ?? ''}`.trim(), to: paths.recipients };
    case 'notes':
      return { text: `${verb} the note of ${payment}`, ...to };
    case 'marks':
      return { text: `${verb === 'Removed' ? 'Took back' : 'Set'} “${mark ?? ''}” of ${payment}`, ...to };
    case 'deposit-addresses':
      return { text: `${verb} the label of an address`, ...(subject === null ? {} : { to: paths.address(subject) }) };
    case 'closed-periods':
      return { text: `Closed ${name ?? 'a month'}`, to: paths.monthClose };
    case 'settings':
      return { text: `${verb} a setting` };
    default:
      return { text: capital(`${verb.toLowerCase()} ${collection}`) };
  }
}

function pageOf(kind: string, id: string): { to?: string } {
  if (id === '') return {};
  if (kind === 'deposit') return { to: paths.deposit(id) };
  if (kind === 'withdrawal') return { to: paths.withdrawal(id) };
  return kind === 'operation' ? { to: paths.operation(id) } : {};
}

function lookUp<T>(table: Partial<Record<ActKind, T>>, kind: string): T | undefined {
  return Object.entries(table).find(([name]) => name === kind)?.[1];
}
