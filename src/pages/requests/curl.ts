import { API_KEY_HEADER } from '#src/api/contract.ts';
import type { RequestRecord } from '#src/api/requestLog.ts';

/** The gateway's word for the embedded sandbox, whose address no page knows. */
const SANDBOX = 'sandbox';

/**
 * A read as one line for a POSIX shell: `$API_KEY` in the key's place, and `$BASE_URL` where the service's address is
 * not known. Nothing of the path can leave its quotes, and curl expands none of it.
 */
export function curlOf({ path, headers }: RequestRecord, service: string): string {
  const sent = headers.map(([name, value]) => singleQuoted(`${name}: ${value}`));
  const options = [`"${API_KEY_HEADER}: $API_KEY"`, ...sent].map((header) => `--header ${header}`);
  const url = service === SANDBOX ? `"$BASE_URL"${quotedUrl(path)}` : quotedUrl(service + path);
  return `curl --globoff --include ${options.join(' ')} --url ${url}`;
}

/** Text as one word that a shell takes as it is. */
export function singleQuoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** With nothing but what may stand in a URL: a line break in the middle of a pasted line would end it. */
function quotedUrl(url: string): string {
  const encode = (letter: string) => encodeURIComponent(letter.replace(/\p{Surrogate}/u, '\uFFFD'));
  return singleQuoted(url.replace(/[^\x21-\x7e]/gu, encode));
}
