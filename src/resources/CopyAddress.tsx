import { alongOf, withAlong } from '#src/lib/operations/addressIn.ts';
import { visible } from '#src/lib/text.ts';
import { CopyButton } from '#src/ui/CopyButton.tsx';
import { UntrustedText } from '#src/ui/UntrustedText.tsx';

interface CopyAddressProps {
  address: string;
  /** What names the address, and perhaps a memo or a tag with it. */
  of: object;
  /** Within a sentence. */
  label?: string;
}

/** Copies an address with the memo or tag that it is worth nothing without, and says so. */
export function CopyAddress({ address, of, label = 'address' }: CopyAddressProps) {
  const names = alongOf(of).map(({ name }) => ` and ${visible(name)}`);
  return <CopyButton value={withAlong(address, of)} label={`Copy ${label}${names.join('')}`} />;
}

/** What has to go with an address, beside it. */
export function AlongWords({ of }: { of: object }) {
  return alongOf(of).map(({ name, value }) => (
    <span key={name} className="small block">
      Only together with {visible(name)} <UntrustedText value={value} max={120} />
    </span>
  ));
}
