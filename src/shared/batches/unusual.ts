// What a person should look at before a batch is sent, line by line.
import { formatAmount, isAmount } from '#src/shared/amount.ts';
import { codeWarning } from '#src/shared/assetCode.ts';
import type { BatchReviewed, EarlierBatch, ReviewedLine } from '#src/shared/contract/batchContract.ts';
import type { EarlierSend } from '#src/shared/contract/gatewayContract.ts';
import { addressKey, type ChainAddress, lookKey, ownerKey } from '#src/shared/chains/lookAlike.ts';
import type { AddressVerdict } from '#src/shared/chains/chains.ts';
import { chainLabel } from '#src/shared/chains/names.ts';
import { tokenContractWarning } from '#src/shared/chains/tokenContracts.ts';
import { groupBy } from '#src/shared/groupBy.ts';
import { add, compare } from '#src/shared/money.ts';
import { destinationForm } from '#src/shared/operations/compare.ts';
import type { KnownAddress, KnownAddresses } from '#src/shared/operations/knownAddresses.ts';
import { RECIPIENT_CHANGED, refusedWords } from '#src/shared/operations/approvalWords.ts';
import { repeatsOf } from '#src/shared/operations/repeats.ts';
import { withdrawalRequest } from '#src/shared/operations/withdrawal.ts';
import { toneOf } from '#src/shared/paymentStatus.ts';
import { capital, counted, folded, listInWords, revealHidden, shorten, visibleCode } from '#src/shared/text.ts';
import type { BatchPayment } from './batchPayments.ts';

/** The most serious first. */
const KINDS = [
  'unresolved',
  'repeat',
  'earlier-batch',
  'rejected-before',
  'changed',
  'recipient-changed',
  'saved-as',
  'imitation',
  'same-recipient',
  'much',
  'first',
  'contract',
  'own-address',
  'asset',
  'chain',
  'unchecked',
] as const;
export type UnusualKind = (typeof KINDS)[number];

export interface UnusualReason {
  kind: UnusualKind;
  words: string;
  /** The earlier payments or batches that a tick confirms. */
  ids: readonly string[];
  /** The key of a payment, or the id of a batch, to look at. */
  operation?: string;
  batch?: string;
}

export interface ReviewedPayment extends BatchPayment {
  unusual: readonly UnusualReason[];
  /** Worth knowing; nothing to confirm. */
  remarks: readonly string[];
  /** The key of another payment with this reference, because of which the server refuses the line. */
  usedReference: string | null;
  /** The earlier sends that a tick confirms, as the PUT request expects them. */
  secondSendOf: readonly string[];
  /** How many earlier lines of the file pay the same destination. */
  earlierLines: number;
  /** Batches of the last weeks that have the same payment. */
  earlierBatches: readonly EarlierBatch[];
}

export interface UnusualContext {
  known: KnownAddresses;
  /** Earlier payments were loaded, so an address without one is paid for the first time. */
  areKnown: boolean;
  ownDeposit: (place: ChainAddress) => unknown;
  /** The assets of the account. */
  held: readonly string[];
  fits: (asset: string, chain: string) => boolean;
  checkAddress: (chain: string, address: string) => AddressVerdict;
  reviewed: Pick<BatchReviewed, 'lines'>;
  /** Formats the date of a time in ms. */
  dateWords: (ms: number) => string;
  amountsHidden: boolean;
}

