import { isObject, parseJson } from '#src/shared/answers.ts';
import type { Activity, ActivityFacts, ActKind } from '#src/shared/contract/activityContract.ts';
import { amountText } from '#src/shared/operations/kinds.ts';
import { paths } from '#src/shared/paths.ts';
import { capital, shorten, textOrJson } from '#src/shared/text.ts';

export interface ActivityText {
  /** "Pressed Send for 12 USDT to TXab…9f2c" */
  text: string;
  /** The page of the entry's subject. */
  to?: string;
  /** The reason that the person typed. */
  words?: string;
}

const OPERATIONS: Record<string, string> = {
  withdrawal: 'a withdrawal',
  'deposit-address': 'a deposit address',
  charge: 'a charge',
  'webhook-replay': 'a webhook replay',
};

/** "12 USDT to TXab…9f2c", or "an operation" and the like if it has no amount or address. */
function operationOf({ operation = '', amount, asset = '', address }: Activity['facts'], hidden: boolean): string {
  if (amount === undefined || address === undefined) return OPERATIONS[operation] ?? 'an operation';
  return `${amountText({ amount, asset, destination: null }, hidden)} to ${shorten(address)}`;
}

/** The roles that don't count yet, in words. */
function waitingText({ waiting, until }: Activity['facts']): string {
  if (waiting === undefined) return '';
  return until === 'admin'
    ? `. Another admin has to confirm: ${waiting}`
    : `. Nobody else can confirm, so it waits for some days: ${waiting}`;
}

const PEOPLE_ACTS: Partial<Record<ActKind, (name: string, facts: Activity['facts']) => string>> = {
  'person.invited': (name, { roles = '' }) => `Invited ${name} as ${roles}`,
  'person.invited-again': (name) => `Made a new invite for ${name}`,
  'person.invite-ended': (name) => `Revoked the invite of ${name}`,
  'person.joined': (_, { beside, ...facts }) =>
    `Used the invite${beside === undefined ? '' : ` in a browser where ${beside} was signed in`}${waitingText(facts)}`,
  'person.confirmed': (name, facts) => `Confirmed the code of ${name}${waitingText(facts)}`,
  'person.wrong-code': (name) => `Entered a wrong code for ${name}`,
  'person.changed': (name, { roles = '', ...facts }) => `Changed the roles of ${name} to ${roles}${waitingText(facts)}`,
  'person.role-confirmed': (name, { roles = '' }) => `Confirmed ${name} as ${roles}`,
  'person.role-refused': (name, { roles = '' }) => `Refused ${name} as ${roles}`,
  'person.blocked': (name) => `Blocked ${name}`,
  'person.signed-out': (name) => `Signed ${name} out everywhere`,
  'person.email-changed': (name, { whose = '' }) =>
    whose === 'own' ? 'Changed their e-mail address' : `Changed the e-mail address of ${name}`,
  'passkey.added': () => 'Added a passkey',
  'passkey.removed': () => 'Removed a passkey',
  'session.ended': () => 'Ended another session',
};

const OPERATION_ACTS: Partial<Record<ActKind, (what: string) => string>> = {
  'operation.recorded': (what) => `Prepared ${what}`,
  'operation.sent': (what) => `Pressed Send for ${what}`,
  'operation.discarded': (what) => `Discarded ${what}`,
  'operation.closed': (what) => `Closed ${what}`,
  'operation.approved': (what) => `Approved ${what}`,
  'operation.rejected': (what) => `Rejected ${what}`,
  'operation.stopped': (what) => `Stopped resending ${what}`,
  'operation.lapsed': (what) => `Expired: ${what}`,
  'operation.confirmed-not-sent': (what) => `Confirmed as not sent: ${what}`,
};

const BATCH_ACTS: Partial<Record<ActKind, (facts: ActivityFacts) => string>> = {
  'batch.recorded': ({ payments = '' }) => `Prepared a batch of ${payments} payments`,
  'batch.approved': ({ payments = '' }) => `Approved ${payments} payments of a batch`,
  'batch.rejected': ({ payments = '' }) => `Rejected ${payments} payments of a batch`,
  'batch.lapsed': ({ payments = '' }) => `Expired: ${payments} payments of a batch`,
  'batch.started': () => 'Pressed Send for a batch',
  'batch.stopped': () => 'Stopped a batch',
  'batch.withdrawn': () => 'Withdrew what was left of a batch',
};

const POLICY_EFFECTS: Record<string, string> = {
  now: 'Changed the approval rules',
  admin: 'Proposed approval rules, which wait for another admin',
  waiting: 'Proposed approval rules, which nobody else can confirm',
};

const POLICY_ACTS: Partial<Record<ActKind, (facts: ActivityFacts) => string>> = {
  'policy.proposed': ({ number = '', effect = '', changes = '' }) =>
    `${POLICY_EFFECTS[effect] ?? 'Proposed approval rules'} (version ${number}): ${changes}`,
  'policy.confirmed': ({ number = '' }) => `Confirmed version ${number} of the approval rules`,
  'policy.vetoed': ({ number = '' }) => `Stopped version ${number} of the approval rules`,
};

