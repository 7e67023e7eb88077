import { type ClipboardEvent, useEffect, useMemo, useRef, useState } from 'react';
import { useWatch } from 'react-hook-form';
import { flushSync } from 'react-dom';
import { useRecipients } from '#src/web/api/recipients.ts';
import { foundEntries, type KnownAddress } from '#src/shared/operations/knownAddresses.ts';
import { loadChains } from '#src/shared/chains/loadChains.ts';
import { addressKey } from '#src/shared/chains/lookAlike.ts';
import { isEvm } from '#src/shared/chains/names.ts';
import { type ChainId, chainId, chainLabel } from '#src/shared/chains/names.ts';
import { isOnChain, type Paste, parsePaymentUri, type PaymentLink } from '#src/shared/chains/parsePaymentUri.ts';
import { shorten, revealHidden } from '#src/shared/text.ts';
import { chainChoices, spellingOf } from '#src/web/list/chainChoices.ts';
import type { AddressHistory } from '#src/web/list/useKnownAddresses.ts';
import { useKnownChains } from '#src/web/report/ExplorerLink.tsx';
import { focusField } from '#src/web/send/FormFields.tsx';
import { Button } from '#src/web/ui/Button.tsx';
import { Combobox, type Option } from '#src/web/ui/Combobox.tsx';
import { LinkFacts, RecipientsLink } from './AddressField.tsx';
import { CHOSEN, fill, type WithdrawalForm } from './withdrawalForm.ts';

const OPTIONS_MAX = 30;
const RECENT_MAX = 5;
const PASTED = 'pasted';

