import { isAmount, isNegative, isZero } from '#src/lib/amount.ts';
import { answerWords, isRunning } from '#src/lib/operations/attemptWords.ts';
import { sameAmount } from '#src/lib/operations/compare.ts';
import type { AttemptNote, Operation } from '#src/lib/operations/record.ts';
import { byWhom } from '#src/lib/operations/who.ts';
import { knownStatus } from '#src/lib/paymentStatus.ts';
import { asText, visible } from '#src/lib/text.ts';
import { isPlausibleTime, lasting, took } from '#src/lib/time.ts';
import type { LedgerEntryRow } from '#src/api/schemas.ts';
import type { ListRow } from '#src/list/fields.tsx';

/** What shows that a step happened. */
export type Proof =
  | { kind: 'operation'; key: string; /** In its place, on a redacted copy. */ shown?: string }
  | { kind: 'attempt'; key: string; number: number }
  /** A response of the service; null: it came without an id. */
  | { kind: 'request'; id: string | null }
  | { kind: 'payment'; of: Told['of']; id: string }
  | { kind: 'ledger'; ids: readonly string[] }
  | { kind: 'hash'; hash: string; chain: string | null };

/** What a ledger transaction moved: "99 USDT moved from available to locked". */
export interface Movement {
  amount: string;
  asset: string | null;
  words: string;
}

export type StepMark =
  | 'saved'
  | 'sent'
  | 'lost'
  | 'accepted'
  | 'motion'
  | 'chain'
  | 'proof'
  | 'alarm'
  | 'back'
  | 'entry';

/** One thing that happened to a payment. Nothing is a step without a proof. */
export interface Step {
  /** Unix seconds; null: nothing says when. */
  at: number | null;
  /** It happened before `at`: that is when a response first said so here. */
  isSeen?: true;
  mark: StepMark;
  what: string;
  /** The rest of the sentence. */
  more?: string;
  notes: readonly (string | Movement)[];
  proofs: readonly [Proof, ...Proof[]];
}

/** A status and the first response that brought it here. */
export interface SeenStatus {
  status: string | null;
  /** Unix seconds. */
  at: number;
  requestId: string | null;
}

interface Told {
  of: 'deposit' | 'withdrawal';
  row: ListRow;
  seen: SeenStatus;
  /** What the ledger has of it; empty where it has nothing, or was not read. */
  entries: readonly LedgerEntryRow[];
  /** The operation that made it; null: none that is recorded here. */
  made: Operation | null;
}

/** What happened to a payment, in order, as far as it is proved. */
export function timelineOf(told: Told): Step[] {
  const { of, row, seen, entries, made } = told;
  const groups = groupsOf(entries);
  const inRole = (role: Role) => groups.filter((group) => roleOf(of, group) === role);
  const [begun, released, left, other] = [inRole('begun'), inRole('released'), inRole('left'), inRole('other')];
  const isDeposit = of === 'deposit';
  const ended = isDeposit ? released : left;
  const steps = [
    ...(made ? sendingSteps(made) : []),
    isDeposit ? detected(row, begun) : accepted(row, begun, made),
    ...(isDeposit ? [] : onChain(row, seen)),
    ...other.map((group) => movedStep('Ledger entry', 'entry', group)),
  ];
  const known = knownStatus(seen.status);
  if (known?.tone === 'proof') {
    const word = isDeposit && released.length > 0 ? 'Available' : known.word;
    steps.push(timed(statusStep(seen, 'proof', word, ended), told));
    if (!isDeposit) steps.push(...released.map((group) => movedStep('Released', 'back', group)));
  } else if (known?.tone === 'alarm') {
    const gone = isDeposit ? left : [...left, ...released];
    steps.push(timed(statusStep(seen, 'alarm', known.word, isDeposit ? left : [], timeIn(gone)), told));
    if (!isDeposit) steps.push(...gone.map((group) => movedStep('Released', 'back', group)));
    else steps.push(...released.map((group) => movedStep('Available', 'entry', group)));
  } else {
    if (seen.status !== null && !BEGINNING.has(seen.status))
      steps.push(statusStep(seen, 'motion', wordOf(seen.status)));
    const arrived = isDeposit ? 'Available' : 'Released';
    steps.push(...released.map((group) => movedStep(arrived, isDeposit ? 'proof' : 'back', group)));
    steps.push(...left.map((group) => movedStep('Left your balance', 'entry', group)));
  }
  return steps;
}

