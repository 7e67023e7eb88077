import { PATHS } from '#src/api/contract.ts';
import { segment } from '#src/lib/paths.ts';
import type { Attempts } from './attempts.ts';
import { readWithdrawalBody } from './body.ts';
import type { CheckNote, CheckResult, LookAlike } from './outcomes.ts';
import { type OperationRecord, knownResultId } from './record.ts';
import { mayBeSame } from './sameSend.ts';
import { type ServiceList, factsOf, readServiceList } from './serviceList.ts';
import type { Store } from './store.ts';
import { isShown } from './views.ts';
import type { World } from './world.ts';

/** A look for anything like it. */
const SOME_PAGES = 5;
/** A proof of absence: 20,000 withdrawals in little more than a day. */
const ALL_PAGES = 200;

export interface Checking {
  check: (id: string) => Promise<CheckResult>;
  /** The same, reading the list for as long as it takes to prove absence. */
  checkWhole: (id: string) => Promise<CheckResult>;
}

/** Reads only. A withdrawal found by an id of a 2xx under the key proves; a look-alike in a list proves nothing. */
export function createChecking(world: World, store: Store, attempts: Attempts): Checking {
  const { journal, network } = world;
  const underWay = new Map<string, Promise<CheckResult>>();

  function check(id: string): Promise<CheckResult> {
    const running = underWay.get(id);
    if (running) return running;
    const checked = checkOnce(id, SOME_PAGES)
      .catch((error: unknown): CheckResult => notDone(error instanceof Error ? error.message : String(error)))
      .finally(() => underWay.delete(id));
    underWay.set(id, checked);
    return checked;
  }

  async function checkOnce(id: string, mostPages: number): Promise<CheckResult> {
    const session = world.session();
    const record = await journal.get(id);
    if (session === null || record === null) return notDone('This operation cannot be read here.');
    if (!isShown(store.getSnapshot(), session, record)) {
      return notDone('This operation belongs to another account.');
    }
    if (record.state !== 'unconfirmed' && record.state !== 'succeeded') return notDone('There is nothing to check.');
    if (record.kind !== 'withdrawal') return notDone('No read of the service tells what became of it.');
    const known = knownResultId(record);
    const note =
      known === null
        ? await checkByList(record, session.account, mostPages)
        : await checkById(record, session.account, known);
    store.addCheck(id, note);
    return { outcome: 'done', note };
  }

  async function checkById(record: OperationRecord, account: string, id: string): Promise<CheckNote> {
    const path = `${PATHS.withdrawals}/${segment(id)}`;
    const answer = await network({ method: 'GET', path, account });
    const at = world.wall();
    const requestId = answer.kind === 'answer' ? answer.requestId : null;
    const date = answer.kind === 'answer' ? answer.date : null;
    const note = { at, lookAlikes: null, requestId, complete: false, date };
    if (answer.kind === 'no-answer' || answer.gatewayError !== null || !answer.complete) {
      return { ...note, found: 'unreadable' };
    }
    if (answer.status === 404) return { ...note, found: 'nothing' };
    if (answer.status !== 200) return { ...note, found: 'unreadable' };
    const object = { id, text: answer.text, requestId, date: answer.date };
    await attempts.advance(record.id, { type: 'checked', object });
    const now = await journal.get(record.id);
    if (now?.state === 'succeeded') return { ...note, found: 'succeeded' };
    return { ...note, found: now?.reason === 'mismatch' ? 'mismatch' : 'nothing' };
  }

  async function checkByList(record: OperationRecord, account: string, mostPages: number): Promise<CheckNote> {
    const sinceBy = (): number => record.firstSentAt - 60;
    const list = await readServiceList(network, { account, sinceBy, mostPages });
    return {
      at: world.wall(),
      found: list.status === 'unreadable' ? 'unreadable' : 'nothing',
      lookAlikes: await alikeIn(list, record),
      requestId: list.requestId,
      complete: list.status === 'listed' && list.complete,
      date: list.date,
    };
  }

  /** What cannot be told from it, but for those that another operation of this browser has the id of. */
  async function alikeIn(list: ServiceList, record: OperationRecord): Promise<LookAlike[] | null> {
    const sent = readWithdrawalBody(record.body);
    if (list.status !== 'listed' || sent === null) return null;
    const { records } = await journal.all();
    const owned = new Set<unknown>(records.filter(({ id }) => id !== record.id).map(knownResultId));
    return list.rows.filter((row) => mayBeSame(sent, row) && !owned.has(row['id'])).map(factsOf);
  }

  return { check, checkWhole: (id) => checkOnce(id, ALL_PAGES) };
}

function notDone(reason: string): CheckResult {
  return { outcome: 'not-done', reason };
}
