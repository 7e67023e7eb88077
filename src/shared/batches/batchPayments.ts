// From the rows of a batch's file to payments, by the same rules as the withdrawal form.
import { addressKey, type ChainAddress } from '#src/shared/chains/lookAlike.ts';
import type { BatchLineView } from '#src/shared/contract/batchContract.ts';
import { chainForm, chainId, chainLabel } from '#src/shared/chains/names.ts';
import { assetRule, chainRule, recipientNameRule, type Ruling } from '#src/shared/fieldRules.ts';
import { groupBy } from '#src/shared/groupBy.ts';
import type { WithdrawalFields } from '#src/shared/operations/kind.ts';
import { type KnownAddresses, mistakenFor } from '#src/shared/operations/knownAddresses.ts';
import { readWithdrawalBody } from '#src/shared/operations/withdrawal.ts';
import { recipientAddressRule } from '#src/shared/recipientRules.ts';
import { revealHidden, searchForm } from '#src/shared/text.ts';
import {
  type AmountSign,
  type BatchColumn,
  type BatchFault,
  type BatchRow,
  type CommaMeaning,
  type CommaSample,
  readBatchFile,
} from './batchFile.ts';

const REFERENCE_MAX = 200;

export interface SavedRecipient extends ChainAddress {
  name: string;
}

export interface BatchPayment {
  /** Line number in the file. */
  line: number;
  fields: WithdrawalFields;
  /** The name in the file, or else the saved name of this address. */
  recipient: string | null;
  reference: string | null;
  /** The saved addresses of that name, if this address isn't one of them. */
  savedElsewhere: readonly ChainAddress[];
  /** The name under which the address is saved, if the file names somebody else. */
  savedAs: string | null;
}

export interface BatchContext {
  recipients: readonly SavedRecipient[];
  known: KnownAddresses;
  /** How the service spells a chain. */
  spell: (asset: string, chain: string) => string;
}

/** A single fault refuses the whole file. */
export type ReadBatch =
  | { kind: 'question'; sign: AmountSign; samples: CommaSample[] }
  | { kind: 'faults'; faults: BatchFault[] }
  | { kind: 'payments'; payments: BatchPayment[] };

/** `comma`: the person's answer what commas or points in amounts mean; null before they were asked. */
export async function readBatch(text: string, comma: CommaMeaning | null, context: BatchContext): Promise<ReadBatch> {
  const file = readBatchFile(text, comma);
  if (file.kind === 'question') return file;
  const book = recipientBook(context.recipients);
  const results = await Promise.all(file.rows.map((row) => checkRow(row, book, context)));
  const faults = [...file.faults, ...results.flatMap((result) => result.faults), ...doubleReferences(file.rows)];
  if (faults.length > 0) return { kind: 'faults', faults: faults.toSorted((a, b) => (a.line ?? 0) - (b.line ?? 0)) };
  return { kind: 'payments', payments: results.flatMap(({ payment }) => payment ?? []) };
}

/** Payments of a recorded batch, compared with the recipients that are saved now. A line that can't be read is left out. */
export function recordedPayments(
  lines: readonly Pick<BatchLineView, 'line' | 'body' | 'recipient' | 'reference'>[],
  recipients: readonly SavedRecipient[],
): BatchPayment[] {
  const book = recipientBook(recipients);
  return lines.flatMap(({ line, body, recipient, reference }) => {
    const fields = readWithdrawalBody(body);
    return fields === null ? [] : [{ line, fields, reference, ...whoIs(recipient ?? '', fields, book) }];
  });
}

type RecipientBook = ReturnType<typeof recipientBook>;

function recipientBook(recipients: readonly SavedRecipient[]) {
  const byName = groupBy(recipients, ({ name }) => searchForm(name.trim()));
  const byAddress = new Map(recipients.map((each) => [addressKey(each), each]));
  return {
    named: (name: string): readonly SavedRecipient[] => byName.get(searchForm(name)) ?? [],
    at: (place: ChainAddress): SavedRecipient | undefined => byAddress.get(addressKey(place)),
  };
}

