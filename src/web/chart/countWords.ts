import { capital, revealHidden, type Noun, areOf, counted, numberWords, visibleCode } from '#src/shared/text.ts';
import { knownStatus } from '#src/shared/paymentStatus.ts';
import { formatClock, zoneName } from '#src/shared/time.ts';
import { type DayRange, dayWords } from '#src/shared/createdRange.ts';
import type { Bin } from './bins.ts';
import type { Unit } from './calendar.ts';
import type { Counted } from './counted.ts';

const NAME_MAX = 40;
/** At most this many assets are named; the rest become one entry. */
const NAMED = 4;

/** "3 Jun 2026", "3 Jun to 9 Jun 2026". */
export function spanWords({ from, to }: DayRange): string {
  if (from === to) return dayWords(from);
  const start = from.slice(0, 4) === to.slice(0, 4) ? dayWords(from).slice(0, -5) : dayWords(from);
  return `${start} to ${dayWords(to)}`;
}

/** Clipped: codes come from outside. */
function assetWords(asset: string): string {
  if (asset === '') return 'no asset';
  return visibleCode(asset.length > NAME_MAX ? `${asset.slice(0, NAME_MAX)}…` : asset);
}

/** "3 Jun 2026: 24 deposits: BTC 10, ETH 14" (several assets: `isMixed`). Unread days are "not loaded", never zero. */
export function binWords(bin: Bin, noun: Noun, isMixed: boolean): string {
  const days = spanWords(bin);
  if (bin.state === 'unread') return `${days}: not loaded`;
  const count = `${bin.state === 'part' ? 'at least ' : ''}${counted(bin.rows, noun.one, noun.many)}${bin.now ? ' so far' : ''}`;
  const { assets } = bin;
  const named = assets.slice(0, assets.length > NAMED ? NAMED - 1 : NAMED);
  const parts = named.map(([asset, rows]) => `${assetWords(asset)} ${numberWords(rows)}`);
  const rest = named.reduce((left, [, rows]) => left - rows, bin.rows);
  if (rest > 0) parts.push(`${numberWords(assets.length - named.length)} others ${numberWords(rest)}`);
  const split = isMixed && parts.length > 0 ? `: ${parts.join(', ')}` : '';
  const notes = binNotes(bin);
  return `${days}: ${count}${split}${notes === '' ? '' : ` (${notes})`}`;
}

/** Why a bin's count may be incomplete; empty if it is complete. */
export function binNotes({ state, cut }: Bin): string {
  const notes = [state === 'part' ? 'not loaded to its start' : '', cut ? 'the filter takes a part of a day' : ''];
  return notes.filter(Boolean).join('; ');
}

/** The word for rows counted as done: completed, or with the status of the filter. */
export function statusWord({ filters: { status } }: Counted): string {
  if (status === undefined) return 'Completed';
  return knownStatus(status)?.word ?? revealHidden(status).slice(0, 30);
}

export function titleWords(noun: Noun, unit: Unit): string {
  return `${capital(noun.many)} per ${unit}`;
}

export function summaryWords(bins: readonly Bin[], unit: Unit, noun: Noun): string {
  const [first, last] = [bins[0], bins.at(-1)];
  if (!first || !last) return '';
  const parts = [`${titleWords(noun, unit)}, ${spanWords({ from: first.from, to: last.to })}`];
  const full = bins.filter((bin) => bin.full).map(({ rows }) => rows);
  if (full.length > 0) {
    const [least, most] = [Math.min(...full), Math.max(...full)];
    parts.push(
      least === most
        ? `${numberWords(most)} a ${unit}`
        : `between ${numberWords(least)} and ${numberWords(most)} a ${unit}`,
    );
  }
  const now = bins.find((bin) => bin.now);
  if (now && now.state !== 'unread')
    parts.push(`${numberWords(now.rows)} so far ${unit === 'day' ? 'today' : `this ${unit}`}`);
  const unread = bins.filter(({ state }) => state === 'unread');
  if (unread.length > 0)
    parts.push(`${spanWords({ from: unread[0]?.from ?? '', to: unread.at(-1)?.to ?? '' })} not loaded`);
  return parts.join('; ');
}

/** How far was loaded: "4,200 loaded, back to 3 Jun 2026"; if to the end, as of when. */
export function loadedWords({ rows, reached, end, zone, asOf }: Counted): string {
  const loaded = `${numberWords(rows)} loaded`;
  if (end !== 'all') return reached === null ? loaded : `${loaded}, back to ${dayWords(reached)}`;
  return asOf === null ? `All ${loaded}` : `All ${loaded}, as of ${formatClock(asOf, zone)} ${zoneName(zone)}`;
}

/** Says which rows belong to no day, or were sent twice and counted once; empty if there are none. */
export function leftOutWords({ untimed, repeated, malformed }: Counted, noun: Noun): string {
  const parts: string[] = [];
  if (untimed > 0)
    parts.push(`${counted(untimed, noun.one, noun.many)} without a readable time ${areOf(untimed)} not on any day`);
  if (repeated > 0) parts.push(`${numberWords(repeated)} came twice and ${areOf(repeated)} counted once`);
  if (malformed > 0) parts.push(`${numberWords(malformed)} had no id and ${areOf(malformed)} not counted`);
  return parts.length === 0 ? '' : `${parts.join('; ')}.`;
}
