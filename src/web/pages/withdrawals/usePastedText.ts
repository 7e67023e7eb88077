import { type ClipboardEvent, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { loadChains } from '#src/shared/chains/loadChains.ts';
import type { ChainAddress } from '#src/shared/chains/lookAlike.ts';
import { chainId } from '#src/shared/chains/names.ts';
import { isOnChain, parsePaymentUri, type PaymentLink } from '#src/shared/chains/parsePaymentUri.ts';
import type { KnownAddresses } from '#src/shared/operations/knownAddresses.ts';
import { chainChoices, spellingOf } from '#src/web/list/chainChoices.ts';
import { focusField } from '#src/web/send/FormFields.tsx';
import { addressInPaste, hasPaymentDetails, type KnownChains } from './addressInText.ts';
import { CHOSEN, type WithdrawalForm } from './withdrawalForm.ts';

/** A payment link that was filled in. `chainBefore`: the chosen chain that it replaced. */
export type TakenLink = PaymentLink & { chainBefore?: string };

interface Recipient {
  address: string;
  /** Absent if the chosen chain stays. */
  chain?: string | undefined;
}

/** Fills in a recipient, and the asset if only one can be sent to it. */
export function useFillRecipient(form: WithdrawalForm, onlyAsset: (chain: string) => string, onFilled: () => void) {
  // The asset filled in for a recipient; changing the recipient replaces it, but never one a person chose.
  const filled = useRef('');
  return {
    fillRecipient: ({ address, chain }: Recipient, usualAsset = '') => {
      onFilled();
      const now = form.getValues('asset').trim();
      const fitting = usualAsset || (chain === undefined ? '' : onlyAsset(chain));
      if (now !== fitting && (now === '' || now === filled.current)) {
        filled.current = fitting;
        form.setValue('asset', fitting, fitting === '' ? {} : CHOSEN);
      }
      if (chain !== undefined) form.setValue('chain', chain, CHOSEN);
      form.setValue('address', address, CHOSEN);
    },
    /** Whether a person chose both asset and chain. */
    isChosen: () => {
      const [asset, chain] = form.getValues(['asset', 'chain']);
      return asset !== '' && asset !== filled.current && chain.trim() !== '';
    },
    focusNext: () => focusField(form.getValues('asset').trim() === '' ? 'asset' : 'amount'),
  };
}

interface PastedTextOptions extends ReturnType<typeof useFillRecipient> {
  form: WithdrawalForm;
  rows: readonly Record<string, unknown>[];
  chains: KnownChains;
  known: KnownAddresses;
  /** The asset that a recipient is usually paid in; empty if there is none. */
  usualAsset: (place: ChainAddress) => string;
}

/** Fills the form from a pasted or typed address or payment link. */
export function usePastedText(options: PastedTextOptions) {
  const { form, rows, chains, known, usualAsset, fillRecipient, isChosen, focusNext } = options;
  const [link, setLink] = useState<TakenLink | null>(null);
  /** False if the text is neither. */
  const take = (text: string, loaded = chains): boolean => {
    const [asset, chain] = form.getValues(['asset', 'chain']);
    const paste = parsePaymentUri(text.trim());
    const isElsewhere = paste.kind === 'uri' && chain.trim() !== '' && !isOnChain(paste, chain);
    const place = addressInPaste(paste, loaded);
    const choices = chainChoices(rows, asset);
    // The chosen asset isn't on the chain of the address, so the chain stays and the address is checked against it.
    const isMisfit = paste.kind === 'plain' && isChosen() && place?.chain != null && !choices.fits(place.chain);
    if (paste.kind === 'refused' || isMisfit || (isElsewhere && chainId(paste.chain) === undefined)) {
      // The address field shows what is wrong with it.
      setLink(null);
      fillRecipient({ address: text.trim() });
      focusField('address');
      return true;
    }
    if (place === null) return false;
    if (paste.kind !== 'uri') setLink(null);
    else if (isElsewhere) setLink({ ...paste, chainBefore: chain });
    else setLink(hasPaymentDetails(paste) ? paste : null);
    const { address } = place;
    const taken =
      place.chain === null ? chain.trim() || onlyChainPaid(known, address) : spellingOf(place.chain, choices);
    fillRecipient({ address, chain: taken }, taken === undefined ? '' : usualAsset({ chain: taken, address }));
    focusNext();
    return true;
  };
  const onPaste = (event: ClipboardEvent<HTMLInputElement>) => {
    const text = event.clipboardData.getData('text/plain');
    if (chains !== null) return void (take(text) && event.preventDefault());
    // Pasted before the address checks are loaded: it stays in this field until then.
    void loadChains().then(
      // Synchronously, before the focus moves: the blur handler would otherwise take the text in the field.
      (loaded) => flushSync(() => take(text, loaded)),
      () => undefined,
    );
  };
  return { link, forgetLink: () => setLink(null), take, onPaste };
}

/** The chain of earlier payments to an address that several chains could have; undefined if there isn't exactly one. */
function onlyChainPaid(known: KnownAddresses, address: string): string | undefined {
  const target = { chain: 'ethereum', address };
  const [first, ...more] = [known.find(target) ?? [], known.elsewhere(target)].flat();
  return more.length === 0 ? first?.chain : undefined;
}
