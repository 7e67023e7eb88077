import { isObject, parseJson } from '#src/lib/answers.ts';
import type { LoggedBody } from '#src/api/loggedBody.ts';
import { LEFT_OUT, scrub } from '#src/lib/scrub.ts';

/** Fields whose words help to find a request and tell nothing of what was paid to whom. */
const TOLD = new Set(
  `id object status asset chain type code message request_id has_more next_cursor created_at updated_at order book source
   transaction`.split(/\s+/),
);
/** Fields that hold such fields. */
const OPENED = new Set(['error', 'data']);
const EDGE = 1;

/** A body without amounts, addresses, hashes and whatever else is not known to be harmless. */
export function redactedBody(kept: LoggedBody | null): unknown {
  if (kept === null || kept.text === null) return 'not kept';
  if (kept.text === '') return null;
  const json = kept.text.length === kept.length ? parseJson(kept.text) : undefined;
  return json === undefined ? `${LEFT_OUT}: ${kept.length} characters that are no whole JSON` : opened(json);
}

function opened(value: unknown): unknown {
  if (Array.isArray(value)) return ends(value);
  if (!isObject(value)) return told(value);
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => {
      if (OPENED.has(name) && typeof field === 'object') return [name, opened(field)];
      return TOLD.has(name) ? [name, told(field)] : [scrub(name), field === null ? null : LEFT_OUT];
    }),
  );
}

/** The first and the last of a list, and how many stood between. */
function ends(list: readonly unknown[]): unknown[] {
  const between = list.length - 2 * EDGE;
  if (between <= 0) return list.map(opened);
  return [...list.slice(0, EDGE).map(opened), `[${between} more left out]`, ...list.slice(-EDGE).map(opened)];
}

function told(value: unknown): unknown {
  if (typeof value === 'string') return scrub(value);
  return typeof value === 'object' && value !== null ? LEFT_OUT : value;
}
