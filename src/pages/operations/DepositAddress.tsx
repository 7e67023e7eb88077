import { readDepositAddressBody } from '#src/lib/operations/depositAddress.ts';
import type { Operation } from '#src/lib/operations/record.ts';
import { Notice } from '#src/ui/Notice.tsx';
import { UntrustedText } from '#src/ui/UntrustedText.tsx';
import { AddressCard } from '#src/resources/AddressCard.tsx';
import { type AskedFor, type FoundAddress, addressIn } from '#src/lib/operations/addressIn.ts';

/** The deposit address that the service answered with, where one can be found. */
export function DepositAddress({ record, result }: { record: Operation; result: { text: string } }) {
  const asked = readDepositAddressBody(record.body);
  if (asked === null) return null;
  const found = addressIn(result.text, asked);
  if (found.kind === 'one') return <AddressCard asked={asked} address={found.address} along={found.along} />;
  return (
    <div className="max-w-184">
      <NoAddress asked={asked} found={found} />
    </div>
  );
}

type Missing = Exclude<FoundAddress, { kind: 'one' }>;

/** Why no address is shown; the answer itself stands below. */
function NoAddress({ asked, found }: { asked: AskedFor; found: Missing }) {
  if (found.kind === 'other') {
    return (
      <Notice tone="alarm" title="The answer is for something else.">
        Asked for was an address of {asked.asset} on {asked.chain}; the answer says{' '}
        <UntrustedText value={`${found.asset ?? asked.asset} on ${found.chain ?? 'no chain'}`} max={160} />. Do not give
        its address to a payer. Ask the service, with the request id below.
      </Notice>
    );
  }
  const what = found.kind === 'none' ? 'The answer names no address.' : 'The answer names several addresses.';
  return (
    <Notice tone="open" title={what}>
      {found.kind === 'none' ? 'None is guessed from it' : 'Which of them is meant is not guessed'}; it is shown below
      as it came. Ask the service, with the request id, before you create another one.
    </Notice>
  );
}
