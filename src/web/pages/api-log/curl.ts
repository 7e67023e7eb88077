import { API_KEY_HEADER } from '#src/shared/contract/contract.ts';
import type { RequestRecord } from '#src/web/api/requestLog.ts';

/** The gateway's name for the built-in sandbox, whose address the browser doesn't know. */
const SANDBOX = 'sandbox';

/**
 * A read as one line for a POSIX shell, with `$API_KEY` for the key and `$BASE_URL` for the built-in sandbox. No part of the
 * path can break out of its quotes, and curl expands none of it.
 */
export function curlOf({ path, headers }: RequestRecord, service: string): string {
  const sent = headers.map(([name, value]) => singleQuoted(`${name}: ${value}`));
  const options = [`"${API_KEY_HEADER}: $API_KEY"`, ...sent].map((header) => `--header ${header}`);
  const url = service === SANDBOX ? `"$BASE_URL"${quotedUrl(path)}` : quotedUrl(service + path);
  return `curl --globoff --include ${options.join(' ')} --url ${url}`;
}

/** Text as one literal word of a shell. */
export function singleQuoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** Only characters of a URL: a line break would end a pasted command early. */
function quotedUrl(url: string): string {
  const encode = (letter: string) => encodeURIComponent(letter.replace(/\p{Surrogate}/u, '\uFFFD'));
  return singleQuoted(url.replace(/[^\x21-\x7e]/gu, encode));
}
