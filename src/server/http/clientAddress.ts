import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';

/** Addresses with the same leading bits. */
interface Network {
  leading: bigint;
  /** How many of the 128 bits follow them. */
  rest: bigint;
}

/** Proxies whose X-Forwarded-For is trusted. */
export type TrustedProxies = readonly Network[];

const BITS = 128;
/** Where IPv4 addresses are in IPv6: ::ffff:0:0/96. */
const MAPPED = 0xffffn;
const MAPPED_BITS = 96;

/** An IP address as a 128-bit number, IPv4 in its IPv4-mapped IPv6 form so that both spellings are equal; null: not an address. */
function readAddress(text: string): bigint | null {
  const [address = ''] = text.split('%', 1);
  if (isIP(address) === 4) return (MAPPED << 32n) | joined(address.split('.').map(BigInt), 8n);
  if (isIP(address) !== 6) return null;
  // A URL spells every IPv6 address in one way, in hexadecimal throughout.
  const { hostname } = new URL(`http://[${address}]`);
  const [head = [], tail = []] = hostname
    .slice(1, -1)
    .split('::')
    .map((part) => part.split(':').filter(Boolean));
  const zeros = Array.from({ length: 8 - head.length - tail.length }, () => '0');
  return joined(
    [...head, ...zeros, ...tail].map((group) => BigInt(`0x${group}`)),
    16n,
  );
}

function joined(parts: readonly bigint[], width: bigint): bigint {
  return parts.reduce((all, part) => (all << width) | part, 0n);
}

/** Reads addresses and networks such as "127.0.0.1, 10.0.0.0/8, fd00::/8"; `invalid` is the first part that is neither. */
export function readTrustedProxies(text: string): { proxies: TrustedProxies } | { invalid: string } {
  const proxies: Network[] = [];
  for (const part of text.split(/[\s,]+/).filter(Boolean)) {
    const network = readNetwork(part);
    if (network === null) return { invalid: part };
    proxies.push(network);
  }
  return { proxies };
}

function readNetwork(text: string): Network | null {
  const [, spelled = '', length] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  const address = readAddress(spelled);
  if (address === null) return null;
  const fixed = isIP(spelled) === 4 ? MAPPED_BITS : 0;
  const leading = length === undefined ? BITS : fixed + Number(length);
  if (leading > BITS) return null;
  const rest = BigInt(BITS - leading);
  return { leading: address >> rest, rest };
}

/**
 * The client of a request: an IPv4 address, or the /64 of an IPv6 one, because one customer usually gets a /64. Only for the
 * rate limit of refused keys and for the log. X-Forwarded-For is read from its end: only entries that a trusted proxy added
 * count.
 */
export function clientOf({ socket, headers }: Pick<IncomingMessage, 'socket' | 'headers'>, trusted: TrustedProxies) {
  let client = readAddress(socket.remoteAddress ?? '');
  const hops = [headers['x-forwarded-for'] ?? []].flat().join(',').split(',');
  while (client !== null && isIn(client, trusted)) {
    const before = readHop(hops.pop() ?? '');
    if (before === null) break;
    client = before;
  }
  return client === null ? 'unknown' : groupOf(client);
}

function isIn(address: bigint, networks: TrustedProxies): boolean {
  return networks.some(({ leading, rest }) => address >> rest === leading);
}

/** Reads an entry of X-Forwarded-For. Some proxies include the port. */
function readHop(text: string): bigint | null {
  const hop = text.trim();
  const [, bracketed, plain] = /^(?:\[([^\]]+)\]|([\d.]+))(?::\d{1,5})?$/.exec(hop) ?? [];
  return readAddress(bracketed ?? plain ?? hop);
}

function groupOf(address: bigint): string {
  if (address >> 32n === MAPPED) return partsOf(address, 4, 8n).join('.');
  const groups = partsOf(address >> 64n, 4, 16n).map((group) => group.toString(16));
  return `${groups.join(':')}::/64`;
}

/** The last `count` parts of `width` bits each. */
function partsOf(value: bigint, count: number, width: bigint): bigint[] {
  return Array.from({ length: count }, (_, index) =>
    BigInt.asUintN(Number(width), value >> (width * BigInt(count - 1 - index))),
  );
}
