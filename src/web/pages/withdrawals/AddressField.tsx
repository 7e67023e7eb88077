import { Check, TriangleAlert } from 'lucide-react';
import { useEffect, type ReactNode } from 'react';
import { useWatch } from 'react-hook-form';
import { Link } from 'react-router';
import { type ChainAddress, addressKey } from '#src/shared/chains/lookAlike.ts';
import { chainId, chainLabel } from '#src/shared/chains/names.ts';
import { isOnChain, parsePaymentUri, type PaymentLink } from '#src/shared/chains/parsePaymentUri.ts';
import { type ChainChoices, spellingOf } from '#src/web/list/chainChoices.ts';
import type { AddressHistory } from '#src/web/list/useKnownAddresses.ts';
import { useKnownChains } from '#src/web/report/ExplorerLink.tsx';
import { Button, buttonClass } from '#src/web/ui/Button.tsx';
import { Fact, Facts, TextFact } from '#src/web/ui/Facts.tsx';
import { FormAddress } from '#src/web/send/FormFields.tsx';
import { UntrustedText, GroupedAddress } from '#src/web/ui/UntrustedText.tsx';
import { locationState } from '#src/web/storage/locationState.ts';
import { paths } from '#src/shared/paths.ts';
import { type KnownAddress, mistakenFor } from '#src/shared/operations/knownAddresses.ts';
import { AddressDiff } from '#src/web/ui/AddressDiff.tsx';
import { Notice } from '#src/web/ui/Notice.tsx';
import { RecipientNotes, LastUse } from '#src/web/send/RecipientNotes.tsx';
import { CHOSEN, fill, type WithdrawalForm } from './withdrawalForm.ts';

interface AddressFieldProps {
  form: WithdrawalForm;
  known: AddressHistory;
  chains: ChainChoices;
  /** The asset to send, and the assets with a balance. */
  assets: readonly { asset: string }[];
}

export function AddressField({ form, known, chains, assets }: AddressFieldProps) {
  const [chain, typed] = useWatch({ control: form.control, name: ['chain', 'address'] });
  const address = typed.trim();
  const paste = parsePaymentUri(address);
  const error = form.formState.errors.address?.message;
  const destination = { chain: chain.trim(), address };
  const alike = address === '' || destination.chain === '' ? [] : mistakenFor(known.known, destination);
  const isBlocked = alike.length > 0;
  const hasTypo = useKnownChains()?.faultByForm(address) != null;
  const isJudgedAtOnce = isBlocked || (destination.chain === '' && hasTypo);
  // Show the error at once, and remove it at once if another tab saves the address as a recipient.
  const { trigger } = form;
  useEffect(() => {
    if (isJudgedAtOnce) void trigger('address');
    return () => {
      if (isJudgedAtOnce) void trigger('address');
    };
  }, [isJudgedAtOnce, trigger]);
  return (
    <div className="grid gap-2">
      <FormAddress label="Destination address" control={form.control} name="address" />
      {paste.kind === 'uri' && <PastedLink paste={paste} form={form} chain={destination.chain} chains={chains} />}
      {isBlocked && <LookAlike place={destination} alike={alike} list={known.list} form={form} />}
      {paste.kind === 'plain' && address !== '' && error === undefined && !isBlocked && (
        <AddressNotes place={destination} known={known} assets={assets} />
      )}
    </div>
  );
}

function AddressNotes({ place, known, assets }: { place: ChainAddress } & Omit<AddressFieldProps, 'form' | 'chains'>) {
  const chains = useKnownChains();
  const { chain, address } = place;
  if (!chains || chain === '') return null;
  const check = chains.checkAddress(chain, address);
  if (check.verdict !== 'valid' && check.verdict !== 'unknown-chain') return null;
  const isChecked = check.verdict === 'valid' && !check.unchecked;
  const Icon = isChecked ? Check : TriangleAlert;
  return (
    <div className="[&_.chunks]:max-w-none [&_.chunks]:text-small">
      <GroupedAddress value={address} />
      <div role="status">
        <p className={isChecked ? 'msg sub' : 'msg msg-open'}>
          <Icon className="icon-s" aria-hidden />
          <span>
            {isChecked && `Valid ${chainLabel(chain)} address. Check that it is the right recipient.`}
            {check.verdict === 'valid' &&
              check.unchecked &&
              'No checksum in this address: a mistyped character can’t be detected.'}
            {check.verdict === 'unknown-chain' &&
              'We can’t check addresses on this chain. Compare it with the invoice.'}
            {check.verdict === 'unknown-chain' &&
              check.tag !== null &&
              ` This X-address contains the destination tag ${check.tag}. Make sure that your provider reads it.`}
          </span>
        </p>
        <RecipientNotes place={place} known={known} assets={assets} />
      </div>
    </div>
  );
}

