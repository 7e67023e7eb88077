import { counted, numberWords, searchForm } from '#src/shared/text.ts';
import type { KnownRecipient } from '#src/web/api/recipients.ts';
import { COLLECTIONS, ITEMS_MAX } from '#src/shared/contract/teamContract.ts';
import { type ChainAddress, lookKey, ownerKey, addressKey } from '#src/shared/chains/lookAlike.ts';
import { tokenContractWarning } from '#src/shared/chains/tokenContracts.ts';
import { stringifyExact } from '#src/shared/json/exactJson.ts';
import { recipientFault } from '#src/shared/recipientRules.ts';
import type { KnownAddresses } from '#src/shared/operations/knownAddresses.ts';
import { groupBy } from '#src/shared/groupBy.ts';
import type { ImportLine } from './importFile.ts';

/** Result for one line. Only `add` and `same-name` can be imported, `same-name` only if the person selects it. */
export interface PlannedLine extends ImportLine {
  verdict: 'add' | 'same-name' | 'there' | 'look-alike' | 'refused';
  reason: string;
}

interface Basis {
  entries: readonly Pick<KnownRecipient, 'name' | 'chain' | 'address'>[];
  known: KnownAddresses;
}

export async function planImport(lines: readonly ImportLine[], { entries, known }: Basis): Promise<PlannedLine[]> {
  const book = new Map(entries.map((entry) => [addressKey(entry), entry]));
  const names = new Set(entries.map(nameKey));
  const alike = alikeWithin(lines);
  const first = new Map<string, number>();
  const planned: PlannedLine[] = [];
  let room = ITEMS_MAX - entries.length;
  for (const line of lines) {
    const ruled = await faultOf(line);
    const key = addressKey(line);
    const there = book.get(key);
    const before = first.get(key);
    if (ruled === null && !first.has(key)) first.set(key, line.line);
    const take = (verdict: PlannedLine['verdict'], reason = '') => planned.push({ ...line, verdict, reason });
    if (ruled !== null) take('refused', ruled);
    else if (there) take('there', `Already saved as “${there.name}”.`);
    else if (before !== undefined) take('there', `Same address as in line ${before}.`);
    else if (known.lookAlikes(line).length > 0) take('look-alike', looksLike(known, line));
    else if (alike.has(ownerKey(line))) take('look-alike', 'It looks like another address of this file.');
    else if (room <= 0) take('refused', `There is room for ${numberWords(ITEMS_MAX)} recipients.`);
    else {
      room -= 1;
      if (names.has(nameKey(line))) take('same-name', 'Another address has this name on this chain.');
      else take('add', tokenContractWarning(line, [line]) ?? '');
      names.add(nameKey(line));
    }
  }
  return planned;
}

async function faultOf({ line: _line, fault, ...entry }: ImportLine): Promise<string | null> {
  if (fault !== null) return fault;
  const { name, chain, address } = entry;
  if (`${name}${chain}`.includes('\uFFFD')) return 'A character of it is lost. Save the file as UTF-8.';
  const missing = Object.entries({ name, chain, address }).find(([, text]) => text.trim() === '');
  if (missing) return `The ${missing[0]} is missing.`;
  const ruled = await recipientFault(entry);
  if (ruled !== null) return ruled;
  // The server would refuse the whole request because of one bad line.
  const checked = COLLECTIONS.recipients.check(entry);
  const [field] = 'why' in checked ? checked.why.split(':') : [];
  return field === undefined ? null : `The ${field} is too long, or has characters that can’t be saved.`;
}

function looksLike(known: KnownAddresses, place: ChainAddress): string {
  const [first] = known.lookAlikes(place);
  const whose = first?.name == null ? 'one that was paid before' : `“${first.name}”`;
  return `It begins and ends like ${whose}, and is another one.`;
}

/** Owners of addresses that look like another address of the same file. */
function alikeWithin(lines: readonly ImportLine[]): Set<string> {
  const alike = groupBy(lines, lookKey);
  // Addresses without a key are too short to be mistaken for another one.
  alike.delete(null);
  const owners = [...alike.values()].map((group) => new Set(group.map(ownerKey)));
  return new Set(owners.filter(({ size }) => size > 1).flatMap((each) => [...each]));
}

function nameKey({ name, chain }: { name: string; chain: string }): string {
  return stringifyExact([searchForm(name.trim()), searchForm(chain.trim())]);
}

const WORDS: Record<PlannedLine['verdict'], string> = {
  add: 'new',
  'same-name': 'with a name that is taken',
  there: 'already there',
  'look-alike': 'looking like another address',
  refused: 'refused',
};

export function importSummary(plan: readonly PlannedLine[]): string {
  if (plan.length === 0) return 'The file has no recipients.';
  const counts = Object.entries(WORDS).flatMap(([verdict, words]) => {
    const count = plan.filter((line) => line.verdict === verdict).length;
    return count === 0 ? [] : [`${numberWords(count)} ${words}`];
  });
  return `${counted(plan.length, 'line', 'lines')}: ${counts.join(', ')}.`;
}
