import { stringifyExact } from '#src/lib/exactJson.ts';
import { amountQuery, fieldOfAmount } from '#src/lib/amountQuery.ts';
import { KIND } from '#src/lib/operations/kinds.ts';
import { paths } from '#src/lib/paths.ts';
import { cleaned, isSame, classifyQuery } from '#src/lib/classifyQuery.ts';
import { type Operation, knownResultId } from '#src/lib/operations/record.ts';
import { knownStatus } from '#src/lib/paymentStatus.ts';
import { visible } from '#src/lib/text.ts';
import type { Place } from './recent.ts';
import { aboutRow } from './scan.ts';

/** Somewhere to go: what it is in words, and the path without any filter. */
export interface Target {
  label: string;
  detail: string;
  to: string;
}

interface Known {
  operations: readonly Operation[];
  /** Codes of the assets that the account holds. */
  assets: readonly string[];
  /** Rows that this page load has read. */
  rows: readonly { list: 'deposits' | 'withdrawals'; id: string; row: Record<string, unknown> }[];
  /** Path, Request-Id and Idempotency-Key of this session's requests. */
  requests: readonly { requestId: string | null; key: string | null }[];
  recent: readonly Place[];
}

const MOST = 8;

/** Where a pasted text leads, the surest first. */
export function targetsOf(pasted: string, known: Known): Target[] {
  const found = classifyQuery(pasted);
  const text = cleaned(pasted);
  const targets: Target[] = [];
  switch (found.kind) {
    case 'nothing':
      return known.recent.map(({ path, title, kind }) => ({
        label: title,
        detail: `${kind}, opened before`,
        to: path,
      }));
    case 'deposit':
      targets.push({ label: found.id, detail: 'deposit', to: paths.deposit(found.id) });
      break;
    case 'withdrawal':
      targets.push({ label: found.id, detail: 'withdrawal', to: paths.withdrawal(found.id) });
      break;
    case 'operation':
      targets.push({ label: found.id, detail: 'operation', to: paths.operation(found.id) });
      break;
    case 'entry':
      targets.push({ label: found.id, detail: 'ledger entry', to: paths.ledgerEntry(found.id) });
      break;
    case 'delivery': {
      const search = new URLSearchParams({ delivery: found.id }).toString();
      targets.push({
        label: found.id,
        detail: 'replay this webhook delivery',
        to: `${paths.replayDelivery}?${search}`,
      });
      break;
    }
    case 'word':
      targets.push(...assetTargets(found.word, known.assets));
      break;
    case 'key':
    case 'request':
    case 'text':
      break;
  }
  if (found.kind === 'word') targets.push(...statusTargets(found.word));
  targets.push(...operationTargets(text, known.operations), ...rowTargets(text, known), ...requestTargets(text, known));
  const unique = targets.filter(({ to }, at) => targets.findIndex((each) => each.to === to) === at);
  return unique.slice(0, MOST);
}

function statusTargets(word: string): Target[] {
  const status = word.toLowerCase();
  if (knownStatus(status) === null) return [];
  return (['deposits', 'withdrawals'] as const).map((list) => ({
    label: status,
    detail: `${list} with this status`,
    to: paths[list](new URLSearchParams({ status })),
  }));
}

function assetTargets(word: string, assets: readonly string[]): Target[] {
  const folded = word.toLowerCase();
  const fitting = assets.filter((asset) => asset.toLowerCase().startsWith(folded)).slice(0, 3);
  return fitting.flatMap((asset) => [
    { label: asset, detail: 'balance', to: paths.balance(asset) },
    { label: asset, detail: 'deposits of this asset', to: paths.deposits(new URLSearchParams({ asset })) },
    { label: asset, detail: 'withdrawals of this asset', to: paths.withdrawals(new URLSearchParams({ asset })) },
  ]);
}

/** By key, by the id that came of it, by anything in the bytes that were sent, by a request id of an attempt. */
function operationTargets(text: string, operations: readonly Operation[]): Target[] {
  const wanted = amountQuery(text);
  const fits = (record: Operation): boolean =>
    (wanted !== null && fieldOfAmount({ ...KIND[record.kind].aboutOf(record) }, wanted) !== undefined) ||
    isSame(record.key, text) ||
    isSame(knownResultId(record), text) ||
    (text.length >= 8 && record.body.toLowerCase().includes(stringifyExact(text).toLowerCase())) ||
    record.attempts.some(({ requestId }) => isSame(requestId, text));
  return operations
    .filter(fits)
    .map(({ key, state }) => ({ label: key, detail: `operation, ${state}`, to: paths.operation(key) }));
}

function rowTargets(text: string, { rows }: Known): Target[] {
  const wanted = amountQuery(text);
  if (text.length < 4 && wanted === null) return [];
  const fits = (row: Record<string, unknown>): boolean =>
    (wanted !== null && fieldOfAmount(row, wanted) !== undefined) ||
    Object.values(row).some((value) => isSame(value, text));
  return rows
    .filter(({ row }) => fits(row))
    .map(({ list, id, row }) => ({
      label: id,
      detail: `${list === 'deposits' ? 'deposit' : 'withdrawal'}, loaded before · ${visible(aboutRow(row))}`,
      to: list === 'deposits' ? paths.deposit(id) : paths.withdrawal(id),
    }));
}

function requestTargets(text: string, { requests }: Known): Target[] {
  const fits = requests.some(({ requestId, key }) => isSame(requestId, text) || isSame(key, text));
  if (!fits) return [];
  const search = new URLSearchParams({ text });
  return [{ label: text, detail: 'requests of this session', to: paths.requests(search) }];
}
