import { PATHS } from '#src/api/contract.ts';
import type { CheckNote, LookAlike } from '#src/api/gatewayContract.ts';
import { mayBeSame } from '#src/lib/operations/compare.ts';
import { KIND } from '#src/lib/operations/kinds.ts';
import { type Clocks, type OperationRecord, knownResultId } from '#src/lib/operations/record.ts';
import { readWithdrawalBody } from '#src/lib/operations/withdrawal.ts';
import { segment } from '#src/lib/paths.ts';
import type { Journal } from './journal.ts';
import { type ServiceList, factsOf, readServiceList } from './serviceList.ts';
import type { Ports, Sender } from './ports.ts';

/** A look for anything like it. */
const SOME_PAGES = 5;
/** A proof of absence: 20,000 withdrawals. */
const ALL_PAGES = 200;
const DAY_SECONDS = 24 * 60 * 60;
const MOST_NOTES = 20;
const MOST_KEPT = 64 * 1024;

export interface Checking {
  /** Reads only; `whole`: for as long as it takes to prove absence. null: there is nothing to read. */
  check: (actor: Sender, record: OperationRecord, whole?: boolean) => Promise<CheckNote | null>;
  /** What was looked up lately, oldest first. */
  notesOf: (key: string) => CheckNote[];
}

/** A withdrawal found by an id of a 2xx under the key proves; a look-alike in a list proves nothing. */
export function createChecking(ports: Ports, journal: Journal): Checking {
  const { service, rows } = ports;
  const notes = new Map<string, CheckNote[]>();
  const underWay = new Map<string, Promise<CheckNote>>();

  async function checkById(actor: Sender, record: OperationRecord, id: string): Promise<CheckNote> {
    const answer = await service.read(actor.apiKey, `${PATHS.withdrawals}/${segment(id)}`);
    const none = { at: actor.clock.wall(), lookAlikes: null, complete: false };
    if (answer.kind === 'no-answer') return { ...none, requestId: null, date: null, found: 'unreadable' };
    const { requestId, date, status, text, complete } = answer;
    const note = { ...none, requestId, date: status === 200 ? date : null };
    if (status === 404 && complete) return { ...note, found: 'nothing' };
    // What proves is kept, and no answer is kept beyond this.
    if (status !== 200 || !complete || Buffer.byteLength(text) > MOST_KEPT) return { ...note, found: 'unreadable' };
    await journal.advance(actor, record.key, { type: 'checked', object: { id, text, requestId, date }, taken: false });
    const now = await journal.find(actor, record.key);
    if (now.kind !== 'record') return { ...note, found: 'nothing' };
    if (now.record.state === 'succeeded') return { ...note, found: 'succeeded' };
    return { ...note, found: now.record.reason === 'mismatch' ? 'mismatch' : 'nothing' };
  }

  async function checkByList(actor: Sender, record: OperationRecord, mostPages: number): Promise<CheckNote> {
    // created_at and Date are two clocks: a day further back than any of ours says it was sent.
    const sinceBy = (): number => earliest(record.firstSent) - DAY_SECONDS;
    const read = (target: string, timeoutMs: number) => service.read(actor.apiKey, target, timeoutMs);
    const list = await readServiceList(read, { sinceBy, mostPages });
    return {
      at: actor.clock.wall(),
      found: list.status === 'unreadable' ? 'unreadable' : 'nothing',
      lookAlikes: await alikeIn(list, record),
      requestId: list.requestId,
      complete: list.status === 'listed' && list.complete,
      date: list.date,
    };
  }

  /** What cannot be told from it in the whole list, but for those that another operation has the id of. */
  async function alikeIn(list: ServiceList, record: OperationRecord): Promise<LookAlike[] | null> {
    const sent = readWithdrawalBody(record.body);
    if (list.status !== 'listed' || sent === null) return null;
    const alike = list.rows.filter((row) => mayBeSame(sent, row));
    const free: LookAlike[] = [];
    for (const facts of alike.map(factsOf)) {
      const holder = await rows.keyOfResult(record.service, facts.id);
      if (holder === null || holder === record.key) free.push(facts);
    }
    return free;
  }

  return {
    notesOf: (key) => notes.get(key) ?? [],
    check: async (actor, record, whole = false) => {
      if (record.state !== 'unconfirmed' && record.state !== 'succeeded') return null;
      if (!KIND[record.kind].isCompared) return null;
      const name = `${record.key} ${whole}`;
      const known = knownResultId(record);
      const checking =
        underWay.get(name) ??
        (known === null
          ? checkByList(actor, record, whole ? ALL_PAGES : SOME_PAGES)
          : checkById(actor, record, known)
        ).finally(() => underWay.delete(name));
      underWay.set(name, checking);
      const note = await checking;
      const before = notes.get(record.key) ?? [];
      if (!before.includes(note)) notes.set(record.key, [...before, note].slice(-MOST_NOTES));
      return note;
    },
  };
}

function earliest({ service, server, database }: Clocks): number {
  return Math.min(service, Math.floor(server / 1_000), Math.floor(database / 1_000));
}