export function reviewPayments(payments: readonly BatchPayment[], context: UnusualContext): ReviewedPayment[] {
  const byDestination = groupBy(payments, ({ fields }) => destinationForm(fields));
  const byAddress = groupBy(payments, ({ fields }) => addressKey(fields));
  const byLook = groupBy(payments, ({ fields }) => lookKey(fields));
  const reviewed = new Map(context.reviewed.lines.map((line) => [line.line, line]));
  return payments.map((payment) => {
    const { fields, line } = payment;
    const found = reviewed.get(line);
    const before = (byDestination.get(destinationForm(fields)) ?? []).filter((other) => other.line < line);
    const others = (byAddress.get(addressKey(fields)) ?? []).filter((other) => other.line !== line);
    const look = lookKey(fields);
    const imitated = (look === null ? [] : (byLook.get(look) ?? [])).filter(
      (other) => ownerKey(other.fields) !== ownerKey(fields),
    );
    const unusual = [
      ...fromServer(payment, found, context),
      ...withinFile(others, imitated),
      ...ofRecipient(payment, context),
      ...ofAmount(payment, context),
      ...ofFields(payment, context),
    ];
    return {
      ...payment,
      unusual: unusual.toSorted((a, b) => KINDS.indexOf(a.kind) - KINDS.indexOf(b.kind)),
      remarks: remarksOf(payment, found, context),
      usedReference: found?.reference ?? null,
      secondSendOf: [...(found?.existing == null ? [] : [found.existing]), ...(found?.of.map(({ id }) => id) ?? [])],
      earlierLines: before.length,
      earlierBatches: found?.batches ?? [],
    };
  });
}

/** Changes when a tick on this line would confirm something else. */
export function confirmationKey({ line, unusual }: Pick<ReviewedPayment, 'line' | 'unusual'>): string {
  return JSON.stringify([line, unusual.map(({ kind, ids }) => [kind, ids])]);
}

/** Not ticked line by line: hundreds of ticks would only teach people to tick blindly. */
const CONFIRMED_TOGETHER: ReadonlySet<UnusualKind> = new Set(['rejected-before', 'earlier-batch']);

export function needsTick({ unusual }: Pick<ReviewedPayment, 'unusual'>): boolean {
  return unusual.some(({ kind }) => !CONFIRMED_TOGETHER.has(kind));
}

/** Payments of a batch that were in earlier ones as well, as those of every month are. */
export interface RepeatedPayments {
  payments: readonly ReviewedPayment[];
  /** The newest first. */
  batches: readonly EarlierBatch[];
}

/** Null if no earlier batch of the last weeks has any of the payments. */
export function repeatedPayments(all: readonly ReviewedPayment[]): RepeatedPayments | null {
  const payments = all.filter(({ earlierBatches }) => earlierBatches.length > 0);
  if (payments.length === 0) return null;
  const byId = new Map(payments.flatMap(({ earlierBatches }) => earlierBatches.map((batch) => [batch.id, batch])));
  return { payments, batches: [...byId.values()].toSorted((one, other) => other.at - one.at) };
}

/** Equal as long as a confirmation of repeated payments means the same ones. */
export function tickOfRepeated({ payments }: RepeatedPayments): string {
  return JSON.stringify(payments.map(({ line, earlierBatches }) => [line, earlierBatches.map(({ id }) => id)]));
}

/** The most serious first. */
export function byGravity(one: Pick<ReviewedPayment, 'unusual'>, other: Pick<ReviewedPayment, 'unusual'>): number {
  const gravity = ({ unusual: [worst] }: Pick<ReviewedPayment, 'unusual'>): number =>
    worst === undefined ? KINDS.length : KINDS.indexOf(worst.kind);
  return gravity(one) - gravity(other);
}

/** Whether a person should look at this payment before it is sent. One that only repeats an earlier batch is listed with the others that do. */
export function needsAttention({
  unusual,
  usedReference,
}: Pick<ReviewedPayment, 'unusual' | 'usedReference'>): boolean {
  return unusual.some(({ kind }) => kind !== 'earlier-batch') || usedReference !== null;
}

const plain = (kind: UnusualKind, words: string): UnusualReason => ({ kind, words, ids: [] });

