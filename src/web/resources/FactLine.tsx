import { useCan } from '#src/web/api/permissions.ts';
import { Link } from 'react-router';
import type { ResponseInfo } from '#src/shared/answers.ts';
import { useRecipientAt } from '#src/web/api/recipients.ts';
import { ExplorerLink } from '#src/web/report/ExplorerLink.tsx';
import type { ChainAddress } from '#src/shared/chains/lookAlike.ts';
import { chainLabel } from '#src/shared/chains/names.ts';
import { locationState } from '#src/web/storage/locationState.ts';
import { memoFieldsOf, withMemo } from '#src/shared/chains/memoFields.ts';
import { paths } from '#src/shared/paths.ts';
import { statusMeaning } from '#src/shared/paymentStatus.ts';
import { revealHidden, textOrNull } from '#src/shared/text.ts';
import { age, formatFull, isPlausibleTime, zoneName } from '#src/shared/time.ts';
import { type ListField, type ListRow, valueOf } from '#src/web/list/fields.tsx';
import { Amount } from '#src/web/ui/Amount.tsx';
import { CopyButton } from '#src/web/ui/CopyButton.tsx';
import { Fact } from '#src/web/ui/Facts.tsx';
import { Time, useZone } from '#src/web/ui/Time.tsx';
import { UntrustedText, ShortId, GroupedAddress } from '#src/web/ui/UntrustedText.tsx';
import { useNowByService } from '#src/web/ui/useNow.ts';
import type { ResourceProps } from './resource.ts';

interface FactLineProps<T extends ListRow> extends ResourceProps<T> {
  row: T;
  read: ResponseInfo;
  field: ListField<T>;
}

export function FactLine<T extends ListRow>({ field, resource, row, read }: FactLineProps<T>) {
  if (field.fact) return field.fact(row);
  const { label, kind } = field;
  const value = valueOf(field, row);
  const text = textOrNull(value);
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
              <ExplorerLink chain={textOrNull(row['chain'])} kind="transaction" value={text} />
            </span>
          )}
          {kind === 'status' && resource.payment && (
            <span className="small sub block font-sans">{statusMeaning(resource.payment, text)}</span>
          )}
        </Fact>
      );
    case 'chain':
    case 'code':
    case 'word':
      break;
  }
  return (
    <Fact label={label}>
      <Word text={text !== null && kind === 'chain' ? chainLabel(text) : text} code={kind === 'code'} />
    </Fact>
  );
}

/** "Id" within a sentence. */
function copied(label: string): string {
  return label === 'ID' ? label : label.charAt(0).toLowerCase() + label.slice(1);
}

function Word({ text, code = false }: { text: string | null; code?: boolean }) {
  if (text === null || text === '') return <span className="dim font-sans">not provided</span>;
  return <UntrustedText value={text} max={160} code={code} />;
}

/** No address is longer than this: longer text is clipped instead of split into groups of four. */
const ADDRESS_MAX = 200;

interface AddressLineProps {
  label: string;
  address: string | null;
  row: ListRow;
  ours: boolean;
}

/** An address. It is copied together with its memo or tag, because a payment without it would be lost. */
function AddressLine({ label, address, row, ours }: AddressLineProps) {
  const chain = textOrNull(row['chain']);
  if (address === null || address === '') {
    return (
      <Fact label={label}>
        <Word text={null} />
      </Fact>
    );
  }
  const memoFields = memoFieldsOf(row);
  const names = memoFields.map(({ name }) => ` and ${revealHidden(name)}`);
  return (
    <Fact label={label} action={<CopyButton value={withMemo(address, row)} label={`Copy address${names.join('')}`} />}>
      {!ours && chain !== null && <NamedInBook place={{ chain, address }} />}
      {address.length <= ADDRESS_MAX ? (
        <span className="[&_.chunks]:text-small">
          <GroupedAddress value={address} />
        </span>
      ) : (
        <UntrustedText value={address} max={ADDRESS_MAX} />
      )}
      {memoFields.map(({ name, value }) => (
        <span key={name} className="small block">
          Only together with {revealHidden(name)} <UntrustedText value={value} max={120} />
        </span>
      ))}
      <ExplorerLink chain={chain} kind="address" value={address} />
    </Fact>
  );
}

function CreatedAt({ unix, read }: { unix: unknown; read: ResponseInfo }) {
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

function NamedInBook({ place }: { place: ChainAddress }) {
  const entry = useRecipientAt(place);
  const canSave = useCan('save-recipients');
  if (!entry && !canSave) return null;
  return (
    <span className="block">
      {entry ? (
        <Link to={paths.recipient(entry.id)}>
          <UntrustedText value={entry.name} max={80} />
        </Link>
      ) : (
        <Link className="small" to={paths.recipients} state={locationState({ add: place })}>
          Save as recipient
        </Link>
      )}
    </span>
  );
}

/** "to Acme Hosting", else the address it went to. */
export function ToRecipient({ row }: { row: ListRow }) {
  const address = textOrNull(row['address']) ?? '';
  const entry = useRecipientAt({ chain: textOrNull(row['chain']) ?? '', address });
  if (address === '') return null;
  return (
    <p>
      to{' '}
      {entry ? (
        <Link to={paths.recipient(entry.id)}>
          <UntrustedText value={entry.name} max={80} />
        </Link>
      ) : (
        <ShortId value={address} />
      )}
    </p>
  );
}