/** Statuses that say no more than the steps before them: what was accepted or detected is pending, what has a hash was broadcast. */
const BEGINNING: ReadonlySet<string> = new Set(['pending', 'broadcasted']);

function wordOf(status: string): string {
  return knownStatus(status)?.word ?? visible(status.slice(0, 60));
}

/** Saved, and each attempt. */
export function sendingSteps(record: Operation): Step[] {
  const { key, attempts, firstSent, who } = record;
  const saved: Step = {
    at: firstSent.service,
    mark: 'saved',
    what: 'Saved',
    more: byWhom(who),
    notes: ['before anything was sent'],
    proofs: [{ kind: 'operation', key }],
  };
  return [saved, ...attempts.map((attempt, at) => attemptStep(record, attempt, at))];
}

function attemptStep(record: Operation, attempt: AttemptNote, at: number): Step {
  const { start, end, by, who, requestId, outcome } = attempt;
  const isLost = outcome !== 'success' && requestId === null;
  const proof: Proof = { kind: 'attempt', key: record.key, number: at + 1 };
  return {
    at: Math.floor(start / 1000),
    mark: isLost && !isRunning(record, attempt) ? 'lost' : 'sent',
    what: outcome === 'not-made' ? 'Not sent' : at === 0 ? 'Sent' : 'Resent',
    more: by === 'automatic' ? ' by itself' : who === record.who && at === 0 ? '' : byWhom(who),
    notes: [`${answerWords(record, attempt)}${end === null ? '' : `, ${took(start, end)}`}`],
    proofs: requestId === null ? [proof] : [proof, { kind: 'request', id: requestId }],
  };
}

/** The payment's own record at the service; with the attempt that it answered, where that is recorded here. */
function accepted(row: ListRow, reserved: readonly Group[], made: Operation | null): Step {
  const created = isPlausibleTime(row.created_at) ? row.created_at : null;
  const answer = made?.attempts.findLast(({ outcome }) => outcome === 'success') ?? null;
  const isLater = answer?.end !== null && answer?.replayed === true;
  const more = answer?.replayed
    ? ': an earlier attempt had arrived'
    : made?.result?.by === 'check'
      ? ', as a check found'
      : ' by the provider';
  return {
    at: isLater && answer.end !== null ? Math.floor(answer.end / 1000) : created,
    mark: 'accepted',
    what: made ? 'Accepted' : 'Created',
    more: made ? more : ' at the provider',
    notes: reserved.flatMap(({ moves }) => moves),
    proofs: [{ kind: 'payment', of: 'withdrawal', id: row.id }, ...ledgerProofs(reserved)],
  };
}

function detected(row: ListRow, arrived: readonly Group[]): Step {
  return {
    at: isPlausibleTime(row.created_at) ? row.created_at : null,
    mark: 'accepted',
    what: 'Detected',
    notes: arrived.flatMap(({ moves }) => moves),
    proofs: [{ kind: 'payment', of: 'deposit', id: row.id }, ...hashProofs(row), ...ledgerProofs(arrived)],
  };
}

/** A hash, or a status that says so, is all that tells of the chain; nothing tells when. */
function onChain(row: ListRow, seen: SeenStatus): Step[] {
  const [hash] = hashProofs(row);
  const isSeen = seen.status === 'broadcasted';
  if (!hash && !isSeen) return [];
  return [
    {
      at: isSeen ? seen.at : null,
      ...(isSeen && { isSeen: true as const }),
      mark: 'chain',
      what: 'Broadcast',
      notes: [],
      proofs: [hash ?? { kind: 'request', id: seen.requestId }],
    },
  ];
}

function hashProofs({ tx_hash: hash, chain }: ListRow): Proof[] {
  return typeof hash === 'string' && hash !== ''
    ? [{ kind: 'hash', hash, chain: typeof chain === 'string' ? chain : null }]
    : [];
}