function fromServer(payment: BatchPayment, found: ReviewedLine | undefined, context: UnusualContext): UnusualReason[] {
  if (found === undefined) return [];
  const { existing, of, batches, refused_before: refused } = found;
  const repeats = [...of.filter(isAwaiting), ...repeatsOf(withdrawalRequest(payment.fields), of.filter(isOver))];
  const [first] = batches;
  return [
    ...(existing === null
      ? []
      : [
          {
            kind: 'unresolved' as const,
            words: 'A payment to this recipient isn’t resolved yet. This one waits until it is.',
            ids: [existing],
            operation: existing,
          },
        ]),
    ...repeats.map((send) => ({
      kind: 'repeat' as const,
      words: repeatWords(send, payment, context),
      ids: [send.id],
      ...(send.source === 'journal' && { operation: send.id }),
    })),
    ...(first === undefined
      ? []
      : [
          {
            kind: 'earlier-batch' as const,
            words: `The same amount to this recipient is also in ${batchesInWords(batches, context)}.`,
            ids: batches.map(({ id }) => id),
            batch: first.id,
          },
        ]),
    ...refused.toReversed().map(({ key, at, ...ending }) => ({
      kind: 'rejected-before' as const,
      words: refusedWords(ending, context.dateWords(at)),
      ids: [key],
      operation: key,
    })),
    // The line already says so if the address isn't the one saved under this name.
    ...(found.recipient_changed && payment.savedElsewhere.length === 0
      ? [plain('recipient-changed', RECIPIENT_CHANGED)]
      : []),
  ];
}

/** It was not sent yet. */
function isAwaiting({ status }: EarlierSend): boolean {
  return status === 'awaiting';
}

/** A person closed it without knowing its outcome, up to 35 days ago. */
function isClosed({ source, status }: EarlierSend): boolean {
  return source === 'journal' && status === 'closed';
}

function closedWords({ createdAt }: EarlierSend, { dateWords }: UnusualContext): string {
  const when = createdAt === null ? 'before' : `on ${dateWords(createdAt * 1_000)}`;
  return `Another amount was sent ${when} and closed manually. Whether it was paid isn’t known.`;
}

function isOver(send: EarlierSend): boolean {
  return !isAwaiting(send);
}

function batchesInWords(batches: readonly EarlierBatch[], { dateWords }: UnusualContext): string {
  const days = [...new Set(batches.map(({ at }) => dateWords(at)))];
  return batches.length === 1 ? `the batch of ${days[0] ?? ''}` : `${batches.length} batches: ${listInWords(days)}`;
}

function repeatWords(
  send: EarlierSend,
  { fields }: BatchPayment,
  { dateWords, amountsHidden }: UnusualContext,
): string {
  const { source, amount, createdAt, status, count } = send;
  if (source === 'set-back') return 'The database was restored from an older copy, so this may have been sent already.';
  if (source === 'others')
    return `${counted(count ?? 1, 'payment', 'payments')} of another account or API key went to the same recipient.`;
  const figure = amount === null ? 'An amount that can’t be read' : amountWords(amount, fields.asset, amountsHidden);
  if (isAwaiting(send)) return `Another payment to this recipient waits for approval: ${figure}.`;
  const when = createdAt === null ? '' : ` on ${dateWords(createdAt * 1000)}`;
  const listed = source === 'service' ? ', listed by the provider' : '';
  return `Paid before: ${figure}${when} (${revealHidden((status ?? 'no status').slice(0, 60))}${listed}).`;
}

function withinFile(others: readonly BatchPayment[], imitated: readonly BatchPayment[]): UnusualReason[] {
  const pay = others.length === 1 ? 'pays' : 'pay';
  return [
    ...(others.length === 0
      ? []
      : [plain('same-recipient', `${capital(linesInWords(others))} ${pay} the same address.`)]),
    ...(imitated.length === 0
      ? []
      : [plain('imitation', `It begins and ends like the address of ${linesInWords(imitated)}, and is another one.`)]),
  ];
}

/** Maximum number of lines listed one by one. */
const LISTED_MAX = 5;

function linesInWords(of: readonly BatchPayment[]): string {
  const listed = of.slice(0, LISTED_MAX).map(({ line }) => String(line));
  const more = of.length - listed.length;
  const others = more > 0 ? [`${more} other${more === 1 ? '' : 's'}`] : [];
  return `line${of.length === 1 ? '' : 's'} ${listInWords([...listed, ...others])}`;
}

