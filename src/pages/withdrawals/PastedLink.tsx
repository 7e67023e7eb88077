import type { UseFormReturn } from 'react-hook-form';
import { chainId, chainNames } from '#src/lib/chains/names.ts';
import type { Paste } from '#src/lib/chains/parsePaymentUri.ts';
import type { WithdrawalFields } from '#src/lib/operations/withdrawal.ts';
import { Button } from '#src/ui/Button.tsx';
import { Fact, Facts } from '#src/ui/Facts.tsx';
import { UntrustedText } from '#src/ui/UntrustedText.tsx';

interface PastedLinkProps {
  paste: Extract<Paste, { kind: 'uri' }>;
  form: UseFormReturn<WithdrawalFields>;
}

/** A payment link in its parts; nothing is taken from it until somebody says which. */
export function PastedLink({ paste, form }: PastedLinkProps) {
  const options = { shouldValidate: true, shouldDirty: true, shouldTouch: true };
  const { address, amount } = paste;
  const takeAddress = () => {
    form.setValue('address', address, options);
    form.setFocus('address');
  };
  const takeBoth = () => {
    if (amount !== undefined) form.setValue('amount', amount, options);
    takeAddress();
  };
  const id = chainId(paste.scheme);
  return (
    <div className="note note-plain grid-cols-1">
      <div className="col-start-1 grid gap-2">
        <p>
          <b>The pasted text is a payment link.</b> It holds:
        </p>
        <Facts>
          <Fact label="For">{chainNames.find((chain) => chain.id === id)?.name ?? paste.scheme}</Fact>
          <Fact label="Pays to" mono>
            <UntrustedText value={address} max={120} />
          </Fact>
          {amount !== undefined && <Fact label="Asks for">{amount}</Fact>}
          {paste.label !== undefined && (
            <Fact label="Says">
              “<UntrustedText value={paste.label} max={120} />”
            </Fact>
          )}
        </Facts>
        <div className="acts-row">
          {amount === undefined ? (
            <Button onClick={takeAddress}>Use the address</Button>
          ) : (
            <>
              <Button onClick={takeBoth}>Use address and amount</Button>
              <Button onClick={takeAddress}>Use the address only</Button>
            </>
          )}
        </div>
      </div>
    </div>
  );
}