type KnownChains = ReturnType<typeof useKnownChains>;

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
  const [asset, chain, address] = useWatch({ control: form.control, name: ['asset', 'chain', 'address'] });
  const chosen = addressKey({ chain, address });
  useReferenceOf(form, chosen, entries.find(({ id }) => id === chosen)?.reference);
  const [typed, setTyped] = useState<string | null>(null);
  const [link, setLink] = useState<(PaymentLink & { chainBefore?: string }) | null>(null);
  const matches = useMemo(() => {
    const paid = known.all.filter(({ last }) => last !== null);
    const recent = paid.sort((a, b) => (b.last?.at ?? 0) - (a.last?.at ?? 0));
    const named = known.all.flatMap((each) => (each.name === null ? [] : [{ ...each, name: each.name }]));
    if (typed === null || typed.trim() === '') return [...recent.slice(0, RECENT_MAX), ...foundEntries(named, '')];
    const unnamed = recent.filter(({ name }) => name === null).map((each) => ({ ...each, name: '' }));
    return [...foundEntries(named, typed), ...foundEntries(unnamed, typed)];
  }, [known, typed]);

  // The asset filled in for a recipient; changing the recipient replaces it, but never one a person chose.
  const filled = useRef('');
  const set = (fields: { address: string; chain?: string | undefined }, usual = '') => {
    setTyped(null);
    const now = form.getValues('asset').trim();
    const fitting = usual || (fields.chain === undefined ? '' : onlyAsset(fields.chain));
    if (now !== fitting && (now === '' || now === filled.current)) {
      filled.current = fitting;
      form.setValue('asset', fitting, fitting === '' ? {} : CHOSEN);
    }
    if (fields.chain !== undefined) form.setValue('chain', fields.chain, CHOSEN);
    form.setValue('address', fields.address, CHOSEN);
  };
  const goOn = () => focusField(form.getValues('asset').trim() === '' ? 'asset' : 'amount');
  const pick = (key: string) => {
    if (key === PASTED) return void take(typed ?? '', chains);
    const entry = entries.find(({ id }) => id === key);
    const place = entry ?? known.all.find((each) => addressKey(each) === key);
    if (!place) return undefined;
    setLink(null);
    set(place, entry?.asset || known.find(place)?.last?.asset || '');
    return goOn();
  };
  /** Fills the form from an address or a payment link; false if the text is neither. */
  const take = (text: string, chains: KnownChains): boolean => {
    const paste = parsePaymentUri(text.trim());
    const isElsewhere = paste.kind === 'uri' && chain.trim() !== '' && !isOnChain(paste, chain);
    const place = addressInPaste(paste, chains);
    const choices = chainChoices(rows, asset);
    const isChosen = asset !== '' && asset !== filled.current && chain.trim() !== '';
    // The chosen asset isn't on the chain of the address, so the chain stays and the address is checked against it.
    const isMisfit = paste.kind === 'plain' && isChosen && place?.chain != null && !choices.fits(place.chain);
    if (paste.kind === 'refused' || isMisfit || (isElsewhere && chainId(paste.chain) === undefined)) {
      // The address field shows what is wrong with it.
      setLink(null);
      set({ address: text.trim() });
      focusField('address');
      return true;
    }
    if (place === null) return false;
    if (paste.kind !== 'uri') setLink(null);
    else if (isElsewhere) setLink({ ...paste, chainBefore: chain });
    else setLink(hasPaymentDetails(paste) ? paste : null);
    set({
      address: place.address,
      chain: place.chain === null ? undefined : spellingOf(place.chain, choices),
    });
    goOn();
    return true;
  };
  const takeAmount = ({ amount = '' }: PaymentLink) => {
    fill(form, 'amount', amount);
    setLink(null);
  };
  const paste = (event: ClipboardEvent<HTMLInputElement>) => {
    const text = event.clipboardData.getData('text/plain');
    if (chains !== null) return void (take(text, chains) && event.preventDefault());
    // Pasted before the address checks are loaded: it stays in this field until then.
    void loadChains().then(
      // Synchronously, before the focus moves: the blur handler would otherwise take the text in the field.
      (loaded) => flushSync(() => take(text, loaded)),
      () => undefined,
    );
  };
  const isAddress = typed !== null && addressInPaste(parsePaymentUri(typed.trim()), chains) !== null;
  // Each address once: a recent payee may also be a saved recipient.
  const optionByAddress = new Map(matches.slice(0, OPTIONS_MAX).map((each) => [addressKey(each), optionOf(each)]));
  const options = [...optionByAddress.values()];
  if (isAddress) options.unshift({ value: PASTED, label: `Pay ${revealHidden(shorten(typed.trim()))}` });
  const more = matches.length - OPTIONS_MAX;
  return (
    <div className="grid gap-2">
      <Combobox
        label="Recipient"
        help={
          <>
            A saved name, or paste an address or a payment link. {error !== null && 'Saved names couldn’t be loaded. '}
            <RecipientsLink>Recipients</RecipientsLink>
          </>
        }
        text={typed ?? known.find({ chain, address })?.name ?? ''}
        onText={setTyped}
        onPaste={paste}
        onLeave={() => (looksLikeAddress(typed ?? '') ? set({ address: (typed ?? '').trim() }) : setTyped(null))}
        options={options}
        filtered
        foot={more > 0 ? `${more} more: type more of the name.` : undefined}
        nothing="No recipient of that name or address."
        onPick={pick}
      />
      {link && (
        <LinkFacts paste={link}>
          {link.chainBefore !== undefined && (
            <p role="status">
              Chain changed from {chainLabel(link.chainBefore)} to {chainLabel(link.chain)}.
            </p>
          )}
          {link.amount !== undefined && (
            <div className="acts-row">
              <Button onClick={() => takeAmount(link)}>Use the amount {link.amount}</Button>
            </div>
          )}
        </LinkFacts>
      )}
    </div>
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

/** Whether a link has more than address and chain, which the form fills in at once. */
function hasPaymentDetails({ amount, otherAmount, token }: PaymentLink): boolean {
  return (amount ?? otherAmount ?? token) !== undefined;
}

/** Whether a text looks like an address rather than a name, valid or not; the address field shows its error. */
function looksLikeAddress(text: string): boolean {
  const { kind } = parsePaymentUri(text.trim());
  return kind === 'refused' || kind === 'uri' || (/^[a-z0-9:]{20,}$/i.test(text.trim()) && /\d/.test(text));
}

/** The address in a text, with its chain if only one is possible; null if it has none. */
function addressInPaste(paste: Paste, chains: KnownChains): { address: string; chain: ChainId | null } | null {
  if (chains === null) return null;
  if (paste.kind === 'uri') return { address: paste.address, chain: chainId(paste.chain) ?? null };
  if (paste.kind !== 'plain') return null;
  const first = chains.chains.find((each) => each.checkAddress(paste.address).ok);
  if (first === undefined) return null;
  return { address: paste.address, chain: isEvm(first.id) ? null : first.id };
}
