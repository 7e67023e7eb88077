import type { Meta } from '#src/api/read.ts';
import { ExplorerLink } from '#src/case-file/ExplorerLink.tsx';
import { chainLabel } from '#src/lib/chains/names.ts';
import { alongOf, withAlong } from '#src/lib/operations/addressIn.ts';
import { statusMeaning } from '#src/lib/paymentStatus.ts';
import { visible } from '#src/lib/text.ts';
import { age, formatFull, isPlausibleTime, zoneName } from '#src/lib/time.ts';
import { type Field, type ListRow, textOf, valueOf } from '#src/list/fields.tsx';
import { Amount } from '#src/ui/Amount.tsx';
import { CopyButton } from '#src/ui/CopyButton.tsx';
import { Fact } from '#src/ui/Facts.tsx';
import { GroupedAddress } from '#src/ui/GroupedAddress.tsx';
import { Time, useZone } from '#src/ui/Time.tsx';
import { UntrustedText } from '#src/ui/UntrustedText.tsx';
import { useNowByService } from '#src/ui/useNow.ts';
import { NamedInBook } from './NamedInBook.tsx';
import type { ResourceProps } from './resource.ts';

interface FactLineProps<T extends ListRow> extends ResourceProps<T> {
  row: T;
  read: Meta;
  field: Field<T>;
}

/** A field of a row by its kind. */
export function FactLine<T extends ListRow>({ field, resource, row, read }: FactLineProps<T>) {
  if (field.fact) return field.fact(row);
  const { label, kind } = field;
  const value = valueOf(field, row);
  const text = textOf(value);
  switch (kind) {
    case 'time':
      return (
        <Fact label={label}>
          <CreatedAt unix={value} read={read} />
        </Fact>
      );
    case 'amount':
    case 'movement':
      return (
        <Fact label={label}>
          <Amount value={value} asset={row.asset ?? undefined} flow signed={kind === 'movement'} />
        </Fact>
      );
    case 'address':
      return <AddressLine label={label} address={text} row={row} ours={resource.payment !== 'withdrawal'} />;
    case 'id':
    case 'hash':
    case 'status':
      return (
        <Fact
          label={label}
          mono={text !== null}
          action={text !== null && text !== '' && <CopyButton value={text} label={`Copy ${copied(label)}`} />}
        >
          <Word text={text} />
          {kind === 'hash' && text !== null && (
            <span className="block">
              <ExplorerLink chain={textOf(row['chain'])} kind="transaction" value={text} />
            </span>
          )}
          {kind === 'status' && resource.payment && (
            <span className="small sub block font-sans">{statusMeaning(resource.payment, text)}</span>
          )}
        </Fact>
      );
    case 'word':
      break;
  }
  return (
    <Fact label={label}>
      <Word text={text !== null && field.name === 'chain' ? chainLabel(text) : text} />
    </Fact>
  );
}

/** "Id" within a sentence. */
function copied(label: string): string {
  return label === 'ID' ? label : label.charAt(0).toLowerCase() + label.slice(1);
}

function Word({ text }: { text: string | null }) {
  if (text === null || text === '') return <span className="dim font-sans">not provided</span>;
  return <UntrustedText value={text} max={160} />;
}

/** Longer than any address: somebody else's text, to be clipped rather than read in fours. */
const ADDRESS_MAX = 200;

function AddressLine({
  label,
  address,
  row,
  ours,
}: {
  label: string;
  address: string | null;
  row: ListRow;
  ours: boolean;
}) {
  const chain = textOf(row['chain']);
  if (address === null || address === '') {
    return (
      <Fact label={label}>
        <Word text={null} />
      </Fact>
    );
  }
  return (
    <Fact label={label} action={<CopyAddress address={address} of={row} />}>
      {!ours && chain !== null && <NamedInBook place={{ chain, address }} />}
      {address.length <= ADDRESS_MAX ? (
        <span className="[&_.chunks]:text-small">
          <GroupedAddress value={address} />
        </span>
      ) : (
        <UntrustedText value={address} max={ADDRESS_MAX} />
      )}
      <AlongWords of={row} />
      <ExplorerLink chain={chain} kind="address" value={address} />
    </Fact>
  );
}

/** A moment in full: its year and zone, its age, the other zone and Unix seconds. */
function CreatedAt({ unix, read }: { unix: unknown; read: Meta }) {
  const zone = useZone();
  const now = useNowByService(read);
  if (!isPlausibleTime(unix)) return <Time unix={unix} />;
  return (
    <>
      {formatFull(unix, zone)}
      <span className="dim small block">
        {age(unix, now)}
        {zoneName('local') !== 'UTC' && `; ${formatFull(unix, zone === 'utc' ? 'local' : 'utc')}`}; Unix {unix}
      </span>
    </>
  );
}

interface CopyAddressProps {
  address: string;
  /** What names the address, and perhaps a memo or a tag with it. */
  of: object;
  /** Within a sentence. */
  label?: string;
}

/** Copies an address with the memo or tag that it is worth nothing without, and says so. */
function CopyAddress({ address, of, label = 'address' }: CopyAddressProps) {
  const names = alongOf(of).map(({ name }) => ` and ${visible(name)}`);
  return <CopyButton value={withAlong(address, of)} label={`Copy ${label}${names.join('')}`} />;
}

/** What has to go with an address, beside it. */
function AlongWords({ of }: { of: object }) {
  return alongOf(of).map(({ name, value }) => (
    <span key={name} className="small block">
      Only together with {visible(name)} <UntrustedText value={value} max={120} />
    </span>
  ));
}
