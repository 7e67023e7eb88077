import { parseObject } from '#src/shared/json/jsonObject.ts';
import type { OperationRequest } from './kind.ts';
import { KIND } from './kinds.ts';

const LONGEST_BODY = 16_000;

/** Why this new request may not be sent, in plain words; null if it may. */
export function faultIn(sent: OperationRequest): string | null {
  const { body } = sent;
  if (new TextEncoder().encode(body).length > LONGEST_BODY) return `A request may have ${LONGEST_BODY} bytes.`;
  // A database can't store either, and a parser may end the text there.
  if (body.includes('\0') || body.includes('\\u0000')) return 'The request holds the character NUL.';
  const parsed = parseObject(body);
  if (!parsed.ok) return parsed.reason;
  if (HALF.test(JSON.stringify(parsed.object))) return 'The request holds half of a character.';
  const { path, one, faultIn: faultOf } = KIND[sent.kind];
  return path.test(sent.path) ? faultOf(sent) : `This is not the path of a ${one}.`;
}

/** A lone surrogate as JSON.stringify writes it. */
const HALF = /(?<!\\)(?:\\\\)*\\ud[89a-f][0-9a-f]{2}/;
