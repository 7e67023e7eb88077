import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { clientOf, readTrustedProxies } from './clientAddress.ts';

function trusting(text: string) {
  const read = readTrustedProxies(text);
  if ('invalid' in read) throw new Error(`${read.invalid} is no network.`);
  return read.proxies;
}

function client(peer: string | undefined, forwarded: string | null, proxies: string): string {
  const headers: IncomingHttpHeaders = forwarded === null ? {} : { 'x-forwarded-for': forwarded };
  const socket: Partial<IncomingMessage['socket']> = peer === undefined ? {} : { remoteAddress: peer };
  return clientOf({ socket, headers } as IncomingMessage, trusting(proxies));
}

const ipv4 = fc.ipV4();

describe('the client', () => {
  test('is the peer if no proxy is trusted, whatever the headers say', () => {
    fc.assert(fc.property(ipv4, fc.oneof(ipv4, fc.string()), (peer, header) => client(peer, header, '') === peer));
  });

  test.each([
    ['one hop', '203.0.113.7', '203.0.113.7'],
    ['what a client claims, before what the proxy added', '198.51.100.1, 203.0.113.7', '203.0.113.7'],
    ['a proxy behind the proxy', '198.51.100.1, 203.0.113.7, 10.1.2.3', '203.0.113.7'],
    ['only proxies', '10.0.0.1, 10.0.0.2', '10.0.0.1'],
    ['no header', null, '127.0.0.1'],
    ['an empty header', '', '127.0.0.1'],
    ['no address', 'unknown', '127.0.0.1'],
    ['no address in the middle', '203.0.113.7, nonsense, 10.1.2.3', '10.1.2.3'],
    ['a port', '203.0.113.7:4711', '203.0.113.7'],
    ['IPv4-mapped IPv6', '::ffff:203.0.113.7', '203.0.113.7'],
    ['IPv6 by its /64', '2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['IPv6 with a port', '[2001:DB8::1]:443', '2001:db8:0:0::/64'],
    ['IPv6 with a zone', 'fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['half an address', '203.0.113', '127.0.0.1'],
    ['leading zeros, which mean two things', '0203.0.113.7', '127.0.0.1'],
    ['line breaks for the log', '203.0.113.7\nforged', '127.0.0.1'],
  ])('behind trusted proxies is found from %s', (_, forwarded, expected) => {
    expect(client('127.0.0.1', forwarded, '127.0.0.1, 10.0.0.0/8')).toBe(expected);
  });

  test.each([
    ['::ffff:127.0.0.1', '127.0.0.1'],
    ['127.0.0.1', '::ffff:127.0.0.1'],
    ['::ffff:7f00:1', '127.0.0.0/8'],
    ['10.9.9.9', '::ffff:10.0.0.0/104'],
    ['10.9.9.9', '10.1.2.3/8'],
    ['fd00::1', 'fd00::/8'],
    ['203.0.113.9', '0.0.0.0/0'],
  ])('the peer %s is trusted by %s', (peer, proxies) => {
    expect(client(peer, '198.51.100.1', proxies)).toBe('198.51.100.1');
  });

  test.each([
    ['11.0.0.1', '10.0.0.0/8'],
    ['10.0.0.128', '10.0.0.0/25'],
    ['fe00::1', 'fd00::/8'],
    ['::7f00:1', '127.0.0.1'],
    ['2001:db8::1', '0.0.0.0/0'],
  ])('the peer %s is not trusted by %s', (peer, proxies) => {
    expect(client(peer, '198.51.100.1', proxies)).not.toBe('198.51.100.1');
  });

  test('without an address is "unknown", whatever the header says', () => {
    expect(client(undefined, '203.0.113.7', '0.0.0.0/0, ::/0')).toBe('unknown');
  });

  test('is the same in every spelling, and nothing in a header throws', () => {
    const known = fc.oneof(ipv4, fc.ipV6());
    fc.assert(fc.property(known, (address) => client('127.0.0.1', address, '127.0.0.1') === client(address, null, '')));
    fc.assert(fc.property(fc.string(), (header) => client('127.0.0.1', header, '127.0.0.1') !== ''));
  });
});

describe('trusted proxies', () => {
  test('are separated by commas, blanks or both; empty text has none', () => {
    expect(trusting('127.0.0.1,10.0.0.0/8  ::1')).toHaveLength(3);
    expect(trusting('')).toEqual([]);
    expect(trusting(' , ')).toEqual([]);
  });

  test.each(['localhost', '10.0.0.0/33', 'fd00::/129', '10.0.0.0/', '10.0.0/8', '/8', '10.0.0.0/-1', '1:2:3', '*'])(
    'refuse %s by name',
    (text) => {
      expect(readTrustedProxies(`127.0.0.1, ${text}`)).toEqual({ invalid: text });
    },
  );
});
