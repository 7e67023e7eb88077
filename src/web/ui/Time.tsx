import { createContext, use } from 'react';
import { type Zone, age as ageOf, dateOf, formatClock, formatTime, isoUtc, isPlausibleTime } from '#src/shared/time.ts';
import { textOrJson } from '#src/shared/text.ts';
import { UntrustedText } from './UntrustedText.tsx';
import { useNow } from './useNow.ts';

interface TimeProps {
  /** Unix seconds as received. A value that cannot be a time is shown raw, with a note. */
  unix: unknown;
  age?: boolean;
}

export function Time({ unix, age = false }: TimeProps) {
  const zone = useZone();
  if (typeof unix !== 'number' || !isPlausibleTime(unix)) return <NotATime value={unix} />;
  return (
    <time translate="no" dateTime={isoUtc(unix)} data-tip-unix={unix} className="whitespace-nowrap">
      {formatTime(unix, zone)}
      {age && <Age unix={unix} />}
    </time>
  );
}

/** "16:24" today, else with the date. */
export function ShortTime({ unix }: { unix: number }) {
  const zone = useZone();
  const now = useNow(10);
  const isToday = dateOf(unix, zone) === dateOf(now, zone);
  const text = isToday ? formatClock(unix, zone) : formatTime(unix, zone, now);
  return (
    <time translate="no" dateTime={isoUtc(unix)} data-tip-unix={unix} className="whitespace-nowrap">
      {text.replace(/:\d\d$/, '')}
    </time>
  );
}

function Age({ unix }: { unix: number }) {
  const now = useNow(10);
  return <>, {ageOf(unix, now)}</>;
}

function NotATime({ value }: { value: unknown }) {
  if (value === undefined) return <span className="text-open">no time in the response</span>;
  return (
    <span className="text-open">
      <UntrustedText mono value={textOrJson(value)} max={40} /> (not a time)
    </span>
  );
}

export const ZoneContext = /* @__PURE__ */ createContext<Zone>('utc');

export function useZone(): Zone {
  return use(ZoneContext);
}

export function ZoneHead({ word }: { word: string }) {
  return (
    <>
      {word} <span className="font-normal">{useZone() === 'utc' ? 'UTC' : 'local'}</span>
    </>
  );
}
