import type { Transform } from 'node:stream';
import { promisify } from 'node:util';
import {
  brotliCompress,
  constants,
  createBrotliCompress,
  createBrotliDecompress,
  createGunzip,
  createGzip,
  createInflate,
  gzip,
} from 'node:zlib';
import { COMPRESSIBLE_CONTENT_TYPE_REGEX } from 'hono/utils/compress';
import { parseAccept } from 'hono/utils/accept';

/** Best first. */
const ENCODINGS = ['br', 'gzip'] as const;
export type Encoding = (typeof ENCODINGS)[number];

/** Smaller responses fit in one packet anyway, so they aren't compressed. */
export const LEAST_BYTES = 1_024;
/** For compression on the fly: as fast as gzip and a tenth smaller. */
const ON_THE_FLY = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } };
const AT_BUILD = { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } };

type Headers = [string, string][];

/** The best encoding that an `Accept-Encoding` allows; null for none. */
export function encodingFor(accept: string | undefined, offered: readonly Encoding[] = ENCODINGS): Encoding | null {
  const accepted = new Map(parseAccept(accept ?? '').map(({ type, q }) => [type.toLowerCase(), q]));
  const weigh = (encoding: Encoding): number => accepted.get(encoding) ?? accepted.get('*') ?? 0;
  const [best] = offered.filter((encoding) => weigh(encoding) > 0).toSorted((a, b) => weigh(b) - weigh(a));
  return best ?? null;
}

/** How to compress a response of the service; null if not at all. */
export function encodingOf(status: number, headers: Headers, accept: string | undefined): Encoding | null {
  const header = (wanted: string) => headers.find(([name]) => name.toLowerCase() === wanted)?.[1];
  if (status === 204) return null;
  if (!COMPRESSIBLE_CONTENT_TYPE_REGEX.test(header('content-type') ?? '')) return null;
  if (Number(header('content-length') ?? LEAST_BYTES) < LEAST_BYTES) return null;
  return encodingFor(accept);
}

export function encodedHeaders(headers: Headers, encoding: Encoding): Headers {
  const kept = headers.filter(([name]) => name.toLowerCase() !== 'content-length');
  return [...kept, ['Content-Encoding', encoding], ['Vary', 'Accept-Encoding']];
}

/** Flushes every chunk, so that nothing the service has sent is held back. */
export function encoder(encoding: Encoding): Transform {
  if (encoding === 'gzip') return createGzip({ flush: constants.Z_SYNC_FLUSH });
  return createBrotliCompress({ ...ON_THE_FLY, flush: constants.BROTLI_OPERATION_FLUSH });
}

const DECODERS: Readonly<Record<string, () => Transform>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

/** A decoder for a response's encoding; null if it needs none. */
export function decoderFor(contentEncoding: string | undefined): Transform | null {
  const name = contentEncoding?.trim().toLowerCase() ?? '';
  return (Object.hasOwn(DECODERS, name) && DECODERS[name]?.()) || null;
}

export function encode(bytes: Uint8Array, encoding: Encoding): Promise<Uint8Array> {
  return encoding === 'br' ? promisify(brotliCompress)(bytes, ON_THE_FLY) : promisify(gzip)(bytes);
}

export async function encodeForBuild(bytes: Uint8Array): Promise<Record<Encoding, Uint8Array>> {
  const [br, zipped] = await Promise.all([
    promisify(brotliCompress)(bytes, AT_BUILD),
    promisify(gzip)(bytes, { level: constants.Z_BEST_COMPRESSION }),
  ]);
  return { br, gzip: zipped };
}