interface PastedLinkProps extends Pick<AddressFieldProps, 'form' | 'chains'> {
  paste: PaymentLink;
  /** The chosen chain; empty if none. */
  chain: string;
}

/** The parts of a payment link. Nothing is filled in without a click, and the address never without its chain. */
function PastedLink({ paste, form, chain, chains }: PastedLinkProps) {
  const { address, amount } = paste;
  const isElsewhere = chain !== '' && !isOnChain(paste, chain);
  const isKnown = chainId(paste.chain) !== undefined;
  const takeAddress = () => {
    if (isKnown && (chain === '' || isElsewhere)) form.setValue('chain', spellingOf(paste.chain, chains), CHOSEN);
    fill(form, 'address', address);
  };
  const takeBoth = () => {
    if (amount !== undefined) form.setValue('amount', amount, CHOSEN);
    takeAddress();
  };
  const on = isElsewhere ? ` on ${chainLabel(paste.chain)}` : '';
  return (
    <LinkFacts paste={paste}>
      {(isKnown || !isElsewhere) && (
        <div className="acts-row">
          {amount !== undefined && <Button onClick={takeBoth}>Use address and amount{on}</Button>}
          <Button onClick={takeAddress}>
            {amount === undefined ? 'Use the address' : 'Use the address only'}
            {on}
          </Button>
        </div>
      )}
    </LinkFacts>
  );
}

interface LinkFactsProps {
  paste: PaymentLink;
  children: ReactNode;
}

export function LinkFacts({ paste, children }: LinkFactsProps) {
  const { chain, address, amount, otherAmount, token, label } = paste;
  return (
    <div className="grid gap-2 border border-rule bg-inset p-3 text-small wrap-anywhere">
      <p>
        <b>The pasted text is a payment link.</b> It holds:
      </p>
      <Facts>
        <Fact label="For">{chainLabel(chain)}</Fact>
        <TextFact label="Pays to" mono value={address} max={120} />
        <TextFact label="Token" mono value={token} max={160} />
        <TextFact label="Asks for" value={amount ?? otherAmount} max={120} />
        {label !== undefined && (
          <Fact label="Says">
            “<UntrustedText value={label} max={120} />”
          </Fact>
        )}
      </Facts>
      {token !== undefined && (
        <p>Choose the asset and the amount yourself, and make sure that the asset is this token.</p>
      )}
      {children}
    </div>
  );
}

interface LookAlikeProps {
  place: ChainAddress;
  alike: readonly KnownAddress[];
  list: AddressHistory['list'];
  form: WithdrawalForm;
}

function LookAlike({ place, alike, list, form }: LookAlikeProps) {
  return (
    <Notice tone="alarm" title="Possible address poisoning.">
      Scammers create addresses with the same first and last characters as one you pay. Take the address from its source
      again, and compare the middle.
      <div className="[&_bdi]:leading-5">
        {alike.map((known) => (
          <AddressDiff
            key={addressKey(known)}
            one={{ ...place, label: 'In the form' }}
            other={{ ...known, label: <AddressOwner known={known} list={list} /> }}
          >
            <Button onClick={() => fill(form, 'address', known.address)}>Use the known address</Button>
          </AddressDiff>
        ))}
      </div>
      <p>
        Different recipient?{' '}
        <RecipientsLink add={place} className={buttonClass('plain', 'small')}>
          Save it as a new recipient first
        </RecipientsLink>{' '}
        What you typed here is kept.
      </p>
    </Notice>
  );
}

function AddressOwner({ known: { name, chain, last }, list }: { known: KnownAddress; list: AddressHistory['list'] }) {
  return (
    <>
      {name === null ? 'Known' : <UntrustedText value={name} max={80} />} on {chainLabel(chain)}
      {last && (
        <>
          . <LastUse use={last} list={list} />
        </>
      )}
    </>
  );
}

interface RecipientsLinkProps {
  add?: ChainAddress;
  className?: string;
  children: ReactNode;
}

/** To the saved recipients and back. The form's draft is kept. */
export function RecipientsLink({ add, className, children }: RecipientsLinkProps) {
  return (
    <Link className={className} to={paths.recipients} state={locationState({ add, back: true })}>
      {children}
    </Link>
  );
}
