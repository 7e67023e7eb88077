import { formatAmount, isAmount, isZero } from '#src/shared/amount.ts';
import { chainLabel } from '#src/shared/chains/names.ts';
import { knownStatus, toneOf } from '#src/shared/paymentStatus.ts';
import { revealHidden, textOrNull, visibleCode } from '#src/shared/text.ts';
import { formatFull, isPlausibleTime } from '#src/shared/time.ts';
import { type ListRow } from '#src/web/list/fields.tsx';
import { shortAddress } from './redactCase.ts';

interface ReplyInput {
  of: 'deposit' | 'withdrawal';
  row: ListRow;
  /** Unix seconds. */
  readAt: number;
}

/** A reply to the customer: facts of their payment only, nothing about the account, the team or the journal. */
export function customerReply({ of, row, readAt }: ReplyInput): string {
  const { asset, chain, address, created_at: created, tx_hash: hash } = row;
  const status = textOrNull(row['status']);
  // A failed payment was charged no fee.
  const fee = toneOf(status) === 'alarm' ? null : row['fee'];
  const amount = row[of === 'deposit' ? 'received_amount' : 'amount'];
  const what = isAmount(amount) && asset !== null ? ` of ${formatAmount(amount, 'en')} ${visibleCode(asset)}` : '';
  const where = typeof chain === 'string' && chain !== '' ? ` on ${revealHidden(chainLabel(chain))}` : '';
  const to = of === 'withdrawal' && typeof address === 'string' ? ` to ${revealHidden(shortAddress(address))}` : '';
  const when = isPlausibleTime(created) ? formatFull(created, 'utc') : null;
  const found =
    of === 'deposit'
      ? `We found your payment${what}${where}${when === null ? '' : `, detected on ${when}`}.`
      : `Your payment${what}${to}${where} was ${when === null ? 'accepted' : `accepted on ${when}`}.`;
  const lines = [
    'Hello,',
    '',
    `${found} ${standing(of, status)}`,
    '',
    // Explains an amount that arrived smaller; the contract does not say whether the fee was deducted from it.
    ...(isAmount(fee) && !isZero(fee) ? [`Fee: ${formatAmount(fee, 'en')} ${visibleCode(asset ?? '')}`.trim()] : []),
    ...(typeof hash === 'string' && hash !== '' ? [`Transaction: ${revealHidden(hash)}`] : []),
    `Payment ID: ${revealHidden(row.id)}`,
    `As of ${formatFull(readAt, 'utc')}`,
    '',
    'Kind regards',
  ];
  return `${lines.join('\n')}\n`;
}

const MOVING: Readonly<Record<ReplyInput['of'], Readonly<Record<string, string>>>> = {
  deposit: {
    pending: 'It is waiting to be confirmed on its blockchain. There is nothing you need to do.',
    processing: 'It is being processed.',
    broadcasted: 'It is waiting to be confirmed on its blockchain.',
  },
  withdrawal: {
    pending: 'It has not been sent to its blockchain yet.',
    processing: 'It is being processed.',
    broadcasted: 'It was sent to its blockchain and is waiting to be confirmed.',
  },
};

function standing(of: ReplyInput['of'], status: string | null): string {
  if (status === null) return 'We are told no status for it yet.';
  const kind = knownStatus(status);
  if (kind?.tone === 'proof') return of === 'deposit' ? 'It has arrived and is confirmed.' : 'It is complete.';
  if (kind?.tone === 'alarm') {
    const word = kind.word.toLowerCase();
    return `It was not completed (status: ${word})${of === 'deposit' ? ' and has not been credited' : ''}.`;
  }
  const phrase = Object.hasOwn(MOVING[of], status) ? MOVING[of][status] : undefined;
  return phrase ?? `Its status at our payments provider is “${revealHidden(status.slice(0, 60))}”.`;
}
