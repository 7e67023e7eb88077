import { useMemo, useState } from 'react';
import { type UseFormReturn, useWatch } from 'react-hook-form';
import { type KnownRecipient, useRecipients } from '#src/api/recipients.ts';
import { foundEntries } from '#src/lib/findEntries.ts';
import { chainId } from '#src/lib/chains/names.ts';
import { placeKey } from '#src/lib/chains/lookAlike.ts';
import { visible } from '#src/lib/text.ts';
import { chainLabel } from '#src/lib/chains/names.ts';
import type { WithdrawalFields } from '#src/lib/operations/withdrawal.ts';
import type { Known } from '#src/list/useKnownAddresses.ts';
import { Combobox } from '#src/ui/Combobox.tsx';
import { BookLink } from './BookLink.tsx';

const MOST_SHOWN = 30;

interface RecipientFieldProps {
  form: UseFormReturn<WithdrawalFields>;
  account: string;
  known: Known;
}

/** Picks somebody of the address book, which fills chain and address; shows whose address is in the form. */
export function RecipientField({ form, account, known: { known } }: RecipientFieldProps) {
  const { entries, error } = useRecipients(account);
  const [chain, address] = useWatch({ control: form.control, name: ['chain', 'address'] });
  const [typed, setTyped] = useState<string | null>(null);
  const found = useMemo(() => foundEntries(entries, typed ?? ''), [entries, typed]);
  if (entries.length === 0 && error !== null) {
    return <p className="small msg msg-open">The address book couldn’t be loaded: pick nobody by name now.</p>;
  }
  if (entries.length === 0) {
    return (
      <p className="small sub">
        Recipients can be named once in the <BookLink form={form}>address book</BookLink> and picked here by name.
      </p>
    );
  }
  const more = found.length - MOST_SHOWN;
  const pick = (key: string) => {
    const entry = entries.find((each) => placeKey(each) === key);
    if (!entry) return;
    setTyped(null);
    form.setValue('chain', entry.chain, { shouldValidate: true, shouldDirty: true, shouldTouch: true });
    form.setValue('address', entry.address, { shouldValidate: true, shouldDirty: true, shouldTouch: true });
  };
  return (
    <Combobox
      label="Recipient"
      hint="(optional)"
      help={
        <>
          A name of the <BookLink form={form}>address book</BookLink> fills chain and address.
        </>
      }
      text={typed ?? known.find({ chain, address })?.name ?? ''}
      onText={setTyped}
      onLeave={() => setTyped(null)}
      options={ofChainFirst(found, chain)
        .slice(0, MOST_SHOWN)
        .map((entry) => ({
          key: placeKey(entry),
          label: <bdi>{visible(entry.name.slice(0, 120))}</bdi>,
          detail: (
            <>
              {chainLabel(entry.chain)} · <bdi className="mono">{visible(entry.address)}</bdi>
            </>
          ),
        }))}
      foot={more > 0 ? `${more} more: type more of the name.` : undefined}
      onPick={pick}
    />
  );
}

/** Those of the chain in the form come first, each part in its own order. */
function ofChainFirst(entries: readonly KnownRecipient[], chain: string): KnownRecipient[] {
  const id = chainId(chain) ?? chain;
  const isOfChain = (entry: KnownRecipient) => (chainId(entry.chain) ?? entry.chain) === id;
  return [...entries.filter(isOfChain), ...entries.filter((entry) => !isOfChain(entry))];
}