const RECIPIENT_ACTS: Partial<Record<ActKind, (facts: ActivityFacts) => string>> = {
  'recipient.confirmed': ({ name = '', recipients = '1' }) =>
    recipients === '1'
      ? `Confirmed the recipient ${name}`
      : `Confirmed ${name} and ${Number(recipients) - 1} more recipients`,
  'recipient.blocked': ({ name = '' }) => `Blocked the recipient ${name}`,
};

const SERVER_ACTS: Partial<Record<ActKind, string>> = {
  'account.key-added': 'A new API key was added to this account',
  'activity.sealed': 'Since then, entries removed from the end of the activity are noticed',
  'people.resealed': 'People, roles and passkeys were sealed with a new secret',
  'journal.set-back': 'Newer records may be missing: from now on nothing is called unsent',
  'notice.sent-again': 'Sent a notice again',
  'notice.test-sent': 'Sent a test notice',
  'journal.set-back-ended': 'Ended the set-back: payments sent in between are accounted for',
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
  'set-back': 'Was signed out: newer records may be missing',
  'mode-changed': 'Was signed out: sign-in changed',
  'secret-changed': 'Was signed out: the server’s secret changed',
  'key-joined': 'Was signed out: the API key was joined to its account',
  'account-switched': 'Switched to another account',
};

const CHANGES: Record<string, string> = { added: 'Added', changed: 'Changed', removed: 'Removed' };

/** An entry in words. An unknown kind, of a later version, is shown by its own name. `hidden`: the person hides amounts. */
export function activityText({ kind, subject, subject_name: name, facts }: Activity, hidden: boolean): ActivityText {
  const words = facts['words'] === undefined ? {} : { words: facts['words'] };
  const person = name ?? 'a person';
  const onPerson = lookUp(PEOPLE_ACTS, kind)?.(person, facts);
  if (onPerson !== undefined) return { text: onPerson, ...words };
  const onOperation = lookUp(OPERATION_ACTS, kind)?.(operationOf(facts, hidden));
  if (onOperation !== undefined)
    return { text: onOperation, ...(subject === null ? {} : { to: paths.operation(subject) }), ...words };
  const onBatch = lookUp(BATCH_ACTS, kind)?.(facts);
  if (onBatch !== undefined)
    return { text: onBatch, ...(subject === null ? {} : { to: paths.batch(subject) }), ...words };
  const onPolicy = lookUp(POLICY_ACTS, kind)?.(facts);
  if (onPolicy !== undefined) return { text: onPolicy, to: paths.policy };
  const onRecipient = lookUp(RECIPIENT_ACTS, kind)?.(facts);
  if (onRecipient !== undefined)
    return { text: onRecipient, to: subject === null ? paths.recipients : paths.recipient(subject), ...words };
  if (kind === 'sign-in.changed')
    return {
      text: facts['to'] === 'key' ? 'Sign-in changed to API keys' : 'Sign-in changed: people sign in as themselves',
      ...words,
    };
  if (kind === 'journal.moved') return { text: `The dashboard moved to ${facts['to'] ?? 'another address'}`, ...words };
  const onServer = lookUp(SERVER_ACTS, kind);
  if (onServer !== undefined) return { text: onServer, ...words };
  if (kind === 'signed-in') return { text: 'Signed in' };
  if (kind === 'account-switched') return { text: 'Switched to this account' };
  if (kind === 'signed-out') return { text: ENDINGS[facts['why'] ?? ''] ?? 'Session ended' };
  if (kind === 'exported') return { text: exportedText(facts) };
  if (kind === 'exported-partly') return { text: `${exportedText(facts)}, not complete` };
  const [collection = '', change = ''] = kind.split('.');
  const verb = CHANGES[change];
  return verb === undefined ? { text: kind } : ofTeam(collection, verb, { subject, facts });
}

/** "Exported 120 deposits (status completed), SHA-256 0a1b…9f2c" */
function exportedText({ list = '', rows = '', filters = '', sha256 = '' }: Activity['facts']): string {
  const of = parseJson(filters);
  const scope = isObject(of)
    ? Object.entries(of).map(([name, value]) => `${name.replaceAll('_', ' ')} ${textOrJson(value)}`)
    : [];
  const what = `${rows} ${list.replaceAll('-', ' ')}`;
  return `Exported ${what}${scope.length > 0 ? ` (${scope.join(', ')})` : ''}, SHA-256 ${shorten(sha256)}`;
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
    case 'pay-by':
      return { text: `${verb} by when a payment is to be paid` };
    case 'standing-payments':
      return { text: `${verb} standing payment ${name ?? ''}`.trim(), to: paths.standingPayments };
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
