import { PATHS } from '#src/api/contract.ts';
import { type Attempt, isObject, parseJson } from '#src/lib/answers.ts';
import { COMPARED, compareWithSent } from '#src/lib/operations/compare.ts';
import { type OperationRecord, knownResultId } from '#src/lib/operations/record.ts';
import { readWithdrawalBody } from '#src/lib/operations/withdrawal.ts';
import { segment } from '#src/lib/paths.ts';
import type { Ports, Sender } from './ports.ts';

const MOST_READS = 20;
const LOOK_AGAIN_MS = 5 * 60_000;

/**
 * Looks, once for each account and record while this server lives, whether a key reads a withdrawal that was recorded
 * under another one: then both belong to one account, and the operation is shown, check only. Nothing is sent from here.
 */
export function createOtherKeys({ rows, service, strangers }: Ports) {
  const looked = new Map<string, Set<string>>();
  const lastLook = new Map<string, number>();

  async function lookOnce(actor: Sender): Promise<void> {
    const owner = { service: service.name, account: actor.account };
    const seen = looked.get(actor.account) ?? new Set();
    looked.set(actor.account, seen);
    for (const record of await rows.ofOthers(owner, MOST_READS)) {
      const id = knownResultId(record);
      if (id === null || seen.has(record.key) || seen.size >= MOST_READS) continue;
      const answer = await service.read(actor.apiKey, `${PATHS.withdrawals}/${segment(id)}`);
      // A service that cannot answer now is not asked for the rest; the next look goes on here.
      if (answer.kind === 'no-answer' || answer.status >= 429) return;
      seen.add(record.key);
      if (isIt(answer, record, id)) await rows.write((turn) => turn.show(record.key, actor.account));
    }
  }

  return {
    look: async (actor: Sender): Promise<void> => {
      const last = lastLook.get(actor.account);
      if (strangers || (last !== undefined && actor.clock.mono() - last < LOOK_AGAIN_MS)) return;
      lastLook.set(actor.account, actor.clock.mono());
      await lookOnce(actor);
    },
  };
}

/** The very withdrawal: every field as it was sent, or as the answer that contradicted had it. */
function isIt(answer: Attempt, record: OperationRecord, id: string): boolean {
  const isWhole = answer.kind === 'answer' && answer.status === 200 && answer.complete;
  const object = isWhole ? parseJson(answer.text) : undefined;
  const sent = readWithdrawalBody(record.body);
  if (!isObject(object) || object['id'] !== id || sent === null) return false;
  if (compareWithSent(sent, object).differing.length === 0) return true;
  const contradiction = record.contradiction ? parseJson(record.contradiction.text) : undefined;
  return isObject(contradiction) && COMPARED.every((field) => contradiction[field] === object[field]);
}
