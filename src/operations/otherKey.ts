import { isObject, parseJson } from '#src/lib/answers.ts';
import { PATHS } from '#src/api/contract.ts';
import type { Answer } from '#src/api/http.ts';
import type { Session } from '#src/api/session.ts';
import { stringifyExact } from '#src/lib/exactJson.ts';
import { segment } from '#src/lib/paths.ts';
import { readWithdrawalBody } from './body.ts';
import { type OperationRecord, knownResultId } from './record.ts';
import { COMPARED, compareWithSent } from './sameSend.ts';
import type { Store } from './store.ts';
import { owns } from './views.ts';
import type { World } from './world.ts';

const MOST_READS = 20;

/**
 * Looks, once per session and record, whether this session's key reads a withdrawal that was recorded under another
 * one: then both belong to one account, and the operation is shown, check only. Nothing is ever sent from here.
 */
export function createOtherKey(world: World, store: Store): { look: () => Promise<void> } {
  let looked: { account: string; ids: Set<string> } = { account: '', ids: new Set() };
  let looking: Promise<void> | null = null;

  async function lookOnce(): Promise<void> {
    const session = world.session();
    if (session === null) return;
    if (looked.account !== session.account) looked = { account: session.account, ids: new Set() };
    const { ids } = looked;
    for (const { record, wd } of candidates(session)) {
      if (ids.has(record.id) || ids.size >= MOST_READS) continue;
      const path = `${PATHS.withdrawals}/${segment(wd)}`;
      const answer = await world.network({ method: 'GET', path, account: session.account });
      // A service that cannot answer now is not asked for the rest; the next look goes on here.
      if (answer.kind === 'no-answer' || answer.gatewayError !== null || answer.status >= 429) return;
      if (world.session()?.account !== session.account) return;
      ids.add(record.id);
      if (isIt(answer, record, wd)) show(session.account, record.id);
    }
  }

  /** Newest first: those are missed most. */
  function candidates(session: Session): { record: OperationRecord; wd: string }[] {
    return store
      .getSnapshot()
      .records.filter((record) => record.service === session.service && !owns(session, record))
      .sort((a, b) => b.firstSentAt - a.firstSentAt)
      .flatMap((record) => {
        const wd = record.kind === 'withdrawal' ? knownResultId(record) : null;
        return wd === null ? [] : [{ record, wd }];
      });
  }

  function show(account: string, id: string): void {
    const { readable } = store.getSnapshot();
    const ids = readable?.account === account ? readable.ids : [];
    store.update({ readable: { account, ids: new Set([...ids, id]) } });
  }

  return {
    look: () => {
      looking ??= lookOnce().finally(() => {
        looking = null;
      });
      return looking;
    },
  };
}

/** The very withdrawal: every field as it was sent, or as the answer that contradicted had it. */
function isIt(answer: Answer, record: OperationRecord, wd: string): boolean {
  const object = answer.status === 200 && answer.complete ? parseJson(answer.text) : undefined;
  const sent = readWithdrawalBody(record.body);
  if (!isObject(object) || object['id'] !== wd || sent === null) return false;
  if (compareWithSent(sent, object).differing.length === 0) return true;
  const contradiction = record.contradiction ? parseJson(record.contradiction.text) : undefined;
  return (
    isObject(contradiction) &&
    COMPARED.every((field) => stringifyExact(contradiction[field]) === stringifyExact(object[field]))
  );
}
