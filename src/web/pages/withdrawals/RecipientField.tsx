import { useEffect, useMemo, useRef, useState } from 'react';
import { useWatch } from 'react-hook-form';
import { useRecipients } from '#src/web/api/recipients.ts';
import { searchEntries, type KnownAddress } from '#src/shared/operations/knownAddresses.ts';
import { addressKey, type ChainAddress } from '#src/shared/chains/lookAlike.ts';
import { chainLabel } from '#src/shared/chains/names.ts';
import { parsePaymentUri } from '#src/shared/chains/parsePaymentUri.ts';
import { shorten, revealHidden } from '#src/shared/text.ts';
import type { AddressHistory } from '#src/web/list/useKnownAddresses.ts';
import { useKnownChains } from '#src/web/report/ExplorerLink.tsx';
import { Button } from '#src/web/ui/Button.tsx';
import { Combobox, type Option } from '#src/web/ui/Combobox.tsx';
import { LinkFacts, RecipientsLink } from './AddressField.tsx';
import { addressInPaste, type KnownChains, looksLikeAddress } from './addressInText.ts';
import { type TakenLink, useFillRecipient, usePastedText } from './usePastedText.ts';
import { CHOSEN, fill, type WithdrawalForm } from './withdrawalForm.ts';

const OPTIONS_MAX = 30;
const RECENT_MAX = 5;
const PASTED = 'pasted';

interface RecipientFieldProps {
  form: WithdrawalForm;
  known: AddressHistory;
  rows: readonly Record<string, unknown>[];
  /** The only asset that can be sent on a chain; empty if there are several. */
  onlyAsset: (chain: string) => string;
}

/** The recipient: a saved name, a recent payee, or a pasted address or payment link. Fills address and chain. */
export function RecipientField({ form, known: { known }, rows, onlyAsset }: RecipientFieldProps) {
  const { entries, error } = useRecipients();
  const chains = useKnownChains();
  const [chain, address] = useWatch({ control: form.control, name: ['chain', 'address'] });
  const chosen = addressKey({ chain, address });
  useReferenceOf(form, chosen, entries.find(({ id }) => id === chosen)?.reference);
  const [typed, setTyped] = useState<string | null>(null);
  const matches = useMemo(() => matchingAddresses(known.all, typed ?? ''), [known, typed]);
  const filling = useFillRecipient(form, onlyAsset, () => setTyped(null));
  const { fillRecipient, focusNext } = filling;
  const usualAsset = (place: ChainAddress) =>
    entries.find(({ id }) => id === addressKey(place))?.asset || known.find(place)?.last?.asset || '';
  const { link, forgetLink, take, onPaste } = usePastedText({ form, rows, chains, known, usualAsset, ...filling });
  const pick = (key: string) => {
    if (key === PASTED) return void take(typed ?? '');
    const place = entries.find(({ id }) => id === key) ?? known.all.find((each) => addressKey(each) === key);
    if (!place) return undefined;
    forgetLink();
    fillRecipient(place, usualAsset(place));
    return focusNext();
  };
  const leave = () => {
    if (looksLikeAddress(typed ?? '')) fillRecipient({ address: (typed ?? '').trim() });
    else setTyped(null);
  };
  const more = matches.length - OPTIONS_MAX;
  return (
    <div className="grid gap-2">
      <Combobox
        label="Recipient"
        help={
          <>
            Choose a recipient or paste an address or payment link.{' '}
            {error !== null && 'Saved names couldn’t be loaded. '}
            <RecipientsLink>Manage recipients</RecipientsLink>
          </>
        }
        text={typed ?? known.find({ chain, address })?.name ?? ''}
        onText={setTyped}
        onPaste={onPaste}
        onLeave={leave}
        options={optionsFor(matches, typed ?? '', chains)}
        filtered
        foot={more > 0 ? `${more} more: type more of the name.` : undefined}
        nothing={chains?.faultByForm((typed ?? '').trim()) ?? 'No saved recipient matches.'}
        onPick={pick}
      />
      {link && <TakenLinkFacts link={link} form={form} onDone={forgetLink} />}
    </div>
  );
}

interface TakenLinkFactsProps {
  link: TakenLink;
  form: WithdrawalForm;
  onDone: () => void;
}

/** The other facts of a payment link, after its address was filled in. */
function TakenLinkFacts({ link, form, onDone }: TakenLinkFactsProps) {
  const { chain, chainBefore, amount } = link;
  const takeAmount = (asked: string) => {
    fill(form, 'amount', asked);
    onDone();
  };
  return (
    <LinkFacts paste={link}>
      {chainBefore !== undefined && (
        <p role="status">
          Chain changed from {chainLabel(chainBefore)} to {chainLabel(chain)}.
        </p>
      )}
      {amount !== undefined && (
        <div className="acts-row">
          <Button onClick={() => takeAmount(amount)}>Use the amount {amount}</Button>
        </div>
      )}
    </LinkFacts>
  );
}

/** Fills in a saved recipient's reference, and clears it with the recipient. A typed reference stays. */
function useReferenceOf({ getValues, setValue }: WithdrawalForm, place: string, reference = '') {
  const last = useRef({ place, reference });
  useEffect(() => {
    const before = last.current;
    last.current = { place, reference };
    if (place === before.place || !['', before.reference].includes(getValues('reference'))) return;
    setValue('reference', reference, CHOSEN);
  }, [place, reference, getValues, setValue]);
}

/** Recent payees, then all saved recipients; if a text was typed, only those that match it. */
function matchingAddresses(all: readonly KnownAddress[], typed: string): KnownAddress[] {
  const paid = all.filter(({ last }) => last !== null);
  const recent = paid.sort((a, b) => (b.last?.at ?? 0) - (a.last?.at ?? 0));
  const named = all.flatMap((each) => (each.name === null ? [] : [{ ...each, name: each.name }]));
  if (typed.trim() === '') return [...recent.slice(0, RECENT_MAX), ...searchEntries(named, '')];
  const unnamed = recent.filter(({ name }) => name === null).map((each) => ({ ...each, name: '' }));
  return [...searchEntries(named, typed), ...searchEntries(unnamed, typed)];
}

function optionsFor(matches: readonly KnownAddress[], typed: string, chains: KnownChains): Option[] {
  // Each address once: a recent payee may also be a saved recipient.
  const optionByAddress = new Map(matches.slice(0, OPTIONS_MAX).map((each) => [addressKey(each), optionOf(each)]));
  const options = [...optionByAddress.values()];
  if (addressInPaste(parsePaymentUri(typed.trim()), chains) === null) return options;
  return [{ value: PASTED, label: `Pay ${revealHidden(shorten(typed.trim()))}` }, ...options];
}

function optionOf({ name, chain, address, last }: KnownAddress): Option {
  const whole = (
    <>
      {chainLabel(chain)} ·{' '}
      <bdi className="mono" translate="no">
        {revealHidden(address)}
      </bdi>
    </>
  );
  return {
    value: addressKey({ chain, address }),
    label:
      name === null || name === ''
        ? `Paid before${last?.asset ? `, ${last.asset}` : ''}`
        : revealHidden(name.slice(0, 120)),
    detail: whole,
  };
}
