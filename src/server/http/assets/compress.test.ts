import { randomBytes } from 'node:crypto';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { encodeForBuild, encodingFor } from './compress.ts';
import { emptyList, fakeService, signedIn, startGateway } from '#src/server/http/testGateway.ts';

test.each([
  [undefined, null],
  ['', null],
  ['gzip, deflate, br, zstd', 'br'],
  ['gzip, deflate', 'gzip'],
  ['br;q=0.1, gzip', 'gzip'],
  ['br;q=0, *', 'gzip'],
  ['identity', null],
  ['*;q=0', null],
])('Accept-Encoding %o is answered in %o', (accept, encoding) => {
  expect(encodingFor(accept)).toBe(encoding);
});

describe('a list of the service', () => {
  const list = JSON.stringify({ data: Array.from({ length: 100 }, (_, n) => ({ id: `dep_${n}`, amount: '0.10' })) });
  const read = async (answer: Parameters<typeof signedIn>[0], accept: string) => {
    const { gateway, call } = await signedIn(answer);
    return fetch(`${gateway.origin}/v1/deposits`, { headers: { ...call, 'Accept-Encoding': accept } });
  };
  const whole: Parameters<typeof signedIn>[0] = (_req, res) => {
    res.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': list.length });
    res.end(list);
  };

  test.each(['br', 'gzip'])('is sent in %s without changing a byte', async (encoding) => {
    const answer = await read(whole, encoding);
    expect(answer.headers.get('content-encoding')).toBe(encoding);
    expect(answer.headers.get('vary')).toBe('Accept-Encoding');
    expect(answer.headers.get('content-length')).toBeNull();
    expect(await answer.text()).toBe(list);
  });

  test('is not compressed if the client accepts no encoding or the response is short', async () => {
    const plain = await read(whole, 'identity');
    expect([plain.headers.get('content-encoding'), await plain.text()]).toEqual([null, list]);
    const short = await read((_req, res) => {
      res.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': 2 });
      res.end('{}');
    }, 'br');
    expect([short.headers.get('content-encoding'), await short.text()]).toEqual([null, '{}']);
  });

  test.each([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
  ])(
    'that the service compressed with %s is the same to the byte, in an encoding of this server',
    async (name, zip) => {
      const zipped = zip(list);
      const answer = await read((_req, res) => {
        const length = { 'Content-Length': zipped.length };
        res.writeHead(200, { 'Content-Type': 'application/json', 'Content-Encoding': name, ...length });
        res.end(zipped);
      }, 'gzip');
      expect([answer.headers.get('content-encoding'), answer.headers.get('content-length')]).toEqual(['gzip', null]);
      expect(await answer.text()).toBe(list);
    },
  );

  test('that breaks off doesn’t look complete', async () => {
    const answer = await read((_req, res) => {
      res.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': list.length });
      res.write(list.slice(0, 2_000), () => res.destroy());
    }, 'br');
    await expect(answer.text()).rejects.toThrow();
  });
});

test('a built file comes as the build compressed it', async () => {
  const bytes = new TextEncoder().encode(randomBytes(2_000).toString('hex'));
  const { br, gzip } = await encodeForBuild(bytes);
  const encoded = new Map([
    ['br', Uint8Array.from(br)],
    ['gzip', Uint8Array.from(gzip)],
  ] as const);
  const asset = { bytes, type: 'text/javascript', cache: 'public, max-age=31536000, immutable', encoded };
  const service = await fakeService(emptyList);
  const gateway = await startGateway(service.url, { assets: new Map([['/assets/a.js', asset]]) });
  for (const accept of ['br, gzip', 'gzip', 'identity']) {
    const answer = await fetch(`${gateway.origin}/assets/a.js`, { headers: { 'Accept-Encoding': accept } });
    const encoding = accept === 'identity' ? null : (accept.split(',')[0] ?? null);
    expect(answer.headers.get('content-encoding')).toBe(encoding);
    expect(answer.headers.get('vary')).toBe('Accept-Encoding');
    expect(answer.headers.get('cache-control')).toContain('immutable');
    expect(new Uint8Array(await answer.arrayBuffer())).toEqual(bytes);
  }
});
