import { useMemo } from 'react';
import type { Payment } from '#src/shared/overview/payment.ts';
import { useRecipients } from '#src/web/api/recipients.ts';
import { useTeam } from '#src/web/api/team.ts';
import { subjectId } from '#src/shared/contract/teamContract.ts';
import { addressKey } from '#src/shared/chains/lookAlike.ts';
import { chainLabel } from '#src/shared/chains/names.ts';
import { shorten, revealHidden } from '#src/shared/text.ts';

type Named = Pick<Payment, 'kind' | 'id' | 'chain' | 'address'>;

/** Returns who a payment goes to, or what it is for: "to Acme Hosting", "for order 10489", "on Tron". */
export type PaymentName = (payment: Named) => string;

const NAME_MAX = 60;

export function usePaymentNames(): PaymentName {
  const { entries } = useRecipients();
  const { data: notes } = useTeam('notes');
  return useMemo(() => {
    const names = new Map(entries.map((entry) => [addressKey(entry), entry.name]));
    const references = new Map(notes?.items.map(({ id, value }) => [id, value.reference]));
    return ({ kind, id, chain, address }) => {
      if (kind === 'withdrawal' && address !== null) {
        const name = chain === null ? undefined : names.get(addressKey({ chain, address }));
        return `to ${cut(name ?? shorten(address))}`;
      }
      const reference = references.get(subjectId({ kind, id })) ?? '';
      if (reference !== '') return `for ${cut(reference)}`;
      return chain === null ? '' : `on ${cut(chainLabel(chain))}`;
    };
  }, [entries, notes]);
}

function cut(text: string): string {
  return revealHidden(text.length > NAME_MAX ? `${text.slice(0, NAME_MAX)}…` : text);
}