/** A status, at the time of the ledger's entries that go with it, else when it was first seen. */
function statusStep(seen: SeenStatus, mark: StepMark, what: string, by: readonly Group[] = [], at = timeIn(by)): Step {
  return {
    ...(at === null ? { at: seen.at, isSeen: true as const } : { at }),
    mark,
    what,
    notes: by.flatMap(({ moves }) => moves),
    proofs: [{ kind: 'request', id: seen.requestId }, ...ledgerProofs(by)],
  };
}

/** With how long it took, where the ledger says when it ended. */
function timed(step: Step, { of, row: { created_at: from } }: Told): Step {
  if (step.isSeen || step.at === null || !isPlausibleTime(from) || step.at < from) return step;
  return { ...step, more: `, ${lasting(step.at - from)} after it was ${of === 'deposit' ? 'detected' : 'created'}` };
}

function movedStep(what: string, mark: StepMark, { at, moves, ids }: Group): Step {
  return { at, mark, what, notes: moves, proofs: [{ kind: 'ledger', ids }] };
}

/** Entries that moved together. */
interface Group {
  at: number | null;
  ids: string[];
  /** Books whose amount rose, and those whose amount fell. */
  into: string[];
  outOf: string[];
  moves: Movement[];
}

type Role = 'begun' | 'released' | 'left' | 'other';

/** By what the contract says of the parts of a balance: in flight it is locked or pending, then released from there. */
function roleOf(of: Told['of'], { into, outOf }: Group): Role {
  const held = of === 'deposit' ? 'pending' : 'locked';
  if (into.includes(held)) return 'begun';
  if (into.includes('available')) return 'released';
  return outOf.includes(held) ? 'left' : 'other';
}

function groupsOf(entries: readonly LedgerEntryRow[]): Group[] {
  const groups = new Map<string, LedgerEntryRow[]>();
  for (const entry of entries) {
    const together = typeof entry['transaction'] === 'string' ? `t ${entry['transaction']}` : `e ${entry.id}`;
    groups.set(together, [...(groups.get(together) ?? []), entry]);
  }
  return [...groups.values()].map(groupOf);
}

function groupOf(entries: readonly LedgerEntryRow[]): Group {
  const booked = entries.flatMap(({ amount, book }) =>
    isAmount(amount) && !isZero(amount) && typeof book === 'string' ? [{ amount, book }] : [],
  );
  const at = entries.map(({ created_at }) => created_at).find(isPlausibleTime) ?? null;
  return {
    at,
    ids: entries.map(({ id }) => id),
    into: booked.flatMap(({ amount, book }) => (isNegative(amount) ? [] : [book])),
    outOf: booked.flatMap(({ amount, book }) => (isNegative(amount) ? [book] : [])),
    moves: movesOf(entries),
  };
}

function movesOf(entries: readonly LedgerEntryRow[]): Movement[] {
  const [a, b] = entries.toSorted(
    (one, two) => Number(isNegative(asText(two.amount))) - Number(isNegative(asText(one.amount))),
  );
  if (a && b && entries.length === 2 && isAmount(a.amount) && isAmount(b.amount) && a.asset === b.asset) {
    if (isNegative(a.amount) && sameAmount(positive(a.amount), b.amount))
      return [{ amount: b.amount, asset: b.asset, words: `moved from ${bookOf(a)} to ${bookOf(b)}` }];
  }
  return entries.flatMap((entry) => {
    const { amount, asset } = entry;
    if (!isAmount(amount)) return [];
    const words = isNegative(amount) ? 'left your balance' : `added to ${bookOf(entry)}`;
    return [{ amount: positive(amount), asset, words }];
  });
}

function bookOf({ book }: LedgerEntryRow): string {
  return typeof book === 'string' ? visible(book.slice(0, 40)) : 'an unnamed book';
}

function positive(amount: string): string {
  return amount.replace(/^-/, '');
}

function timeIn(groups: readonly Group[]): number | null {
  return groups.find(({ at }) => at !== null)?.at ?? null;
}

function ledgerProofs(groups: readonly Group[]): [] | [Proof] {
  const ids = groups.flatMap((group) => group.ids);
  return ids.length === 0 ? [] : [{ kind: 'ledger', ids }];
}
