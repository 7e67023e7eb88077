import { formatAmount } from '#src/shared/amount.ts';
import type { ApprovalNeed, NeedReason } from './approvalNeed.ts';

/** Why a payment needs approval, without a full stop: "first payment to this address". */
export function needWords(reason: NeedReason): string {
  switch (reason.kind) {
    case 'no-policy':
      return 'no approval rules are set yet';
    case 'each':
      return `more than ${formatAmount(reason.limit, 'en')} ${reason.asset}`;
    case 'day':
      return `more than ${formatAmount(reason.limit, 'en')} ${reason.asset} in 24 hours`;
    case 'count':
      return `more than ${reason.limit} payments of ${reason.asset} in 24 hours`;
    case 'asset':
      return `payments of ${reason.asset}`;
    case 'unlisted':
      return 'not a confirmed recipient';
    case 'changed-recipient':
      return 'the recipient has changed';
    case 'first-payment':
      return 'first payment to this address';
  }
}

/** Null if nobody approves payments here. */
export function neededInWords(need: ApprovalNeed | null): { needs: number; why: string[] } | null {
  return need && { needs: need.needs, why: need.why.map(needWords) };
}