async function checkRow(
  row: BatchRow,
  book: RecipientBook,
  { known, spell }: BatchContext,
): Promise<{ payment: BatchPayment | null; faults: BatchFault[] }> {
  const { line, asset, amount, reference } = row;
  const faults: BatchFault[] = [];
  const rule = (column: BatchColumn, ruling: Ruling): void => {
    if (ruling !== true) faults.push({ line, column, value: row[column], message: ruling });
  };
  rule('asset', assetRule(asset));
  rule('chain', chainRule(row.chain));
  rule('recipient', row.recipient === '' || nameRule(row.recipient));
  rule('reference', referenceRule(reference));
  if (row.recipient === '' && row.address === '')
    faults.push({ line, column: null, value: null, message: 'It has neither a recipient nor an address.' });
  if (faults.length > 0) return { payment: null, faults };
  const chain = chainId(row.chain) === undefined ? row.chain : spell(asset, row.chain);
  const saved = row.address === '' ? savedAddress(row.recipient, chain, book) : { address: row.address };
  if ('problem' in saved) rule('recipient', saved.problem);
  else if (row.address !== '') rule('address', await addressRuling({ chain, address: row.address }, known));
  if ('problem' in saved || faults.length > 0) return { payment: null, faults };
  const { address } = saved;
  const fields = { asset, chain, amount, address };
  return {
    payment: {
      line,
      fields,
      reference: reference === '' ? null : reference,
      ...whoIs(row.recipient, { chain, address }, book),
    },
    faults,
  };
}

function nameRule(name: string): Ruling {
  return /[\r\n\t]/.test(name) ? 'Put it on one line.' : recipientNameRule(name);
}

function referenceRule(reference: string): Ruling {
  if (/[\r\n\t]/.test(reference)) return 'Put it on one line.';
  if (reference.length > REFERENCE_MAX) return `Use ${REFERENCE_MAX} characters or fewer.`;
  return revealHidden(reference) === reference || 'It contains an invisible character. Type it instead of pasting.';
}

async function addressRuling(place: ChainAddress, known: KnownAddresses): Promise<Ruling> {
  const ruling = await recipientAddressRule(place.chain, place.address);
  if (ruling !== true) return ruling;
  const [imitated] = mistakenFor(known, place);
  if (imitated === undefined) return true;
  const whose = imitated.name === null ? 'an address you have paid before' : `the address of “${imitated.name}”`;
  return `Blocked: this imitates ${whose}. Take it from its source again. If it is right, save it as a recipient first.`;
}

function savedAddress(name: string, chain: string, book: RecipientBook): { address: string } | { problem: string } {
  const named = book.named(name);
  if (named.length === 0)
    return { problem: 'No saved recipient has this name. Save the recipient, or add the address to the file.' };
  const here = named.filter((each) => chainForm(each.chain) === chainForm(chain));
  const [only] = here;
  if (only === undefined) return { problem: `This recipient has no saved address on ${chainLabel(chain)}.` };
  if (here.length > 1)
    return {
      problem: `This recipient has ${here.length} addresses on ${chainLabel(chain)}. Add the address to the file.`,
    };
  return { address: only.address };
}

function whoIs(
  name: string,
  place: ChainAddress,
  book: RecipientBook,
): Pick<BatchPayment, 'recipient' | 'savedElsewhere' | 'savedAs'> {
  const saved = book.at(place);
  if (name === '') return { recipient: saved?.name ?? null, savedElsewhere: [], savedAs: null };
  const isSame = saved !== undefined && searchForm(saved.name.trim()) === searchForm(name);
  return {
    recipient: name,
    savedElsewhere: isSame ? [] : book.named(name).map(({ chain, address }) => ({ chain, address })),
    savedAs: saved === undefined || isSame ? null : saved.name,
  };
}

function doubleReferences(rows: readonly BatchRow[]): BatchFault[] {
  const first = new Map<string, number>();
  return rows.flatMap(({ line, reference }) => {
    const before = first.get(reference);
    if (reference === '') return [];
    if (before === undefined) {
      first.set(reference, line);
      return [];
    }
    return [{ line, column: 'reference', value: reference, message: `Line ${before} has the same reference.` }];
  });
}
