import { allBalances, type Balances } from '#src/api/balances.ts';
import { checkIdentity } from '#src/api/balanceIdentity.ts';
import type { Operations } from '#src/api/useOperations.ts';
import { counted } from '#src/lib/count.ts';
import { unsettledOf } from '#src/lib/operations/unsettled.ts';
import type { FailedRead } from './failedWithdrawals.ts';
import type { HomeList } from './useHomeList.ts';
import type { Finding } from './pageSummary.ts';

interface BalancesRead {
  data: Balances | undefined;
  error: Error | null;
}

/** What each part of the page found, and how far its reads can be trusted. */
export function findingsOf(
  operations: Operations,
  failed: FailedRead,
  lists: readonly HomeList[],
  balances: BalancesRead,
): Finding[] {
  return [operationsFinding(operations), failedFinding(failed), ...lists.map(listFinding), balancesFinding(balances)];
}

function failedFinding({ rows: { length }, ready }: FailedRead): Finding {
  const found = length === 0 ? null : counted(length, 'withdrawal failed', 'withdrawals failed');
  return { what: 'failed withdrawals', state: ready ? 'whole' : 'reading', found: ready ? found : null };
}

function operationsFinding(read: Operations): Finding {
  const count = unsettledOf(read).length;
  const { status } = read;
  return {
    what: 'operations',
    state: status === 'ready' ? (isWhole(read) ? 'whole' : 'partly') : status === 'loading' ? 'reading' : 'failed',
    found: count === 0 ? null : counted(count, 'operation is not resolved', 'operations are not resolved'),
  };
}

/** A journal that was set back may lack what would need attention. */
function isWhole({ reason, more, setBack }: Operations): boolean {
  return reason === undefined && !more && !setBack;
}

function listFinding(list: HomeList): Finding {
  const { kind, recent, judgement, error, oldest, readingOldest, oldestError } = list;
  const { noun } = kind;
  const count = judgement?.sitting.length ?? 0;
  const found = count === 0 ? null : counted(count, `${noun.one} sits long`, `${noun.many} sit long`);
  const what = noun.many;
  if (recent === null || judgement === null) return { what, state: error === null ? 'reading' : 'failed', found };
  if (readingOldest) return { what, state: 'reading', found };
  const read = recent.stop === 'end' || recent.stop === 'far-enough';
  const whole =
    read &&
    error === null &&
    oldestError === null &&
    (oldest?.more.length ?? 0) === 0 &&
    recent.malformed === 0 &&
    judgement.rows === recent.rows.length &&
    judgement.unjudged === 0;
  return { what, state: whole ? 'whole' : 'partly', found };
}

function balancesFinding({ data, error }: BalancesRead): Finding {
  const what = 'balances';
  if (data === undefined) return { what, state: error === null ? 'reading' : 'failed', found: null };
  const kinds = allBalances(data).map((balance) => checkIdentity(balance).kind);
  const broken = kinds.filter((kind) => kind === 'broken').length;
  const whole =
    data.complete &&
    data.malformed.length === 0 &&
    data.further.length === 0 &&
    error === null &&
    !kinds.includes('not-checkable');
  return {
    what,
    state: whole ? 'whole' : 'partly',
    found: broken === 0 ? null : counted(broken, 'balance does not add up', 'balances do not add up'),
  };
}
