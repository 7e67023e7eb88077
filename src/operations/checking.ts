import { PATHS } from '#src/api/contract.ts';
import { segment } from '#src/lib/paths.ts';
import type { Attempts } from './attempts.ts';
import { readWithdrawalBody } from './body.ts';
import type { CheckNote, CheckResult, LookAlike } from './outcomes.ts';
import { type OperationRecord, knownResultId } from './record.ts';
import { sameAmount } from './sameSend.ts';
import { type ServiceList, readServiceList } from './serviceList.ts';
import { isWaiting } from './sleep.ts';
import type { Store } from './store.ts';
import { owns } from './views.ts';
import type { World } from './world.ts';

export interface Checking {
  check: (id: string) => Promise<CheckResult>;
}

/** Reads only. A withdrawal found by an id of a 2xx under the key proves; a look-alike in a list proves nothing. */
export function createChecking(world: World, store: Store, attempts: Attempts): Checking {
  const { journal, network } = world;
  const underWay = new Map<string, Promise<CheckResult>>();

  function check(id: string): Promise<CheckResult> {
    const running = underWay.get(id);
    if (running) return running;
    const checked = checkOnce(id)
      .catch((error: unknown): CheckResult => notDone(error instanceof Error ? error.message : String(error)))
      .finally(() => underWay.delete(id));
    underWay.set(id, checked);
    return checked;
  }

  async function checkOnce(id: string): Promise<CheckResult> {
    const record = await journal.get(id);
    if (record === null || !owns(world.session(), record)) return notDone('This operation cannot be read here.');
    if (record.state !== 'unconfirmed' && record.state !== 'succeeded') return notDone('There is nothing to check.');
    if (record.kind !== 'withdrawal') return notDone('No read of the service tells what became of it.');
    if (isWaiting(record, world.wall())) return notDone('It is about to be sent again by itself.');
    const known = knownResultId(record);
    const note = known === null ? await checkByList(record) : await checkById(record, known);
    store.addCheck(id, note);
    return { outcome: 'done', note };
  }

  async function checkById(record: OperationRecord, id: string): Promise<CheckNote> {
    const path = `${PATHS.withdrawals}/${segment(id)}`;
    const answer = await network({ method: 'GET', path, account: record.account });
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

  async function checkByList(record: OperationRecord): Promise<CheckNote> {
    const list = await listFor(record);
    const lookAlikes = await alikeIn(list, record);
    const found = list === null || list.status === 'unreadable' ? 'unreadable' : 'nothing';
    const complete = list?.status === 'listed' && list.complete;
    return {
      at: world.wall(),
      found,
      lookAlikes,
      requestId: list?.requestId ?? null,
      complete,
      date: list?.date ?? null,
    };
  }

  async function listFor(record: OperationRecord): Promise<ServiceList | null> {
    const sent = readWithdrawalBody(record.body);
    return sent === null ? null : readServiceList(network, record.account, sent, () => record.firstSentAt - 60);
  }

  /** Those that another operation of this browser does not own. */
  async function alikeIn(list: ServiceList | null, record: OperationRecord): Promise<LookAlike[] | null> {
    if (list?.status !== 'listed') return null;
    const amount = readWithdrawalBody(record.body)?.amount;
    const { records } = await journal.all();
    const owned = new Set(records.filter(({ id }) => id !== record.id).map(knownResultId));
    return list.rows.filter((row) => sameAmount(row.amount, amount) && !owned.has(row.id));
  }

  return { check };
}

function notDone(reason: string): CheckResult {
  return { outcome: 'not-done', reason };
}
