import { Copy } from 'lucide-react';
import { loadChains } from '#src/shared/chains/loadChains.ts';
import { Button } from '#src/web/ui/Button.tsx';
import { copyText } from '#src/web/ui/CopyButton.tsx';
import { Fact, Facts } from '#src/web/ui/Facts.tsx';
import { Message } from '#src/web/ui/Field.tsx';
import { revealHidden, visibleCode } from '#src/shared/text.ts';
import { UntrustedText, GroupedAddress } from '#src/web/ui/UntrustedText.tsx';
import { useLoaded } from '#src/web/ui/useLoaded.ts';
import { type MemoField, isMemoName } from '#src/shared/chains/memoFields.ts';
import type { DepositAddressFields } from '#src/shared/operations/kind.ts';
import { type Judgement, chainAsSent, copyTextOf, judgeAddress } from '#src/shared/chains/addressRule.ts';

const cardClass = 'grid-cols-[12rem_minmax(0,1fr)] border-proof-rule bg-sheet';
const alarmClass = 'grid-cols-1 border-alarm-rule bg-alarm-tint';

interface AddressCardProps {
  request: DepositAddressFields;
  address: string;
  along: MemoField[];
}

/** Address checks and QR codes load only where an address is shown. */
async function loadParts() {
  const [{ checkAddress }, { Qr }] = await Promise.all([loadChains(), import('#src/web/ui/Qr.tsx')]);
  return { checkAddress, Qr };
}

const UNCHECKED = 'The check of the address could not be loaded, so nothing is drawn or copied. Load the page again.';

/** A deposit address to share with a payer: always with its chain, and only if it is valid there. */
export function AddressCard({ request, address, along }: AddressCardProps) {
  const { value: parts, failed } = useLoaded(loadParts);
  const judged: Judgement | null = failed
    ? { plausible: false, tone: 'alarm', words: UNCHECKED }
    : parts && judgeAddress(parts.checkAddress(request.chain, address), address, request.chain);
  const place = `${visibleCode(request.asset)} on ${chainAsSent(request.chain)}`;
  const isAlarm = judged?.tone === 'alarm';
  return (
    <section
      className={`grid max-w-184 gap-5 border p-4 narrow:grid-cols-1 ${isAlarm ? alarmClass : cardClass}`}
      aria-label="Deposit address"
      aria-busy={judged === null}
    >
      {judged?.plausible !== false && (
        <div className="grid size-48 place-items-center border border-rule bg-inset narrow:justify-self-center">
          {parts && judged ? (
            <parts.Qr value={address} label={`QR code of ${address}`} />
          ) : (
            <p className="small sub">Checking the address</p>
          )}
        </div>
      )}
      <div className="grid min-w-0 content-start gap-2">
        <h2>
          <UntrustedText value={place} max={160} />
        </h2>
        <AddressText address={address} isPlausible={judged?.plausible === true} />
        <Along along={along} />
        {judged && (
          <Message tone={judged.tone}>
            {judged.words}
            {!judged.plausible &&
              ' No QR code is drawn. Do not give this to a payer. Ask the provider, with the request ID below.'}
          </Message>
        )}
        {judged?.plausible && <ToShare {...{ request, address, along, place }} />}
      </div>
    </section>
  );
}

function AddressText({ address, isPlausible }: { address: string; isPlausible: boolean }) {
  if (!isPlausible)
    return (
      <p className="mono">
        <UntrustedText value={address} max={200} />
      </p>
    );
  return (
    <div>
      <GroupedAddress value={address} />
      <span translate="no" className="mono block pt-1 text-ink-2 wrap-anywhere">
        {address}
      </span>
    </div>
  );
}

/** The memo or tag that must go with the address. */
function Along({ along }: Pick<AddressCardProps, 'along'>) {
  if (along.length === 0) return null;
  return (
    <Facts>
      {along.map(({ name, value }) => (
        <Fact key={name} label={revealHidden(name)} mono>
          <UntrustedText value={value} max={120} />
        </Fact>
      ))}
    </Facts>
  );
}

/** The details that a payer needs, and a button that copies them. */
function ToShare({ request, address, along, place }: AddressCardProps & { place: string }) {
  const needed = along.filter(({ name }) => isMemoName(name)).map(({ name }) => revealHidden(name));
  return (
    <>
      <Message tone="open">
        Only send <UntrustedText value={place} max={160} /> to this address
        {needed.length > 0 && `, always together with its ${needed.join(' and ')}`}. Anything else that is sent there
        may be lost for good.
      </Message>
      <div className="acts-row">
        <Button
          variant="primary"
          icon={<Copy aria-hidden />}
          onClick={() => void copyText(copyTextOf(address, request, along))}
        >
          Copy address and chain
        </Button>
      </div>
    </>
  );
}
