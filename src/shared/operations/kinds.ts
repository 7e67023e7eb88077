import { formatAmount } from '#src/shared/amount.ts';
import { shorten, revealHidden, visibleCode } from '#src/shared/text.ts';
import { charge } from './charge.ts';
import { depositAddress } from './depositAddress.ts';
import { type About, type Kind, KINDS, type OperationKind, type OperationRequest } from './kind.ts';
import { webhookReplay } from './webhookReplay.ts';
import { withdrawal } from './withdrawal.ts';

/** The declaration of each kind. To add one: a file next to these and a line here. */
export const KIND: Readonly<Record<OperationKind, Kind>> = {
  withdrawal,
  'deposit-address': depositAddress,
  charge,
  'webhook-replay': webhookReplay,
};

export function isPosted(path: string): boolean {
  return KINDS.some((kind) => KIND[kind].path.test(path));
}

/** The duplicate key: identifies what must not be done twice unnoticed; null if path or bytes aren't of the kind. */
export function duplicateKeyOf(sent: OperationRequest): string | null {
  const { path, duplicateKeyOf } = KIND[sent.kind];
  return path.test(sent.path) ? duplicateKeyOf(sent) : null;
}

/** A page's heading: the kind and what it is about. `hidden`: without digits, for a shared screen. */
export function titleOf(sent: OperationRequest, hidden: boolean): string {
  const { title, aboutOf, destinationIs: placeIs } = KIND[sent.kind];
  const about = aboutOf(sent);
  if (about.amount !== null) return `${title} of ${amountText(about, hidden)}`;
  if (about.destination === null) return title;
  return `${title}, ${revealHidden(placeIs === 'id' ? shorten(about.destination) : about.destination)}`;
}

/** "99 USDT". */
export function amountText({ amount, asset }: About, hidden: boolean): string {
  const figure = amount === null ? '' : hidden ? '•••••' : formatAmount(amount);
  return `${figure} ${asset === null ? '' : visibleCode(asset)}`.trim();
}