function ofRecipient(payment: BatchPayment, { known, areKnown }: UnusualContext): UnusualReason[] {
  const { fields, savedElsewhere, savedAs } = payment;
  const address = known.find(fields);
  const saved = savedElsewhere.map((place) => `${shorten(place.address)} on ${chainLabel(place.chain)}`);
  return [
    ...(saved.length === 0
      ? []
      : [plain('changed', `Another address than the saved one (${listInWords(saved)}). Ask the recipient.`)]),
    ...(savedAs === null ? [] : [plain('saved-as', `This address is saved as “${revealHidden(savedAs)}”.`)]),
    ...firstPayment(address, fields.chain, { known, areKnown }, fields),
  ];
}

function firstPayment(
  address: KnownAddress | null,
  chain: string,
  { known, areKnown }: Pick<UnusualContext, 'known' | 'areKnown'>,
  place: ChainAddress,
): UnusualReason[] {
  if (address?.last && toneOf(address.last.status) !== 'alarm') return [];
  if (address?.last) return [plain('first', 'The last payment to this address failed.')];
  const [elsewhere] = known.elsewhere(place);
  const also = elsewhere ? ` It is known on ${chainLabel(elsewhere.chain)}, not on ${chainLabel(chain)}.` : '';
  return [plain('first', `First payment to this address${areKnown ? '' : ', as far as we know'}.${also}`)];
}

/** More than twice the last one. */
function ofAmount({ fields }: BatchPayment, { known, amountsHidden }: UnusualContext): UnusualReason[] {
  const last = lastAmount(known.find(fields), fields.asset);
  if (last === null || compare(fields.amount, add(last, last)) <= 0) return [];
  return [plain('much', `More than twice the last payment (${amountWords(last, fields.asset, amountsHidden)}).`)];
}

function lastAmount(address: KnownAddress | null, asset: string): string | null {
  const last = address?.last;
  return last && isAmount(last.amount) && folded(last.asset ?? '') === folded(asset) ? last.amount : null;
}

function ofFields({ fields }: BatchPayment, context: UnusualContext): UnusualReason[] {
  const { asset, chain, address } = fields;
  const assets = [asset, ...context.held].map((code) => ({ asset: code }));
  const contract = tokenContractWarning(fields, assets);
  const code = codeWarning(asset, context.held);
  const verdict = context.checkAddress(chain, address);
  const tag = verdict.verdict === 'unknown-chain' ? verdict.tag : null;
  return [
    ...(contract === null ? [] : [plain('contract', contract)]),
    ...(context.ownDeposit(fields) == null
      ? []
      : [plain('own-address', 'This is your own deposit address: it costs a fee and comes back as a deposit.')]),
    ...(code === undefined ? [] : [plain('asset', code)]),
    ...(context.fits(asset, chain)
      ? []
      : [plain('chain', `${visibleCode(asset)} isn’t known on ${chainLabel(chain)}. Ask the recipient.`)]),
    ...(verdict.verdict === 'unknown-chain'
      ? [
          plain(
            'unchecked',
            `We can’t check addresses on this chain. Compare it with the invoice.${tag === null ? '' : ` It contains the destination tag ${tag}.`}`,
          ),
        ]
      : []),
  ];
}

function remarksOf(payment: BatchPayment, found: ReviewedLine | undefined, context: UnusualContext): string[] {
  const { fields } = payment;
  const verdict = context.checkAddress(fields.chain, fields.address);
  const address = context.known.find(fields);
  const over = found?.of.filter(isOver) ?? [];
  const repeats = repeatsOf(withdrawalRequest(fields), over);
  const others = over.filter((send) => !repeats.includes(send));
  const closed = others.filter(isClosed);
  const paid = others.length - closed.length;
  return [
    ...(verdict.verdict === 'valid' && verdict.unchecked
      ? ['No checksum in this address: a mistyped character can’t be detected.']
      : []),
    ...(paid > 0 ? [`Paid another amount ${paid === 1 ? 'once' : `${paid} times`} in the last 24 hours.`] : []),
    ...closed.map((send) => closedWords(send, context)),
    ...(address?.last && lastAmount(address, fields.asset) === null
      ? [`The last amount in ${visibleCode(fields.asset)} isn’t known, so this one wasn’t compared.`]
      : []),
  ];
}

function amountWords(amount: string, asset: string, hidden: boolean): string {
  return `${hidden ? '•••••' : formatAmount(amount)} ${visibleCode(asset)}`;
}
