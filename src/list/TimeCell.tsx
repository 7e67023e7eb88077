import { formatTime, isoUtc, isPlausibleTime, zoneName } from '#src/lib/time.ts';
import { Time } from '#src/ui/Time.tsx';
import { useZone } from '#src/ui/zone.tsx';
import { useListPlace } from './listContext.ts';
import { RowLink } from './RowLink.tsx';

/** Date and clock of a row; the day in lighter ink, because the clock is what differs from row to row. */
export function TimeCell({ id, unix }: { id: string; unix: unknown }) {
  const zone = useZone();
  const { idShown } = useListPlace();
  if (!isPlausibleTime(unix)) {
    return idShown ? (
      <span className="clip">
        <Time unix={unix} />
      </span>
    ) : (
      <RowLink id={id}>no usable time</RowLink>
    );
  }
  const text = formatTime(unix, zone);
  const cut = text.lastIndexOf(' ') + 1;
  const time = (
    <time dateTime={isoUtc(unix)} data-tip-unix={unix}>
      <span className="dim">{text.slice(0, cut)}</span>
      {text.slice(cut)}
    </time>
  );
  return idShown ? time : <RowLink id={id}>{time}</RowLink>;
}

export function TimeHead() {
  return (
    <>
      Created <span className="zone">{zoneName(useZone())}</span>
    </>
  );
}
